import { sql } from 'kysely'
import { inBackground } from '../db/claims.ts'
import type { Database } from '../db/connection.ts'
import type { Queue, WorkSettings } from '../jobs/queue.ts'
import { SEND_JOB } from './outgoing.ts'
import { type SendingParts, sendWaiting } from './sending.ts'

const KEPT_DAYS = 30

/** One job comes with every message; any of them sends all that waits, and the next minute's look is another try. */
const SETTINGS: WorkSettings = { retryLimit: 0, pollSeconds: 1, batch: 100, keepSeconds: 3_600 }

/** Lets this node put messages on their way, and send them where it runs jobs. */
export async function startSending(queue: Queue, parts: Omit<SendingParts, 'signal'>, runsJobs: boolean) {
  if (!runsJobs) return queue.define(SEND_JOB, SETTINGS)
  if (parts.database.engine === 'pglite') await takeUpAgain(parts.database)
  await queue.work(SEND_JOB, async (_, signal) => void (await sendWaiting({ ...parts, signal })), SETTINGS)
}

/** The embedded database is held by this process alone: what is being sent in it was in the hands of one that died. */
async function takeUpAgain(database: Database): Promise<void> {
  await inBackground(database, 'messages', (db) =>
    db.updateTable('messages').set({ not_before: sql<Date>`now()` }).where('status', '=', 'sending').execute(),
  )
}

/**
 * Forgets finished messages after a month; what signs somebody in, and failed or was recorded, after a day. How many an
 * announcement reached is kept with it, and what a person has in the portal is never touched.
 */
export async function pruneMessages(database: Database): Promise<void> {
  await inBackground(database, 'messages', async (db) => {
    const finished = ['sent', 'delivered', 'failed', 'dropped', 'cancelled', 'recorded'] as const
    await sql`
      with gone as (
        delete from messages where status = any(${finished}::text[])
          and created_at < now() - make_interval(days => ${KEPT_DAYS})
        returning announcement_id, channel, status
      )
      insert into announcement_figures (announcement_id, channel, status, messages)
      select announcement_id, channel, status, count(*) from gone where announcement_id is not null group by 1, 2, 3
      on conflict (announcement_id, channel, status)
        do update set messages = announcement_figures.messages + excluded.messages`.execute(db)
    await db
      .updateTable('messages')
      .set({ body_text: '', body_html: null })
      .where('is_secret', '=', true)
      .where('body_text', '<>', '')
      .where('status', 'in', finished)
      .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
      .execute()
  })
}
