import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import type { AdvisoryReason } from '#shared/delivery/kinds.ts'
import { type AdvisoryRow, dayOf } from './advisory-row.ts'
import { isCountrySet } from './identity.ts'
import { preference } from './model.ts'
import { loadSources } from './queries.ts'

/**
 * Whether another feed of the same authority already covers a change. A new or more severe advisory is announced by the
 * feed that brings it first; a text change by the feed shown on the page; an end only when no feed lists it any more.
 * Standing advice that the page hides behind a newer one of the other feed is not announced.
 */
export async function isDuplicate(db: Db, advisory: AdvisoryRow, reason: AdvisoryReason, now: Date): Promise<boolean> {
  const { country_codes, severity_level, source_id, is_urgent, external_id } = advisory
  if (country_codes.length === 0) return false
  const all = await db
    .selectFrom('travel_advisories as b')
    .innerJoin('advisory_sources as t', 't.id', 'b.source_id')
    .innerJoin('advisory_sources as s', (join) =>
      join.onRef('s.authority', '=', 't.authority').on('s.id', '=', source_id),
    )
    .select(['b.source_id', 'b.external_id', 'b.is_urgent', 'b.severity_level', 'b.last_updated'])
    .where('b.source_id', '<>', source_id)
    .where('b.status', '=', 'actual')
    .where('b.is_active', '=', true)
    .where((eb) => eb.or([eb('b.expiry_date', 'is', null), eb('b.expiry_date', '>', now)]))
    .where(sql<boolean>`b.country_codes @> ${country_codes}::text[] and b.country_codes <@ ${country_codes}::text[]`)
    .execute()
  const isOverruled = all.some((other) => isCountrySet(external_id) && overrules(other, advisory))
  if (isOverruled && reason !== 'withdrawn') return true
  const others = all.filter((other) => other.severity_level === severity_level)
  if (others.length === 0 || reason === 'withdrawn') return others.length > 0
  if (reason !== 'instruction_changed') return others.some((other) => other.is_urgent || !is_urgent)
  const preferred = preference(await loadSources(db), now)
  const place = preferred.indexOf(source_id)
  return others.some((other) => preferred.indexOf(other.source_id) < place)
}

/** Whether standing advice of another feed is shown instead: newer by day, or of the same day and more severe. */
function overrules(
  other: Pick<AdvisoryRow, 'external_id' | 'severity_level' | 'last_updated'>,
  advisory: AdvisoryRow,
): boolean {
  if (!isCountrySet(other.external_id)) return false
  const [day, own] = [dayOf(other.last_updated), dayOf(advisory.last_updated)]
  if (day !== own) return day > own
  return SEVERITY_RANK[other.severity_level] > SEVERITY_RANK[advisory.severity_level]
}
