import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { SignedIn } from '#server/http/session.ts'
import { firstOf } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import type { RecipientFilter } from '#shared/roll-calls/answers.ts'
import {
  type Counts,
  type ListedRecipient,
  RECIPIENTS_PER_PAGE,
  type RecipientQuery,
  ROLL_CALLS_PER_PAGE,
  type RollCall,
} from '#shared/roll-calls/endpoints.ts'

/**
 * Roll calls within the caller's scope, and those with a recipient the caller is responsible for; not those that merely
 * ask the caller.
 */
export const IN_SCOPE = sql<boolean>`(portal_may_call(r.country_codes, r.chapter_id)
  or exists (select from roll_call_in_scope p where p.roll_call_id = r.id))`

const COUNTED = sql<Counts>`jsonb_build_object(
  'asked', count(*),
  'safe', count(*) filter (where answer = 'safe' and unclear_at is null),
  'need_help', count(*) filter (where answer = 'need_help' and helped_at is null),
  'waiting', count(*) filter (where answer = 'need_help' and helped_at is null and accepted_at is null),
  'helped', count(*) filter (where answer = 'need_help' and helped_at is not null and unclear_at is null),
  'not_there', count(*) filter (where answer = 'not_there' and unclear_at is null),
  'unclear', count(*) filter (where unclear_at is not null),
  'silent', count(*) filter (where answer is null and unclear_at is null))`

const rollCallQuery = (db: Db) =>
  db
    .selectFrom('roll_calls as r')
    .leftJoin('travel_advisories as a', 'a.id', 'r.advisory_id')
    .leftJoinLateral(sql<Names>`roll_call_names(r.id)`.as('n'), (join) => join.onTrue())
    .select(['r.id', 'r.title', 'r.message', 'r.advisory_id', 'a.title as advisory_title', 'r.country_codes'])
    .select(['r.chapter_id', 'n.chapter_name', 'n.started_by_name', 'r.started_at', 'r.ended_at'])
    .select(['r.escalate_after_minutes', sql<number>`cardinality(r.reminder_ids)`.as('reminders')])
    .select(sql<boolean>`portal_may_call(r.country_codes, r.chapter_id)`.as('may_change'))
    .where(IN_SCOPE)

interface Names {
  chapter_name: string | null
  started_by_name: string | null
}
type Row = Omit<RollCall, 'started_at' | 'ended_at'> & { started_at: Date; ended_at: Date | null }
const rollCallOf = <R extends Row>(row: R) => ({
  ...row,
  started_at: row.started_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
})

export async function findMine(db: Db, id: string): Promise<RollCall> {
  const row = await rollCallQuery(db).where('r.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError(404, 'no_roll_call', 'Roll call not found.')
  return rollCallOf(row)
}

/** Counts only recipients the caller is responsible for. */
const countsOf = sql<Counts>`(select ${COUNTED} from roll_call_in_scope p where p.roll_call_id = r.id)`

export async function listMine(db: Db, page: number) {
  const rows = await rollCallQuery(db)
    .select(countsOf.as('counts'))
    .orderBy(sql`r.ended_at is null`, 'desc')
    .orderBy('r.started_at', 'desc')
    .orderBy('r.id')
    .limit(ROLL_CALLS_PER_PAGE)
    .offset((page - 1) * ROLL_CALLS_PER_PAGE)
    .execute()
  const { total } = await db
    .selectFrom('roll_calls as r')
    .select(sql<number>`count(*)::int`.as('total'))
    .where(IN_SCOPE)
    .executeTakeFirstOrThrow()
  return { roll_calls: rows.map(rollCallOf), total, page, per_page: ROLL_CALLS_PER_PAGE }
}

const GROUP = {
  chapter: { key: sql`l.chapter_id::text`, name: sql`l.chapter_name` },
  country: { key: sql`l.country_code`, name: sql`null::text` },
}

/** The recipients with columns of the base table; the same policies apply to both. */
const listed = (id: string) => sql`(select l.*, p.unclear_at, p.opted_out_at
  from roll_call_list(${id}) l join roll_call_recipients p on p.roll_call_id = ${id} and p.user_id = l.user_id) l`

/** Latest texts of a recipient, newest first. */
const MAX_TEXTS = 20
const TEXTS = sql`(select coalesce(jsonb_agg(jsonb_build_object('body', t.body, 'channel', t.channel,
    'media_count', t.media_count, 'received_at', t.received_at) order by t.arrival), '[]')
  from (select i.* from roll_call_texts c join inbound_texts i on i.id = c.text_id
    where c.roll_call_id = l.roll_call_id and c.user_id = l.user_id
    order by i.arrival desc limit ${sql.lit(MAX_TEXTS)}) t) as texts`

/** Counts in total, and by chapter or country if requested. */
export async function countList(db: Db, id: string, group: 'chapter' | 'country' | undefined) {
  const unreached = sql<number>`count(*) filter (where answer is null and unclear_at is null and reached in ('failed', 'recorded'))`
  const { rows: whole } = await sql<{ counts: Counts & { unreached: number } }>`
    select ${COUNTED} || jsonb_build_object('unreached', ${unreached}) as counts from ${listed(id)}`.execute(db)
  if (!group) return { counts: firstOf(whole).counts, groups: [] }
  const { key, name } = GROUP[group]
  const { rows: groups } = await sql<{ key: string | null; name: string | null; counts: Counts }>`
    select ${key} as key, ${name} as name, ${COUNTED} as counts from ${listed(id)} group by 1, 2
    order by count(*) filter (where answer = 'need_help' and helped_at is null and accepted_at is null) desc,
      count(*) filter (where answer = 'need_help' and helped_at is null) desc,
      count(*) filter (where unclear_at is not null) desc, count(*) filter (where answer is null) desc,
      count(*) desc, 1`.execute(db)
  return { counts: firstOf(whole).counts, groups }
}

const FILTER_CONDITIONS: Record<RecipientFilter, RawBuilder<boolean>> = {
  help: sql`(answer = 'need_help' and helped_at is null)`,
  unclear: sql`unclear_at is not null`,
  silent: sql`(answer is null and unclear_at is null)`,
  unreached: sql`(answer is null and unclear_at is null and reached in ('failed', 'recorded'))`,
  safe: sql`(answer = 'safe' and unclear_at is null)`,
  not_there: sql`(answer = 'not_there' and unclear_at is null)`,
  helped: sql`(answer = 'need_help' and helped_at is not null and unclear_at is null)`,
}

/** Order: needs help without a helper, is being helped, sent an unclear text, is silent and was not reached. */
const RANK = sql`case when answer = 'need_help' and helped_at is null then case when accepted_at is null then 0 else 1 end
  when unclear_at is not null then 2
  when answer is null then case when reached in ('failed', 'recorded') then 3 else 4 end
  when answer = 'need_help' then 5 when answer = 'not_there' then 6 else 7 end`

type Listed = Omit<ListedRecipient, (typeof INSTANTS)[number] | 'helper_since' | 'taken_at'> &
  Record<(typeof INSTANTS)[number] | 'assigned_at' | 'accepted_at', Date | null>
const INSTANTS = ['answered_at', 'helped_at', 'unclear_at', 'opted_out_at'] as const

type ListQuery = Pick<(typeof RecipientQuery)['_output'], 'part' | 'group' | 'search' | 'page'>

/** One page of a roll call's recipients. */
export async function listRecipients(
  db: Db,
  id: string,
  query: ListQuery,
): Promise<{ people: ListedRecipient[]; total: number }> {
  const conditions = [
    query.part && FILTER_CONDITIONS[query.part],
    query.search && sql<boolean>`lower(l.name) like ${`%${escapeLike(query.search.toLowerCase())}%`}`,
  ].filter((condition) => condition !== undefined && condition !== '')
  const matching = conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
  const group = query.group ? GROUP[query.group].name : sql`null`
  const sorted = query.group === 'country' ? GROUP.country.key : group
  const { rows } = await sql<Listed & { total: number }>`
    select l.*, ${TEXTS} from (
      select ${id}::uuid as roll_call_id, l.*, (count(*) over ())::int as total,
        row_number() over (order by (${RANK}) > 2, case when (${RANK}) > 2 then ${sorted} end, ${RANK},
          case when answer = 'need_help' then answered_at else unclear_at end, lower(name), user_id) as place
      from ${listed(id)} where ${matching}
      order by place limit ${RECIPIENTS_PER_PAGE} offset ${(query.page - 1) * RECIPIENTS_PER_PAGE}) l
    order by l.place`.execute(db)
  return { people: rows.map(recipientOf), total: rows[0]?.total ?? 0 }
}

/** All of them, for CSV export. */
export async function allRecipients(db: Db, id: string): Promise<ListedRecipient[]> {
  const { rows } = await sql<Listed>`
    select l.*, ${TEXTS} from (select ${id}::uuid as roll_call_id, l.* from ${listed(id)}) l
    order by ${RANK}, lower(name), user_id`.execute(db)
  return rows.map(recipientOf)
}

function recipientOf(row: Listed & { total?: number; place?: number; roll_call_id?: string }): ListedRecipient {
  const { total: _, place: __, roll_call_id: ___, assigned_at, accepted_at, ...recipient } = row
  const instants = Object.fromEntries(INSTANTS.map((name) => [name, row[name]?.toISOString() ?? null]))
  const texts = row.texts.map((text) => ({ ...text, received_at: new Date(text.received_at).toISOString() }))
  const helper = { helper_since: assigned_at?.toISOString() ?? null, taken_at: accepted_at?.toISOString() ?? null }
  return { ...recipient, ...instants, ...helper, texts } as ListedRecipient
}

/** At most this many roll calls are ever open at once. */
const MAX_OPEN = 50

/** Open roll calls, latest first. */
export async function findOpenRollCalls(db: Db) {
  const open = await rollCallQuery(db)
    .clearSelect()
    .select(['r.id', 'r.title', 'r.started_at', 'r.started_by', 'r.country_codes', 'n.started_by_name'])
    .select(countsOf.as('counts'))
    .where('r.ended_at', 'is', null)
    .orderBy('r.started_at', 'desc')
    .limit(MAX_OPEN)
    .execute()
  return open.map((row) => ({ ...row, started_at: row.started_at.toISOString() }))
}

/**
 * Where the caller may start a roll call: countries (null: all) and chapters. A local servant has only the chapters in
 * their scope.
 */
export async function findCallable(db: Db, { role, scope }: SignedIn) {
  const { rows } = await sql<{ id: string; chapter_name: string; country_code: string | null }>`
    select * from roll_call_chapters()`.execute(db)
  const isLimited = role === 'local_servant' || Boolean(scope?.chapters)
  return { countries: scope?.countries ?? (isLimited ? [] : null), chapters: rows }
}
