import { SEVERITIES, SEVERITY_RANK, type Severity } from '#shared/advisories/severity.ts'
import type { AdvisoryRow } from './advisoryRow.ts'
import type { FeedItem } from './feeds/feed.ts'
import { isCountrySet } from './identity.ts'

type Covering = Pick<AdvisoryRow, 'external_id' | 'country_codes' | 'severity_level' | 'is_urgent' | 'is_active'>

/** What other entries of a source in force say of some countries. */
export interface Cover {
  /** The countries spoken of. */
  codes: string[]
  /** The level that all of them have at least. */
  severity_level: Severity
  is_urgent: boolean
}

/** What `others` say of the countries; undefined when they say nothing of any. The entry itself is left out. */
export function coverOf(
  { external_id, country_codes }: Pick<AdvisoryRow, 'external_id' | 'country_codes'>,
  others: Iterable<Covering>,
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
    severity_level: SEVERITIES.find((severity) => SEVERITY_RANK[severity] === least)!,
    is_urgent: perCode.every(({ isUrgent }) => isUrgent),
  }
}

/** Whether a new entry says less of countries that other entries in force spoke of. */
export function isLowerThanCover(item: FeedItem, held: ReadonlyMap<string, Covering>): boolean {
  const cover = isCountrySet(item.external_id) ? coverOf(item, held.values()) : undefined
  return cover !== undefined && SEVERITY_RANK[item.severity_level] < SEVERITY_RANK[cover.severity_level]
}

/**
 * Whether a list that names its countries in other groups has replaced an entry: every country of it is in an entry
 * that is listed, at the same level or a higher one.
 */
export function isReplaced(row: Covering, listed: readonly Covering[]): boolean {
  if (!isCountrySet(row.external_id) || row.country_codes.length === 0) return false
  const cover = coverOf(row, listed)
  return (
    cover !== undefined &&
    cover.codes.length === row.country_codes.length &&
    SEVERITY_RANK[cover.severity_level] >= SEVERITY_RANK[row.severity_level]
  )
}
