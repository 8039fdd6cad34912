import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { AnswerMetadata } from '#shared/assistant/answer.ts'
import type { ConversationSummary, StoredMessage } from '#shared/assistant/conversations.ts'
import { MAX_CONVERSATIONS, MAX_RESULTS } from '#shared/assistant/limits.ts'
import { conversationNotFound } from './store.ts'

const LAST_MESSAGE = 100

function summaries(db: Db, userId: string) {
  return db
    .selectFrom('ai_conversations as c')
    .select(['c.id', 'c.title', 'c.last_activity', 'c.user_id', 'c.status', 'c.language'])
    .select(({ selectFrom }) => [
      selectFrom('chat_messages as m')
        .select(sql<string>`left(m.content, ${LAST_MESSAGE})`.as('words'))
        .whereRef('m.conversation_id', '=', 'c.id')
        .orderBy('m.message_order', 'desc')
        .limit(1)
        .as('last_message'),
      selectFrom('chat_messages as m')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('m.conversation_id', '=', 'c.id')
        .as('message_count'),
    ])
    .where('c.user_id', '=', userId)
    .where('c.deleted_at', 'is', null)
}

type Row = Awaited<ReturnType<ReturnType<typeof summaries>['execute']>>[number]

const shown = (row: Row): ConversationSummary => ({
  id: row.id,
  title: row.title,
  lastMessage: row.last_message ?? '',
  lastActivity: row.last_activity.toISOString(),
  messageCount: Number(row.message_count),
  userId: row.user_id,
  // Deleted conversations are filtered out by the query.
  status: row.status as ConversationSummary['status'],
  language: row.language,
  isSessionOnly: false,
})

/** The user's conversations, latest first: 50, or with a search 20 that match in their title or a message. */
export async function findConversations(db: Db, userId: string, search: string | undefined) {
  const pattern = `%${escapeLike((search ?? '').toLowerCase())}%`
  const rows = await summaries(db, userId)
    .$if(Boolean(search), (q) =>
      q.where((where) =>
        where.or([
          sql<boolean>`lower(c.title) like ${pattern}`,
          where.exists(
            where
              .selectFrom('chat_messages as m')
              .select('m.id')
              .whereRef('m.conversation_id', '=', 'c.id')
              .where(sql<boolean>`lower(m.content) like ${pattern}`),
          ),
        ]),
      ),
    )
    .orderBy('c.last_activity', 'desc')
    .orderBy('c.id')
    .limit(search ? MAX_RESULTS : MAX_CONVERSATIONS)
    .execute()
  return rows.map(shown)
}

export async function findConversation(db: Db, userId: string, id: string): Promise<ConversationSummary> {
  const row = await summaries(db, userId).where('c.id', '=', id).executeTakeFirst()
  if (!row) throw conversationNotFound()
  return shown(row)
}

/** Messages returned of a conversation; a longer one is cut to its end. */
const MAX_MESSAGES = 500

export async function findMessages(db: Db, userId: string, id: string): Promise<StoredMessage[]> {
  await findConversation(db, userId, id)
  const rows = await db
    .selectFrom('chat_messages')
    .selectAll()
    .where('conversation_id', '=', id)
    .orderBy('message_order', 'desc')
    .limit(MAX_MESSAGES)
    .execute()
  return rows.reverse().map(shownMessage)
}

export function shownMessage(row: {
  id: string
  conversation_id: string
  sender_type: 'user' | 'assistant'
  content: string
  message_order: number
  tokens_used: number | null
  model_used: string | null
  processing_time_ms: number | null
  metadata: Record<string, unknown>
  created_at: Date
  format: 'text' | 'markdown'
  reply_to: string | null
}): StoredMessage {
  const { metadata, created_at, ...message } = row
  return {
    ...message,
    // Written from an answer, or empty.
    metadata: 'status' in metadata ? (metadata as Pick<AnswerMetadata, keyof AnswerMetadata>) : null,
    created_at: created_at.toISOString(),
  }
}
