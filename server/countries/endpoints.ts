import type { AdvisoryModel } from '#server/advisories/model.ts'
import type { Router } from '#server/http/router.ts'
import { highestSeverity } from '#shared/advisories/severity.ts'
import { present } from '#shared/assert.ts'
import { getCountry, searchCountries } from '#shared/countries/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import { levelsByCountry } from './levels.ts'
import { SCORES } from './ranking.ts'
import type { Countries } from './reference.ts'

const CHANGES = 12

/** Country search and details; from memory. */
export function registerCountries(router: Router, deps: { countries: () => Countries; advisories: AdvisoryModel }) {
  router.serve(searchCountries, ({ now }, { query }) => {
    const reference = deps.countries()
    const matches = query.search ? reference.search(query.search, 300) : []
    const found = query.search ? matches.map(({ country }) => country) : reference.all()
    const byCountry = levelsByCountry(deps.advisories.inForce(now))
    return {
      countries: found.slice(0, query.limit).map((country) => {
        const levels = byCountry.get(country.code) ?? []
        return { ...country, severity_level: highestSeverity(levels), advisory_count: levels.length }
      }),
      total: found.length,
      is_guess: matches.length > 0 && matches.every(({ score }) => score <= SCORES.typo),
      has_read_sources: deps.advisories.hasReadSources(now),
    }
  })

  router.serve(getCountry, ({ now }, { params, query }) => {
    const country = deps.countries().find(params.code)
    if (!country) throw new AppError(404, 'country_not_found', 'Country not found.')
    const inForce = deps.advisories.onCountry(country.code, now)
    const timeline = deps.advisories.timeline(now, country.code)
    const bySource = Map.groupBy(inForce, (advisory) => advisory.source_id)
    return {
      country,
      has_read_sources: deps.advisories.hasReadSources(now),
      highest: highestSeverity(inForce.map((advisory) => advisory.severity_level)),
      // Most severe first, unconfirmed sources last.
      sources: [...bySource]
        .map(([id, advisories]) => ({ source: present(deps.advisories.source(id, now), 'the source'), advisories }))
        .sort((a, b) => Number(a.source.state === 'not_confirmed') - Number(b.source.state === 'not_confirmed')),
      changes: inForce
        .flatMap((advisory) =>
          deps.advisories
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
      timeline: timeline.slice(0, query.events),
      timeline_total: timeline.length,
      timeline_since: timeline.at(-1)?.at ?? null,
    }
  })
}
