import type { Advisory, AdvisorySource, CountryLevel } from '#shared/advisories/endpoints.ts'
import { isVouchedFor, sourceForAdvisory } from '#shared/advisories/freshness.ts'
import { SEVERITY_RANK } from '#shared/advisories/severity.ts'

/**
 * The most serious level of each country with an advisory in force, most serious first. It is confirmed if one of the
 * advisories of that level is: the level of a country falls only when a source says so, not when one does not answer.
 */
export function countryLevels(advisories: readonly Advisory[], sources: readonly AdvisorySource[]): CountryLevel[] {
  const sourceOf = new Map(sources.map((source) => [source.id, source]))
  const isConfirmed = (advisory: Advisory) => {
    const source = sourceOf.get(advisory.source_id)
    return source !== undefined && isVouchedFor(sourceForAdvisory(source, advisory))
  }
  const levels = new Map<string, CountryLevel>()
  for (const advisory of advisories) {
    const { severity_level } = advisory
    for (const code of advisory.country_codes) {
      const known = levels.get(code)
      const difference = SEVERITY_RANK[severity_level] - (known ? SEVERITY_RANK[known.severity_level] : 0)
      if (difference > 0) levels.set(code, { code, severity_level, is_confirmed: isConfirmed(advisory) })
      else if (difference === 0 && known && !known.is_confirmed) known.is_confirmed = isConfirmed(advisory)
    }
  }
  return [...levels.values()].sort(
    (a, b) => SEVERITY_RANK[b.severity_level] - SEVERITY_RANK[a.severity_level] || (a.code < b.code ? -1 : 1),
  )
}
