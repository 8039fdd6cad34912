import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { createSettings } from '#server/settings/settings.ts'
import { forgetConversations } from './conversations/store.ts'

/** Closed cases, including their texts and callback numbers, are deleted after this many days. */
const CASE_RETENTION_DAYS = 180

/**
 * Purges data older than the administrators' setting (`assistant.retention_days`): conversations, questions and their
 * ratings; and cases closed long ago.
 */
export async function pruneAssistant(
  { database, log }: { database: Database; log: Log },
  now = new Date(),
): Promise<void> {
  await inBackground(database, 'assistant', async (db) => {
    const before = (days: number) => new Date(now.valueOf() - days * 86_400_000)
    const settings = createSettings(log)
    await settings.cachedTable.load(db, null)
    const cutoff = before(settings.get('assistant.retention_days'))
    await forgetConversations(db, { before: cutoff }, now)
    await db.deleteFrom('assistant_questions').where('asked_at', '<', cutoff).execute()
    const over = await db
      .deleteFrom('assistant_cases')
      .where('status', '=', 'closed')
      .where('closed_at', '<', before(CASE_RETENTION_DAYS))
      .returning('id')
      .execute()
    await forgetAnnouncements(
      db,
      over.map(({ id }) => id),
    )
    await db.deleteFrom('assistant_spending').where('day', '<', cutoff.toISOString().slice(0, 10)).execute()
  })
}

/** Deletes all assistant data of a user, including handed-over cases, since there is no user left to help. */
export async function forgetInAssistant(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('inbound_texts')
    .where('case_id', 'in', db.selectFrom('assistant_cases').select('id').where('user_id', '=', userId))
    .execute()
  const cases = await db.deleteFrom('assistant_cases').where('user_id', '=', userId).returning('id').execute()
  await forgetAnnouncements(
    db,
    cases.map(({ id }) => id),
  )
  await db.deleteFrom('ai_conversations').where('user_id', '=', userId).execute()
  await db.deleteFrom('ai_user_preferences').where('user_id', '=', userId).execute()
}

async function forgetAnnouncements(db: Db, cases: readonly string[]): Promise<void> {
  if (cases.length === 0) return
  await db
    .deleteFrom('announcements')
    .where(
      sql<boolean>`announcement_key ~ '^assistant-case(-text)? ' and split_part(announcement_key, ' ', 2) = any(${cases})`,
    )
    .execute()
}
