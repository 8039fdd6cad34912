import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { ManagedAdvisory, ManagedQuery } from '#shared/advisories/admin.ts'
import { rowsOf, sortOf } from '#shared/table.ts'
import { type AdvisoryModel, searchTerms } from '../model.ts'
import { publicationStateAt, removalFor } from './publication-state.ts'

/** More rows than the full list will ever have. */
const MAX_EXPORTED = 50_000
const COUNTRIES_SHOWN = 5

/** One page of all advisories, public or not; `isWhole` returns all pages. */
export async function listManaged(
  db: Db,
  query: ManagedQuery,
  { model, now, isWhole = false }: { model: AdvisoryModel; now: Date; isWhole?: boolean },
): Promise<{ advisories: ManagedAdvisory[]; total: number }> {
  const removalOf = removalFor(model, now)
  const matching = filtered(db, query, model, now)
  const { column, direction } = sortOf(query.sort)
  const { limit, offset } = isWhole ? { limit: MAX_EXPORTED, offset: 0 } : rowsOf(query)
  const [rows, { total }] = await Promise.all([
    matching
      .select(['a.id', 'a.title', 'a.language', 'a.severity_level', 'a.advisory_type', 'a.is_urgent', 'a.source_id'])
      .select([
        'a.version',
        'a.last_updated',
        'a.date_precision',
        'a.expiry_date',
        'a.updated_at',
        's.name',
        's.reader',
      ])
      .select(sql<string[]>`a.country_codes[1:${isWhole ? 300 : COUNTRIES_SHOWN}]`.as('country_codes'))
      .select(sql<number>`cardinality(a.affected_countries)`.as('country_count'))
      .select(publicationStateAt(now).as('standing'))
      .orderBy(SORTED[column], (order) => (direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast()))
      .orderBy('a.id')
      .limit(limit)
      .offset(offset)
      .execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return {
    total: Number(total),
    advisories: rows.map(({ name, reader, ...row }) => ({
      ...row,
      source_name: name,
      removal: removalOf(row.id),
      is_written_here: reader === 'manual',
      last_updated: row.last_updated.toISOString(),
      expiry_date: row.expiry_date?.toISOString() ?? null,
      updated_at: row.updated_at.toISOString(),
    })),
  }
}

const SORTED = {
  title: 'a.title',
  severity: 'a.severity_rank',
  source: 's.name',
  last_updated: 'a.last_updated',
  updated_at: 'a.updated_at',
  expiry_date: 'a.expiry_date',
} as const

function filtered(db: Db, query: ManagedQuery, model: AdvisoryModel, now: Date) {
  let matching = db.selectFrom('travel_advisories as a').innerJoin('advisory_sources as s', 's.id', 'a.source_id')
  if (query.severity_level) matching = matching.where('a.severity_level', '=', query.severity_level)
  if (query.type) matching = matching.where('a.advisory_type', '=', query.type)
  if (query.source) matching = matching.where('a.source_id', '=', query.source)
  if (query.status === 'not_shown') matching = matching.where('a.id', '=', anyOfIds([...model.notShown(now).keys()]))
  else if (query.status === 'pending_level') matching = matching.where('a.pending_since', 'is not', null)
  else if (query.status) matching = matching.where(publicationStateAt(now), '=', query.status)
  for (const term of searchTerms(query.search))
    matching = matching.where('a.search_text', 'like', `%${escapeLike(term)}%`)
  return matching
}

const anyOfIds = (ids: readonly string[]) => sql<string>`any(${ids}::uuid[])`
