import { highestSeverity } from '#shared/advisories/severity.ts'
import { getCountry, searchCountries } from '#shared/countries/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { AdvisoryModel } from '../advisories/model.ts'
import type { Door } from '../http/door.ts'
import { SCORES } from './ranking.ts'
import type { Countries } from './reference.ts'

const CHANGES = 12

/** Countries as people look for them, and all that is known of one; from memory. */
export function countries(door: Door, parts: { countries: () => Countries; advisories: AdvisoryModel }) {
  door.serve(searchCountries, ({ now }, { query }) => {
    const reference = parts.countries()
    const matches = query.search ? reference.search(query.search, 300) : []
    const found = query.search ? matches.map(({ country }) => country) : reference.all()
    const byCountry = Map.groupBy(
      parts.advisories.inForce(now).flatMap((a) => a.country_codes.map((code) => ({ code, level: a.severity_level }))),
      ({ code }) => code,
    )
    return {
      countries: found.slice(0, query.limit).map((country) => {
        const levels = byCountry.get(country.code)?.map(({ level }) => level) ?? []
        return { ...country, severity_level: highestSeverity(levels), advisory_count: levels.length }
      }),
      total: found.length,
      is_guess: matches.length > 0 && matches.every(({ score }) => score === SCORES.typo),
    }
  })

  door.serve(getCountry, ({ now }, { params }) => {
    const country = parts.countries().find(params.code)
    if (!country) throw new AppError(404, 'country_not_found', 'There is no country with this code.')
    const inForce = parts.advisories.onCountry(country.code, now)
    const bySource = Map.groupBy(inForce, (advisory) => advisory.source_id)
    return {
      country,
      highest: highestSeverity(inForce.map((advisory) => advisory.severity_level)),
      // Most serious first, those we cannot vouch for last.
      sources: [...bySource]
        .map(([id, advisories]) => ({ source: parts.advisories.source(id, now)!, advisories }))
        .sort((a, b) => Number(a.source.state === 'not_confirmed') - Number(b.source.state === 'not_confirmed')),
      changes: inForce
        .flatMap((advisory) =>
          parts.advisories
            .versionsOf(advisory.id)
            .filter((version) => version.changes.length > 0)
            .map((version) => ({
              ...version,
              advisory_id: advisory.id,
              source_organization: advisory.source_organization,
            })),
        )
        .sort((a, b) => (a.recorded_at < b.recorded_at ? 1 : -1))
        .slice(0, CHANGES),
    }
  })
}
