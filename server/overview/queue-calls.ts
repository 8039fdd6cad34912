import { sql } from 'kysely'
import { WAIT_MINUTES } from '#server/assistant/cases/escalation.ts'
import type { Db } from '#server/db/connection.ts'
import type { CallKind } from '#shared/overview/queue.ts'
import { OWNED_RANK, type RankedRow, TAKE_RANK, taskRank } from './queue-rank.ts'

const MAX_TEXT_LENGTH = 200

export interface CallFilter {
  owner?: 'mine' | 'none' | undefined
  country?: string | undefined
}

/** One call in the order of the queue; its names are read for the shown rows only. */
export interface CallKey {
  kind: CallKind
  id: string
  user_id: string | null
  rank: number
  since: string
  is_owned: boolean
  is_mine: boolean
  is_danger: boolean
  is_late: boolean
}

interface Calls {
  counts: { all: number; mine: number; unowned: number }
  countries: { country_code: string | null; count: number; is_danger: boolean }[]
  keys: CallKey[]
}

const NEEDS_HELP = sql`coalesce(p.answer = 'need_help' and p.helped_at is null, false)`
/**
 * The rule of portal_takes_cases, which the policies apply too. Written out, its sub-selects run once for the statement,
 * and rows outside of the scope are left out before the policies are asked about each of them.
 */
const TAKES_CASES = sql`((select portal_role() = 'admin')
  or (select portal_role() = 'mfa_coordinator' and portal_scope_countries() is null and portal_scope_chapters() is null)
  or ((select portal_role() in ('mfa_coordinator', 'local_servant')) and (
    c.country_code = any((select portal_scope_countries())::text[])
    or c.chapter_id = any((select portal_scope_chapters())::uuid[])
    or c.chapter_id = any((select array(select portal_led_chapters()))::uuid[]))))`
const isLate = (since: string, minutes: string, now: Date) =>
  sql`${sql.raw(since)} <= ${now}::timestamptz - make_interval(mins => ${sql.raw(minutes)})`

/**
 * Everyone waiting for help within the caller's scope, from roll calls and cases, as policies permit: their counts, and
 * the first `limit` of the chosen ones in order.
 */
export async function findCalls(
  db: Db,
  { me, now, filter, limit }: { me: string; now: Date; filter: CallFilter; limit: number },
): Promise<Calls> {
  const { rows } = await sql<Calls>`
    with found as (
      select case when ${NEEDS_HELP} then 'help' else 'unclear' end as kind, p.roll_call_id as id, p.user_id,
        p.country_code::text as country_code, coalesce(p.helper_id = ${me}, false) as is_mine,
        case when ${NEEDS_HELP} then p.answered_at else p.unclear_at end as since,
        case when ${NEEDS_HELP} then p.accepted_at is not null else false end as is_owned,
        ${NEEDS_HELP} as is_danger, r.escalate_after_minutes as minutes,
        case when ${NEEDS_HELP} then 1 else 5 end as tier
      from roll_call_in_scope p join roll_calls r on r.id = p.roll_call_id
      where (${NEEDS_HELP} or p.unclear_at is not null) and (${NEEDS_HELP} or r.ended_at is null)
      union all
      -- In a flood even numbers may be made up: members come before them, also when it is over. Among unknown people that
      -- were taken together one may have left a number: then they stand with those that can be reached.
      select case c.kind when 'hand_over' then 'hand_over' else 'case' end, c.id, c.user_id, c.country_code,
        coalesce(c.taken_by = ${me}, false), c.created_at, c.status = 'taken', c.kind = 'danger',
        case c.kind when 'hand_over' then ${WAIT_MINUTES.other}::int else ${WAIT_MINUTES.urgent}::int end,
        case when c.rank = 2 and f.country_code is null then 1
          when c.is_group and exists (select from assistant_case_entries e
            where e.case_id = c.id and e.split_to is null and e.safe_phone is not null) then 2
          else c.rank end
      from assistant_cases c
      left join case_bursts f on f.country_code = coalesce(c.country_code, '') and (f.ended_at is null
        or c.created_at between f.started_at - interval '1 hour' and f.ended_at)
      where c.status <> 'closed' and ${TAKES_CASES}),
    waiting as materialized (
      select kind, id, user_id, country_code, is_mine, since, is_owned, is_danger,
        not is_owned and ${isLate('since', 'minutes', now)} as is_late,
        case when kind = 'hand_over' then case when is_owned then ${taskRank(false)}::int
            when ${isLate('since', 'minutes', now)} then ${taskRank(true)}::int else ${taskRank(false)}::int end
          when is_owned then ${OWNED_RANK}::int + tier else ${TAKE_RANK}::int + tier end as rank
      from found),
    of_country as materialized (select * from waiting where ${inCountry(filter.country)})
    select
      (select jsonb_build_object('all', count(*), 'mine', count(*) filter (where is_mine),
        'unowned', count(*) filter (where not is_owned)) from of_country) as counts,
      (select coalesce(jsonb_agg(to_jsonb(n) order by n.count desc, n.country_code), '[]') from (
        select country_code, count(*)::int as count, bool_or(is_danger) as is_danger from waiting group by 1) n) as countries,
      (select coalesce(jsonb_agg(to_jsonb(k) - 'country_code' order by k.rank, k.since, k.id, k.user_id), '[]') from (
        select * from of_country where ${ofOwner(filter.owner)} order by rank, since, id, user_id limit ${limit}) k) as keys`.execute(
    db,
  )
  return rows[0]!
}

const inCountry = (country: string | undefined) =>
  country === undefined
    ? sql`true`
    : country === 'none'
      ? sql`country_code is null`
      : sql`country_code = ${country}::text`

const ofOwner = (owner: CallFilter['owner']) =>
  owner === 'mine' ? sql`is_mine` : owner === 'none' ? sql`not is_owned` : sql`true`

interface Details {
  place: number
  name: string | null
  about: string
  country_code: string | null
  owner_name: string | null
  requested_name: string | null
  words: string | null
  messages: number | null
  last_at: Date | null
}

/** The shown calls with names and the start of their words, as policies permit. One that was closed since is left out. */
export async function describeCalls(db: Db, keys: readonly CallKey[], me: string): Promise<RankedRow[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<Details>`
    with shown as (select * from jsonb_to_recordset(${JSON.stringify(keys.map((key, place) => ({ ...key, place })))}::jsonb)
      as s (place int, kind text, id uuid, user_id uuid, is_owned boolean))
    select s.place, l.name, r.title as about, l.country_code, case when s.is_owned then coalesce(l.helper_name, '') end as owner_name,
      case when not s.is_owned and s.kind = 'help' then l.helper_name end as requested_name,
      left(coalesce((select i.body from roll_call_texts t join inbound_texts i on i.id = t.text_id
        where t.roll_call_id = s.id and t.user_id = s.user_id order by i.arrival desc limit 1), l.note), ${MAX_TEXT_LENGTH}) as words,
      null::int as messages, null::timestamptz as last_at
    from shown s join roll_calls r on r.id = s.id cross join lateral roll_call_line(s.id, s.user_id) l
    where s.kind in ('help', 'unclear')
    union all
    select s.place, c.name, c.reference, c.country_code,
      case when s.is_owned then coalesce(assistant_case_taker(c.id), '') end, null,
      case when c.channel <> 'portal' then left(regexp_replace(c.original_text, '^— ', ''), ${MAX_TEXT_LENGTH}) end,
      case when c.is_group then c.entry_count end, c.last_entry_at
    from shown s join assistant_cases c on c.id = s.id where s.kind in ('case', 'hand_over')`.execute(db)
  return rows.map(({ place, messages, last_at, words, ...details }) => {
    const { is_owned, ...key } = keys[place]!
    return {
      ...key,
      ...details,
      cause: null,
      count: messages ?? 1,
      figures: (messages === null ? {} : { messages }) as Record<string, number>,
      time_zone: null,
      words: words || null,
      since: new Date(key.since).toISOString(),
      last_at: last_at?.toISOString() ?? null,
      may_take: !is_owned && key.kind !== 'unclear' && key.user_id !== me,
    }
  })
}
