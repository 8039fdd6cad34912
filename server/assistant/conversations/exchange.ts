import { randomUUID } from 'node:crypto'
import { withClaims } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { claimsOf } from '#server/http/router.ts'
import type { Session } from '#server/http/session.ts'
import type { Answer } from '#shared/assistant/answer.ts'
import { addMessages, beginConversation } from './store.ts'

/**
 * Saves a question and its answer in a conversation of the signed-in user, a new one if none is named. Signs of danger
 * are not saved, since anyone who picks up the phone could read them in the list. Returns the conversation id.
 */
export async function saveExchange(
  database: Database,
  exchange: {
    session: Session
    userId: string
    conversationId: string | null
    question: string
    answer: Answer
    now: Date
  },
): Promise<string | null> {
  const { session, userId, conversationId, question, answer, now } = exchange
  const { metadata } = answer
  if (metadata.danger) return conversationId
  return withClaims(database, claimsOf(session), async (db) => {
    const id = conversationId ?? (await beginConversation(db, userId, { language: metadata.language }))
    const userMessage = { id: randomUUID(), sender_type: 'user' as const, content: question }
    const answered = {
      sender_type: 'assistant' as const,
      reply_to: userMessage.id,
      content: answer.content,
      format: answer.format,
      tokens_used: metadata.tokens_used,
      model_used: metadata.model_used,
      processing_time_ms: metadata.processing_time_ms,
      metadata: { ...metadata, conversation_id: id },
    }
    await addMessages(db, userId, id, [userMessage, answered], now)
    return id
  })
}
