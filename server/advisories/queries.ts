import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { escapeLike } from '#server/db/like.ts'
import type { Tables } from '#server/db/tables.ts'
import type { AdvisoryVersionsTable } from '#server/db/tables-advisories.ts'
import type { Advisory, AdvisoryFilters, AdvisorySource, AdvisoryVersion } from '#shared/advisories/endpoints.ts'
import type { AdvisoryRow } from './advisory-row.ts'
import { isCountrySet, isMerged } from './identity.ts'

export interface CachedAdvisory {
  advisory: Advisory
  versions: AdvisoryVersion[]
  search_text: string
  /** Standing advice on a set of countries, not an alert or an event. */
  is_country_set: boolean
  /** Every type found in the text, besides the advisory's own. */
  types: readonly string[]
  /** Taken off the list by an administrator. */
  withdrawn_at: string | null
  /** Its history ended because another row took over its countries: the source ended nothing. */
  is_merged: boolean
}

/** A source row, times as ISO text; its state is computed at request time. */
export type SourceRow = Omit<AdvisorySource, 'state' | 'reading' | 'not_confirmed_since'> & {
  reader: string
  position: number
}

const iso = (date: Date | null) => date?.toISOString() ?? null

/** Public sources in their order. */
export async function loadSources(db: Db): Promise<SourceRow[]> {
  const rows = await db
    .selectFrom('advisory_sources')
    .select([
      'id',
      'name',
      'organization',
      'authority',
      'country_code',
      'homepage',
      'url',
      'language',
      'licence',
      'licence_url',
      'interval_seconds',
      'is_enabled',
      'last_attempt_at',
      'last_success_at',
      'last_change_at',
      'item_count',
      'error',
      'captured_on',
      'reader',
      'position',
    ])
    .where('retired_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...row,
    last_attempt_at: iso(row.last_attempt_at),
    last_success_at: iso(row.last_success_at),
    last_change_at: iso(row.last_change_at),
  }))
}

/** Public advisories with their versions: those of the given ids, or all. Excludes drafts and tests. */
export async function loadAdvisories(db: Db, ids: string[] | null): Promise<CachedAdvisory[]> {
  let query = db
    .selectFrom('travel_advisories as a')
    .select([...PUBLIC_COLUMNS, 'a.search_text', 'a.external_id', 'a.advisory_types', 'a.withdrawn_at'])
    .where('status', '=', 'actual')
  let versions = db.selectFrom('advisory_versions').selectAll().orderBy('advisory_id').orderBy('version', 'desc')
  if (ids) {
    query = query.where('id', '=', sql<string>`any(${ids}::uuid[])`)
    versions = versions.where('advisory_id', '=', sql<string>`any(${ids}::uuid[])`)
  }
  const rows = await query.execute()
  const byAdvisory = Map.groupBy(await versions.execute(), (row) => row.advisory_id)
  return rows.map(({ search_text, external_id, advisory_types, withdrawn_at, ...row }) => ({
    search_text,
    is_country_set: isCountrySet(external_id),
    is_merged: isMerged(external_id),
    types: advisory_types ?? [],
    withdrawn_at: iso(withdrawn_at),
    // Acknowledgments are counted separately.
    advisory: { ...inIso(row), acknowledgment_count: 0, last_acknowledged_at: null },
    versions: (byAdvisory.get(row.id) ?? []).map(shownVersion),
  }))
}

/** A row in the API's shape: times as ISO text. */
export function inIso<
  R extends Pick<
    AdvisoryRow,
    | 'effective_date'
    | 'expiry_date'
    | 'last_updated'
    | 'changed_at'
    | 'created_at'
    | 'updated_at'
    | 'missing_since'
    | 'pending_since'
  >,
>(row: R) {
  return {
    ...row,
    effective_date: iso(row.effective_date),
    expiry_date: iso(row.expiry_date),
    last_updated: row.last_updated.toISOString(),
    changed_at: iso(row.changed_at),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    missing_since: iso(row.missing_since),
    pending_since: iso(row.pending_since),
  }
}

export function shownVersion(version: Selectable<AdvisoryVersionsTable>): AdvisoryVersion {
  return {
    version: version.version,
    recorded_at: version.recorded_at.toISOString(),
    last_updated: version.last_updated.toISOString(),
    date_precision: version.date_precision,
    severity_level: version.severity_level,
    title: version.title,
    original_wording: version.original_wording,
    description: version.description,
    changes: version.changes,
  }
}

export const PUBLIC_COLUMNS = [
  'a.id',
  'a.title',
  'a.description',
  'a.detailed_information',
  'a.severity_level',
  'a.advisory_type',
  'a.affected_countries',
  'a.country_codes',
  'a.unresolved_countries',
  'a.affected_regions',
  'a.affected_cities',
  'a.recommendations',
  'a.source_id',
  'a.source_organization',
  'a.source_url',
  'a.language',
  'a.original_level',
  'a.original_wording',
  'a.national_alert_level',
  'a.effective_date',
  'a.expiry_date',
  'a.last_updated',
  'a.date_precision',
  'a.version',
  'a.changed_at',
  'a.created_at',
  'a.updated_at',
  'a.missing_since',
  'a.captured_on',
  'a.pending_severity_level',
  'a.pending_wording',
  'a.pending_since',
  'a.pending_reason',
  'a.is_active',
  'a.is_urgent',
  'a.urgent_by_portal',
  'a.auto_notify',
] as const

/** The filters with everything resolved that needs more than SQL: words folded, countries as codes. */
export interface ResolvedFilters extends Partial<Omit<AdvisoryFilters, 'search' | 'country'>> {
  terms: string[]
  codes: string[] | null
  approved: string[]
  /** Source ids, most trusted first. */
  preferred: string[]
  now: Date
}

/**
 * The ids of the advisories in force that match, in order: the reference for the read model. Filters come before the
 * limit, so that an urgent advisory can never fall off the page.
 */
export async function findActiveAdvisories(db: Db, filters: ResolvedFilters): Promise<string[]> {
  let query = db
    .selectFrom('travel_advisories as a')
    .innerJoin('advisory_sources as s', 's.id', 'a.source_id')
    .select('a.id')
    .where((eb) => inForce(eb, filters.now))
    .where(({ not, exists }) => not(exists(duplicate(filters))))
  if (filters.severity_level) query = query.where('a.severity_level', 'in', filters.severity_level)
  const { advisory_type: type } = filters
  if (type)
    query = query.where(sql<boolean>`(a.advisory_type = ${type} or ${type} = any(coalesce(a.advisory_types, '{}')))`)
  if (filters.source) query = query.where('a.source_id', '=', filters.source)
  if (filters.urgent !== undefined) query = query.where('a.is_urgent', '=', filters.urgent)
  if (filters.codes) query = query.where(sql<boolean>`a.country_codes && ${filters.codes}::text[]`)
  if (filters.approved.length > 0) query = query.where('a.source_organization', 'in', filters.approved)
  for (const term of filters.terms) query = query.where('a.search_text', 'like', `%${escapeLike(term)}%`)
  const rows = await query
    .orderBy('a.is_urgent', 'desc')
    .orderBy('a.severity_rank', 'desc')
    .orderBy('a.last_updated', 'desc')
    .orderBy(sql`a.id::text collate "C"`)
    .limit(filters.limit ?? 50)
    .offset(filters.offset ?? 0)
    .execute()
  return rows.map((row) => row.id)
}

const inForce = (eb: ExpressionBuilder<Tables & { a: Tables['travel_advisories'] }, 'a'>, now: Date) =>
  eb.and([
    eb('a.is_active', '=', true),
    eb('a.status', '=', 'actual'),
    eb.or([eb('a.expiry_date', 'is', null), eb('a.expiry_date', '>', now)]),
  ])

/** Excludes advisories superseded by another feed of the same authority on the same countries (see withoutEchoes). */
const duplicate = ({ preferred, approved, now }: ResolvedFilters) => sql<never>`(
  select from travel_advisories b join advisory_sources t on t.id = b.source_id
  where t.authority = s.authority and b.source_id <> a.source_id
    and (b.external_id like 'set:%') = (a.external_id like 'set:%')
    and b.country_codes <> '{}' and b.country_codes @> a.country_codes and b.country_codes <@ a.country_codes
    and b.is_active and b.status = 'actual' and (b.expiry_date is null or b.expiry_date > ${now})
    and (${approved}::text[] = '{}' or b.source_organization = any(${approved}::text[]))
    and case when a.external_id like 'set:%'
      then ((b.last_updated at time zone 'UTC')::date, b.severity_rank, -array_position(${preferred}::text[], b.source_id))
        > ((a.last_updated at time zone 'UTC')::date, a.severity_rank, -array_position(${preferred}::text[], a.source_id))
      else b.severity_level = a.severity_level
        and array_position(${preferred}::text[], b.source_id) < array_position(${preferred}::text[], a.source_id) end
)`
