import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { ManagedLocale, ManagedLocaleQuery } from '#shared/churches/managed-list.ts'
import { fold } from '#shared/countries/fold.ts'
import { rowsOf, sortOf } from '#shared/table.ts'
import { localesWithRules, MODE } from '../modes.ts'

/** One page of all locales, public or not. */
export async function listManagedRows(
  db: Db,
  query: ManagedLocaleQuery,
): Promise<{ locales: ManagedLocale[]; total: number }> {
  const { limit, offset } = rowsOf(query)
  const { total } = await filtered(db, query)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await sorted(filtered(db, query), query)
    .select(['l.id', 'l.name', 'l.city', 'l.state_province', 'l.country_code', 'l.latitude', 'l.longitude'])
    .select(['l.timezone', 'l.locale_status', 'l.is_public', 'l.discreet_mode', 'l.confirmed_at', 'l.updated_at'])
    .select(['l.located_in', MODE.as('mode')])
    .limit(limit)
    .offset(offset)
    .execute()
  const managed = rows.map(({ discreet_mode, confirmed_at, updated_at, ...row }) => ({
    ...row,
    has_own_mode: discreet_mode !== null,
    confirmed_at: confirmed_at?.toISOString() ?? null,
    updated_at: updated_at.toISOString(),
  }))
  return { locales: managed, total: Number(total) }
}

/** Ids of all rows of the same list. */
export async function listManagedIds(db: Db, query: ManagedLocaleQuery): Promise<string[]> {
  return (await sorted(filtered(db, query), query).select('l.id').execute()).map(({ id }) => id)
}

/** Rows of the same list with all of their fields, unordered. */
export function wholeManagedRows(db: Db, ids: readonly string[]) {
  return localesWithRules(db)
    .leftJoin('mfa_local_chapters as c', 'c.id', 'l.chapter_id')
    .selectAll('l')
    .select([MODE.as('mode'), 'c.chapter_name'])
    .where('l.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

type FilteredQuery = ReturnType<typeof filtered>

function sorted(matching: FilteredQuery, { sort }: ManagedLocaleQuery) {
  const { column, direction } = sortOf(sort)
  const by = column === 'name' ? sql<string>`l.name collate "C"` : sql<unknown>`l.${sql.ref(column)}`
  return matching
    .orderBy(by, (order) => (direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast()))
    .orderBy('l.id')
}

function filtered(db: Db, query: ManagedLocaleQuery) {
  let matching = localesWithRules(db).$if(query.search !== '', (all) => all.where(containing(query.search)))
  if (query.country) matching = matching.where('l.country_code', '=', query.country)
  if (query.status) matching = matching.where('l.locale_status', '=', query.status)
  if (query.public) matching = matching.where('l.is_public', '=', query.public === 'yes')
  if (query.mode) matching = matching.where(MODE, '=', query.mode)
  if (query.chapter) matching = matching.where('l.chapter_id', '=', query.chapter)
  if (query.missing) matching = matching.where(MISSING[query.missing], 'is', null)
  return matching
}

const MISSING = {
  coordinates: 'l.latitude',
  time_zone: 'l.timezone',
  country: 'l.country_code',
  confirmation: 'l.confirmed_at',
} as const

/**
 * Matches every word as typed or, for publicly searchable fields, also without accents and in local script. Each has
 * its index.
 */
function containing(search: string) {
  const rawTokens = search.toLowerCase().split(/\s+/)
  const plain = fold(search).split(' ').filter(Boolean)
  const like = (tokens: string[], column: ReturnType<typeof sql.ref> | ReturnType<typeof sql>) =>
    sql.join(
      tokens.map((token) => sql`${column} like ${`%${escapeLike(token)}%`}`),
      sql` and `,
    )
  const own = sql`lower(name || ' ' || coalesce(common_name, '') || ' ' || coalesce(city, '') || ' ' || coalesce(address_line1, ''))`
  const shown = plain.length > 0 ? like(plain, sql.ref('search_text')) : sql`false`
  return sql<boolean>`l.id in (
    select id from locales where ${like(rawTokens, own)}
    union select id from public_locales where ${shown}
    union select id from locales where external_id = ${search})`
}
