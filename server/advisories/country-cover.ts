import type { Db } from '#server/db/connection.ts'
import { SEVERITIES, SEVERITY_RANK, type Severity } from '#shared/advisories/severity.ts'
import { present } from '#shared/assert.ts'
import type { AdvisoryRow } from './advisory-row.ts'
import type { FeedItem } from './feeds/feed.ts'
import { isCountrySet } from './identity.ts'
import type { Source } from './sources.ts'

export type CoveringAdvisory = Pick<
  AdvisoryRow,
  'external_id' | 'country_codes' | 'severity_level' | 'is_urgent' | 'is_active'
>

/** What other entries in force of a source say about some countries. */
export interface Cover {
  /** The countries covered. */
  codes: string[]
  /** The lowest level among them. */
  severity_level: Severity
  is_urgent: boolean
}

/** What `others` say about the countries; undefined when they cover none. The entry itself is excluded. */
export function coverOf(
  { external_id, country_codes }: Pick<AdvisoryRow, 'external_id' | 'country_codes'>,
  others: Iterable<CoveringAdvisory>,
): Cover | undefined {
  const inForce = [...others].filter(
    (row) => row.is_active && row.external_id !== external_id && isCountrySet(row.external_id),
  )
  const perCode = country_codes.flatMap((code) => {
    const rows = inForce.filter((row) => row.country_codes.includes(code))
    if (rows.length === 0) return []
    return [
      {
        code,
        rank: Math.max(...rows.map((row) => SEVERITY_RANK[row.severity_level])),
        isUrgent: rows.some((row) => row.is_urgent),
      },
    ]
  })
  if (perCode.length === 0) return undefined
  const least = Math.min(...perCode.map(({ rank }) => rank))
  return {
    codes: perCode.map(({ code }) => code),
    severity_level: present(
      SEVERITIES.find((severity) => SEVERITY_RANK[severity] === least),
      'the severity',
    ),
    is_urgent: perCode.every(({ isUrgent }) => isUrgent),
  }
}

/** Whether an entry gives countries a lower level than other entries in force do. */
export function isLowerThanCover(item: FeedItem, others: Iterable<CoveringAdvisory>): boolean {
  const cover = isCountrySet(item.external_id) ? coverOf(item, others) : undefined
  return cover !== undefined && SEVERITY_RANK[item.severity_level] < SEVERITY_RANK[cover.severity_level]
}

/** Whether another feed of the authority gives the same countries a higher level, with a text. */
export function isLowerThanSibling(item: FeedItem, siblings: readonly CoveringAdvisory[]): boolean {
  return isLowerThanCover({ ...item, external_id: `${item.external_id}/` }, siblings)
}

/** Entries with a text in the authority's other feeds. */
export function findSiblings(db: Db, source: Source): Promise<CoveringAdvisory[]> {
  return db
    .selectFrom('travel_advisories as a')
    .innerJoin('advisory_sources as s', 's.id', 'a.source_id')
    .select(['a.external_id', 'a.country_codes', 'a.severity_level', 'a.is_urgent', 'a.is_active'])
    .where('s.authority', '=', source.authority)
    .where('s.id', '<>', source.id)
    .where('a.is_active', '=', true)
    .where('a.status', '=', 'actual')
    .where('a.detailed_information', 'is not', null)
    .execute()
}

/**
 * Whether a list that groups its countries differently has replaced an entry: each of its countries is in a listed
 * entry at the same or a higher level.
 */
export function isReplaced(row: CoveringAdvisory, listed: readonly CoveringAdvisory[]): boolean {
  if (!isCountrySet(row.external_id) || row.country_codes.length === 0) return false
  const cover = coverOf(row, listed)
  return (
    cover !== undefined &&
    cover.codes.length === row.country_codes.length &&
    SEVERITY_RANK[cover.severity_level] >= SEVERITY_RANK[row.severity_level]
  )
}
