import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { askNextHelper } from './help-requests.ts'

/** Once every helper has been asked, administrators are reminded at this interval. */
const AGAIN_MINUTES = 60
const AT_ONCE = 500

/**
 * Passes requests for help that nobody has accepted in time to the next helper. One transaction each; safe to run in
 * several places at once. Returns how many requests were passed on.
 */
export async function escalateHelp(database: Database, now = new Date()): Promise<number> {
  const due = await inBackground(database, 'roll-calls', (db) => dueOf(db, now).limit(AT_ONCE).execute())
  let count = 0
  for (const { roll_call_id, user_id } of due)
    count += await inBackground(database, 'roll-calls', async (db) => {
      const recipient = await dueOf(db, now)
        .where('p.roll_call_id', '=', roll_call_id)
        .where('p.user_id', '=', user_id)
        .forUpdate('p')
        .skipLocked()
        .executeTakeFirst()
      if (!recipient) return 0
      const { title, escalate_after_minutes, ...row } = recipient
      const helpers = await askNextHelper(db, { id: roll_call_id, title, escalate_after_minutes }, row, now)
      return helpers.length > 0 ? 1 : 0
    })
  return count
}

/** Requests for help are escalated until someone accepts, even after the roll call is closed. */
const dueOf = (db: Db, now: Date) =>
  db
    .selectFrom('roll_call_recipients as p')
    .innerJoin('roll_calls as r', 'r.id', 'p.roll_call_id')
    .selectAll('p')
    .select(['r.title', 'r.escalate_after_minutes'])
    .where('p.answer', '=', 'need_help')
    .where('p.accepted_at', 'is', null)
    .where('p.helped_at', 'is', null)
    .where(
      sql<boolean>`(p.helper_id is null or p.assigned_at <= ${now}::timestamptz - make_interval(mins =>
        case when p.escalations > 0 and exists (select from user_profiles h where h.id = p.helper_id and h.role = 'admin')
          then greatest(r.escalate_after_minutes, ${AGAIN_MINUTES}) else r.escalate_after_minutes end))`,
    )
    .orderBy('p.assigned_at', (order) => order.asc().nullsFirst())
