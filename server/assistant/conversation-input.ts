import { type ChatRequest, LAST_MESSAGES, MAX_QUESTION, type Turn } from '#shared/assistant/chat.ts'
import { AppError } from '#shared/errors.ts'
import { withoutControls } from './composing/markdown.ts'

export interface ConversationTurn {
  sender: 'user' | 'assistant'
  content: string
}

/** A question and the messages before it, oldest first. */
export interface Conversation {
  question: string
  history: ConversationTurn[]
}

/**
 * Splits the messages into the last one of the visitor, without control characters and bidirectional controls, and its
 * history. Rejects empty and oversized input.
 */
export function readConversation({ messages, message }: Pick<ChatRequest, 'messages' | 'message'>): Conversation {
  const turns = [...(messages ?? []), ...(message === undefined ? [] : [{ content: message } satisfies Turn])].map(
    turnOf,
  )
  const last = turns.findLastIndex(({ sender, content }) => sender === 'user' && content !== '')
  const question = turns[last]?.content
  if (!question) throw new AppError(400, 'no_messages', 'No messages provided')
  if ([...question].length > MAX_QUESTION)
    throw new AppError(422, 'question_too_long', TOO_LONG, { fields: { message: TOO_LONG } })
  const before = turns.slice(Math.max(0, last + 1 - LAST_MESSAGES), last)
  return { question, history: before.filter(({ content }) => content !== '') }
}

const TOO_LONG = `Please use at most ${MAX_QUESTION} characters for your question.`

const turnOf = ({ role, sender, content }: Turn): ConversationTurn => ({
  sender: sender ?? role ?? 'user',
  content: withoutControls(content).trim(),
})
