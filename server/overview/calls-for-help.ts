import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { type CallForHelp, MAX_CALLS_SHOWN } from '#shared/overview/endpoints.ts'

const MAX_TEXT_LENGTH = 200

type Row = Omit<CallForHelp, 'since' | 'last_at'> & {
  since: Date
  last_at: Date | null
  total: number
  unowned: number
}

/**
 * Everyone waiting for help within the caller's scope, from roll calls and cases, as policies permit. Those without an
 * owner first; then reachable users, unknown callers and unclear texts; then by waiting time.
 */
export async function findCallsForHelp(db: Db, me: string) {
  const { rows } = await sql<Row>`
    with waiting as materialized (
      select case when p.answer = 'need_help' and p.helped_at is null then 'roll_call' else 'unclear' end as kind,
        p.roll_call_id as id, p.user_id, r.title as about,
        case when p.answer = 'need_help' and p.helped_at is null then p.answered_at else p.unclear_at end as since,
        case when p.answer = 'need_help' and p.helped_at is null then p.accepted_at is not null else false end as is_owned,
        case when p.answer = 'need_help' and p.helped_at is null then 1 else 5 end as tier
      from roll_call_in_scope p join roll_calls r on r.id = p.roll_call_id
      where ((p.answer = 'need_help' and p.helped_at is null) or p.unclear_at is not null)
        and (p.answer = 'need_help' and p.helped_at is null or r.ended_at is null)
      union all
      -- In a flood even numbers may be made up: members come before them, also when it is over. Among unknown people that
      -- were taken together one may have left a number: then they stand with those that can be reached.
      select 'case', c.id, c.user_id, c.reference, c.created_at, c.status = 'taken',
        case when c.rank = 2 and f.country_code is null then 1
          when c.is_group and exists (select from assistant_case_entries e
            where e.case_id = c.id and e.split_to is null and e.safe_phone is not null) then 2
          else c.rank end
      from assistant_cases c
      left join case_bursts f on f.country_code = coalesce(c.country_code, '') and (f.ended_at is null
        or c.created_at between f.started_at - interval '1 hour' and f.ended_at)
      where c.kind <> 'hand_over' and c.status <> 'closed' and portal_takes_cases(c.country_code, c.chapter_id)),
    ranked as (
      select w.*, (count(*) over ())::int as total, (count(*) filter (where not is_owned) over ())::int as unowned,
        row_number() over (order by is_owned, tier, since, id, user_id) as place
      from waiting w),
    shown as (select * from ranked where place <= ${MAX_CALLS_SHOWN})
    select s.kind, s.id, s.user_id, s.about, s.since, s.total, s.unowned, s.place,
      l.name, l.country_code, case when s.is_owned then l.helper_name end as owner_name,
      case when not s.is_owned and s.kind = 'roll_call' then l.helper_name end as asked_name,
      coalesce(s.kind = 'roll_call' and l.helper_id = ${me}, false) as is_mine,
      left(coalesce((select i.body from roll_call_texts t join inbound_texts i on i.id = t.text_id
        where t.roll_call_id = s.id and t.user_id = s.user_id order by i.arrival desc limit 1), l.note), ${MAX_TEXT_LENGTH}) as words,
      null::int as messages, null::timestamptz as last_at
    from shown s cross join lateral roll_call_line(s.id, s.user_id) l where s.kind <> 'case'
    union all
    select s.kind, s.id, s.user_id, s.about, s.since, s.total, s.unowned, s.place,
      c.name, c.country_code, case when s.is_owned then coalesce(assistant_case_taker(c.id), '') end, null,
      coalesce(c.taken_by = ${me}, false),
      case when c.channel <> 'portal' then left(regexp_replace(c.original_text, '^— ', ''), ${MAX_TEXT_LENGTH}) end,
      case when c.is_group then c.entry_count end, c.last_entry_at
    from shown s join assistant_cases c on c.id = s.id where s.kind = 'case'
    order by place`.execute(db)
  return {
    calls: rows.map(({ since, total: _, unowned: __, ...row }) => ({
      kind: row.kind,
      id: row.id,
      user_id: row.user_id,
      name: row.name,
      about: row.about,
      country_code: row.country_code,
      words: row.words || null,
      since: since.toISOString(),
      owner_name: row.owner_name,
      asked_name: row.asked_name,
      is_mine: row.is_mine,
      messages: row.messages,
      last_at: row.last_at?.toISOString() ?? null,
    })),
    floods: await findBursts(db),
    total: rows[0]?.total ?? 0,
    unowned: rows[0]?.unowned ?? 0,
  }
}

async function findBursts(db: Db) {
  const rows = await db
    .selectFrom('case_bursts')
    .select(['country_code', 'started_at', 'count'])
    .where('ended_at', 'is', null)
    .orderBy('count', 'desc')
    .execute()
  return rows.map(({ country_code, started_at, count }) => ({
    country_code: country_code || null,
    since: started_at.toISOString(),
    count,
  }))
}
