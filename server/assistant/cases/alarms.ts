import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { AlarmClass } from '#server/db/tables-assistant.ts'
import { caseLimits } from './limits.ts'

/** Immediate alarms per coordinator and interval. Further ones are sent as a digest at the end of the interval. */
const MAX_AT_ONCE: Record<AlarmClass, number> = { known: 30, numbered: 10, anonymous: 1, hand_over: 1 }

interface Alarm {
  caseId: string
  country: string | null
  class: AlarmClass
  /** New messages; 0 if an earlier one is escalated. */
  count: number
}

/**
 * Decides which of `ids` are notified at once, and adds the message to the digest of the others. Runs in the
 * transaction `db` of the service.
 */
export async function takeAlarms(db: Db, ids: readonly string[], alarm: Alarm, now: Date): Promise<string[]> {
  if (ids.length === 0) return []
  const { digestMinutes } = await caseLimits(db)
  const interval = sql`make_interval(mins => ${digestMinutes})`
  // An interval lasts until its digest is sent, so that the end of one and the start of the next do not cause two
  // alarms.
  const isOver = sql`(a.interval_start <= ${now}::timestamptz - ${interval} and (not exists (
    select from case_digests d where d.user_id = a.user_id) or a.interval_start <= ${now}::timestamptz - 2 * ${interval}))`
  // Locks rows in id order to avoid deadlocks between concurrent cases.
  const { rows } = await sql<{ user_id: string; sent: number }>`
    insert into case_alarms as a (user_id, class, interval_start, sent)
    select id, ${alarm.class}, ${now}::timestamptz, 1 from unnest(${[...ids]}::uuid[]) as id order by id
    on conflict (user_id, class) do update set
      interval_start = case when ${isOver} then excluded.interval_start else a.interval_start end,
      sent = case when ${isOver} then 1 else a.sent + 1 end
    returning user_id, sent`.execute(db)
  const max = MAX_AT_ONCE[alarm.class]
  const later = rows.filter(({ sent }) => sent > max).map(({ user_id }) => user_id)
  if (later.length > 0)
    await sql`
      insert into case_digests as d (user_id, country_code, count, newest_case, newest_at, due_at)
      select a.user_id, ${alarm.country ?? ''}, greatest(1, ${alarm.count}::int), ${alarm.caseId}::uuid, ${now}::timestamptz,
        a.interval_start + ${interval}
      from case_alarms a where a.class = ${alarm.class} and a.user_id = any(${later}::uuid[]) order by a.user_id
      on conflict (user_id, country_code) do update set
        count = d.count + ${alarm.count}::int, newest_case = excluded.newest_case, newest_at = excluded.newest_at,
        due_at = least(d.due_at, excluded.due_at)`.execute(db)
  return rows.filter(({ sent }) => sent <= max).map(({ user_id }) => user_id)
}
