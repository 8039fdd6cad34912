import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { Correction, Freshness, MyChurch, VisitorMessage } from '#shared/churches/care.ts'
import type { ProposedValues } from '#shared/churches/visitors.ts'
import { localesWithRules, MODE } from './modes.ts'

/** Days after which a locale is due for confirmation, and after which visitors should call first. */
export interface Ages {
  confirm: number
  callFirst: number
}

/** When the data was last known to be right: confirmed, or recorded. */
const KNOWN_AT = sql<Date>`coalesce(l.confirmed_at, l.created_at)`
const IS_PUBLISHED = sql<boolean>`(l.is_public and l.locale_status = 'active' and ${MODE} <> 'hidden')`
export const isDue = (days: number) =>
  sql<boolean>`(${IS_PUBLISHED} and ${KNOWN_AT} < now() - make_interval(days => ${days}))`
const IS_CLOSED = sql<boolean>`(l.closed_since is not null and coalesce(l.closed_until >= current_date, true))`
const openCount = (table: 'locale_corrections' | 'locale_messages') =>
  sql<number>`(select count(*)::int from ${sql.table(table)} o where o.locale_id = l.id and o.status = 'open')`

/** Locales the caller looks after: row-level policies hide all others. */
const ownLocales = localesWithRules

function listed(db: Db, ages: Ages) {
  return ownLocales(db)
    .select(['l.id', 'l.name', 'l.city', 'l.country_code', 'l.confirmed_at', 'l.confirmed_as'])
    .select(['l.closed_since', 'l.closed_until'])
    .select(
      sql<Freshness>`case when not ${IS_PUBLISHED} then 'unpublished' when ${isDue(ages.callFirst)} then 'stale'
        when ${isDue(ages.confirm)} then 'due' else 'fresh' end`.as('freshness'),
    )
    .select([openCount('locale_corrections').as('open_corrections'), openCount('locale_messages').as('open_messages')])
}

interface CareFilters {
  search?: string | undefined
  status?: 'due' | 'closed' | 'waiting' | undefined
  limit: number
  offset: number
}

/** One page of them, unconfirmed ones first. Open items are counted for this page's rows only. */
export async function findMyChurches(db: Db, { search, status, limit, offset }: CareFilters, ages: Ages) {
  let wanted = ownLocales(db)
  const only = (condition: ReturnType<typeof sql<boolean>>) => {
    wanted = wanted.where(condition)
  }
  if (search)
    only(sql`lower(l.name || ' ' || coalesce(l.common_name, '') || ' ' || coalesce(l.city, '') || ' ' || coalesce(l.address_line1, ''))
      like ${`%${escapeLike(search.toLowerCase())}%`}`)
  if (status === 'due') only(isDue(ages.confirm))
  if (status === 'closed') only(IS_CLOSED)
  if (status === 'waiting')
    only(sql`(exists (select from locale_corrections o where o.locale_id = l.id and o.status = 'open')
      or exists (select from locale_messages o where o.locale_id = l.id and o.status = 'open'))`)
  const page = await wanted
    .select('l.id')
    .orderBy(IS_PUBLISHED, 'desc')
    .orderBy(sql`l.confirmed_at nulls first`)
    .orderBy('l.name')
    .orderBy('l.id')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await wanted.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const ids = page.map(({ id }) => id)
  const rows = await listed(db, ages).where('l.id', '=', sql<string>`any(${ids}::uuid[])`).execute()
  const byId = new Map(rows.map((row) => [row.id, serializeLocale(row)]))
  return { locales: ids.flatMap((id) => byId.get(id) ?? []), total }
}

export const findMyChurch = (db: Db, id: string, ages: Ages) =>
  listed(db, ages)
    .select(['l.phone', 'l.timezone', 'l.closed_reason', 'l.address_line1 as address', 'l.updated_at'])
    .select(MODE.as('discreet_mode'))
    .where('l.id', '=', id)
    .executeTakeFirst()

export function serializeLocale<T extends { confirmed_at: Date | null }>(
  row: T,
): Omit<T, 'confirmed_at'> & ConfirmationTime {
  return { ...row, confirmed_at: row.confirmed_at?.toISOString() ?? null }
}
type ConfirmationTime = Pick<MyChurch, 'confirmed_at'>

/** Number of items pending for the caller. */
export async function countCare(db: Db, ages: Ages) {
  const locales = await ownLocales(db)
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where ${isDue(ages.confirm)}))::int`.as('due'),
      sql<number>`(count(*) filter (where ${IS_CLOSED}))::int`.as('closed'),
    ])
    .executeTakeFirstOrThrow()
  return { ...locales, ...(await countQueues(db)) }
}

/** Visitors' messages and corrections that are not decided or answered. */
export const countQueues = async (db: Db) => ({
  corrections: await waiting(db, 'locale_corrections'),
  messages: await waiting(db, 'locale_messages'),
})

/** For callers who look after no locale. */
export const NO_CARE = {
  due: 0,
  messages: { count: 0, oldest_at: null },
  corrections: { count: 0, oldest_at: null },
}

async function waiting(db: Db, table: 'locale_corrections' | 'locale_messages') {
  const { count, oldest_at } = await db
    .selectFrom(table)
    .select(({ fn }) => [sql<number>`count(*)::int`.as('count'), fn.min('created_at').as('oldest_at')])
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow()
  return { count, oldest_at: oldest_at?.toISOString() ?? null }
}

interface Page {
  localeId?: string
  limit: number
  offset: number
}

/** Open corrections, oldest first, each beside the current values. */
export async function findCorrections(db: Db, { localeId, limit, offset }: Page): Promise<Correction[]> {
  let query = db
    .selectFrom('locale_corrections as c')
    .innerJoin('locales as l', 'l.id', 'c.locale_id')
    .select(['c.id', 'c.locale_id', 'c.kind', 'c.proposed', 'c.message', 'c.contact', 'c.language', 'c.created_at'])
    .select(sql<Record<string, unknown>>`to_jsonb(l)`.as('locale'))
    .where('c.status', '=', 'open')
  if (localeId) query = query.where('c.locale_id', '=', localeId)
  const rows = await query.orderBy('c.created_at').orderBy('c.id').limit(limit).offset(offset).execute()
  return rows.map(({ proposed, locale, created_at, ...row }) => ({
    ...row,
    locale_name: String(locale.name),
    changes: changesOf(proposed, locale),
    created_at: created_at.toISOString(),
  }))
}

const changesOf = (proposed: ProposedValues, locale: Record<string, unknown>): Correction['changes'] =>
  Object.entries(proposed).map(([field, value]) => ({
    field,
    old: (locale[field] as string | null) ?? null,
    new: value || null,
  }))

/** Unanswered questions and arrivals, oldest first. */
export async function findVisitorMessages(db: Db, { localeId, limit, offset }: Page): Promise<VisitorMessage[]> {
  let query = db
    .selectFrom('locale_messages as m')
    .innerJoin('locales as l', 'l.id', 'm.locale_id')
    .select(['m.id', 'm.locale_id', 'l.name as locale_name', 'm.kind', 'm.sender_name', 'm.sender_contact'])
    .select(['m.arrives_on', 'm.language', 'm.message', 'm.recipient_count as passed_on_to', 'm.created_at'])
    .where('m.status', '=', 'open')
  if (localeId) query = query.where('m.locale_id', '=', localeId)
  const rows = await query.orderBy('m.created_at').orderBy('m.id').limit(limit).offset(offset).execute()
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}
