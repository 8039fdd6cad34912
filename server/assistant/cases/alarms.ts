import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { AlarmClass } from '#server/db/tables-assistant.ts'
import { caseLimits } from './limits.ts'

/** Alarms that one coordinator gets at once in an interval; the rest come together at its end. */
const MAX_AT_ONCE: Record<AlarmClass, number> = { known: 30, numbered: 10, anonymous: 1, hand_over: 1 }

interface Alarm {
  caseId: string
  country: string | null
  class: AlarmClass
  /** New messages; 0 where an earlier one is brought before more people. */
  count: number
}

/**
 * Decides who of `ids` hears of a message at once, and puts it into the digest of the others. In the transaction `db` of
 * the service.
 */
export async function takeAlarms(db: Db, ids: readonly string[], alarm: Alarm, now: Date): Promise<string[]> {
  if (ids.length === 0) return []
  const { digestMinutes } = await caseLimits(db)
  const interval = sql`make_interval(mins => ${digestMinutes})`
  // Until its digest was sent an interval goes on, so that one ends and the next does not begin with two alarms.
  const isOver = sql`(a.interval_start <= ${now}::timestamptz - ${interval} and (not exists (
    select from case_digests d where d.user_id = a.user_id) or a.interval_start <= ${now}::timestamptz - 2 * ${interval}))`
  // In the order of the ids: two cases at once lock the rows in the same order.
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
