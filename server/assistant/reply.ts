import type { Answer } from '#shared/assistant/answer.ts'
import type { ChatReply } from '#shared/assistant/chat.ts'
import type { DestinationInfo } from './gathering/destination.ts'

/** An answer with every field name of the specification. */
export function replyOf(answer: Answer, about: { destination: DestinationInfo | null } | null): ChatReply {
  const { content, format, metadata } = answer
  return {
    content,
    ai_response: { content, format },
    conversation_id: metadata.conversation_id,
    detectedLanguage: metadata.language,
    usage: { total_tokens: metadata.tokens_used },
    processing_time_ms: metadata.processing_time_ms,
    metadata,
    error: null,
    status_code: 200,
    ...(about ? { data: { destinationInfo: about.destination } } : {}),
  }
}
