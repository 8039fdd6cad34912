import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { AnswerMetadata } from '#shared/assistant/answer.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { titleOf, UNTITLED } from '#shared/assistant/limits.ts'
import { AppError } from '#shared/errors.ts'

interface NewConversation {
  id?: string | undefined
  title?: string | undefined
  language?: AssistantLanguage | undefined
}

interface NewMessage {
  id?: string | undefined
  sender_type: 'user' | 'assistant'
  content: string
  format?: 'text' | 'markdown'
  reply_to?: string | null
  created_at?: Date
  tokens_used?: number | null
  model_used?: string | null
  processing_time_ms?: number | null
  metadata?: AnswerMetadata | null
}

const NOT_FOUND = () => new AppError(404, 'conversation_not_found', 'Conversation not found')

/**
 * Starts a conversation of the user, or finds the one with this id. 410 if it was deleted, so that a browser copy
 * cannot restore it (F-20); 404 if it belongs to another user or does not exist.
 */
export async function beginConversation(db: Db, userId: string, input: NewConversation): Promise<string> {
  const { id, title, language } = input
  if (id) {
    const known = await db
      .selectFrom('ai_conversations')
      .select('deleted_at')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (known?.deleted_at) throw new AppError(410, 'conversation_deleted', 'This conversation was deleted.')
    if (known) return id
  }
  // A failed insert aborts the transaction without a savepoint; this is its first write.
  const begun = await db
    .insertInto('ai_conversations')
    .values({ ...(id ? { id } : {}), user_id: userId, metadata: '{}', session_id: null, ...only({ title, language }) })
    .onConflict((c) => c.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
    .catch((error: { code?: string }) => {
      if (error.code !== '23503') throw error
      throw new AppError(404, 'no_profile', 'User profile not found. Please ensure your profile is properly set up.')
    })
  if (!begun) throw NOT_FOUND()
  return begun.id
}

/**
 * Appends messages to the user's conversation, in order even with concurrent writes. An untitled conversation is named
 * after the user's first message. Returns the ids; 404 if there is no such conversation.
 */
export async function addMessages(db: Db, userId: string, conversationId: string, messages: NewMessage[], now: Date) {
  const conversation = await lockConversation(db, userId, conversationId)
  if (messages.length === 0) return []
  const { last } = await db
    .selectFrom('chat_messages')
    .select(sql<number>`coalesce(max(message_order), -1)`.as('last'))
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow()
  const added = await db
    .insertInto('chat_messages')
    .values(
      messages.map((message, at) => ({
        ...only({ id: message.id }),
        conversation_id: conversationId,
        sender_type: message.sender_type,
        content: message.content,
        message_order: last + 1 + at,
        format: message.format ?? 'text',
        reply_to: message.reply_to ?? null,
        created_at: message.created_at ?? now,
        tokens_used: message.tokens_used ?? null,
        model_used: message.model_used ?? null,
        processing_time_ms: message.processing_time_ms ?? null,
        metadata: JSON.stringify(message.metadata ?? {}),
      })),
    )
    .returningAll()
    .execute()
  const firstText = messages.find(({ sender_type }) => sender_type === 'user')?.content
  const isUntitled = (UNTITLED as readonly string[]).includes(conversation.title)
  await db
    .updateTable('ai_conversations')
    .set({ last_activity: now, ...(isUntitled && firstText ? { title: titleOf(firstText) } : {}) })
    .where('id', '=', conversationId)
    .execute()
  return added.sort((a, b) => a.message_order - b.message_order)
}

/** The user's conversation, unless deleted; locked until the transaction ends. */
export async function lockConversation(db: Db, userId: string, id: string) {
  const row = await db
    .selectFrom('ai_conversations')
    .select(['id', 'title', 'language', 'status'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw NOT_FOUND()
  return row
}

/** Purges the content of conversations and leaves a tombstone. Returns the number purged. */
export async function forgetConversations(db: Db, of: { userId: string; id?: string } | { before: Date }, now: Date) {
  const chosen = await db
    .updateTable('ai_conversations')
    .set({ status: 'deleted', deleted_at: now, title: UNTITLED[0], session_id: null, metadata: '{}' })
    .where('deleted_at', 'is', null)
    .$if('userId' in of, (q) => q.where('user_id', '=', (of as { userId: string }).userId))
    .$if('id' in of, (q) => q.where('id', '=', (of as { id: string }).id))
    .$if('before' in of, (q) => q.where('last_activity', '<', (of as { before: Date }).before))
    .returning('id')
    .execute()
  const ids = chosen.map(({ id }) => id)
  if (ids.length > 0) {
    await db.deleteFrom('chat_messages').where('conversation_id', 'in', ids).execute()
    await db.deleteFrom('ai_process_states').where('conversation_id', 'in', ids).execute()
  }
  return ids.length
}

export const conversationNotFound = NOT_FOUND

/** Drops undefined values, so that missing columns take their defaults. */
function only<T extends object>(values: T) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
