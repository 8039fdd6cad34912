import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { pruneUnmatchedEvents } from './delivery-events.ts'

const RETENTION_DAYS = 30

/**
 * Deletes finished messages after a month, and failed or recorded secret messages after a day. The announcement keeps
 * its recipient counts; the inbox is never touched.
 */
export async function pruneMessages(database: Database): Promise<void> {
  await inBackground(database, 'messages', async (db) => {
    const terminalStatuses = ['sent', 'delivered', 'failed', 'dropped', 'cancelled', 'recorded'] as const
    await sql`
      with gone as (
        delete from messages where status = any(${terminalStatuses}::text[])
          and created_at < now() - make_interval(days => ${RETENTION_DAYS})
        returning announcement_id, channel, status
      )
      insert into announcement_stats (announcement_id, channel, status, messages)
      select announcement_id, channel, status, count(*) from gone where announcement_id is not null group by 1, 2, 3
      on conflict (announcement_id, channel, status)
        do update set messages = announcement_stats.messages + excluded.messages`.execute(db)
    await db
      .updateTable('messages')
      .set({ body_text: '', body_html: null })
      .where('is_secret', '=', true)
      .where('body_text', '<>', '')
      .where('status', 'in', terminalStatuses)
      .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
      .execute()
  })
  await pruneUnmatchedEvents(database)
}
