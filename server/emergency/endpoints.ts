import type { Router } from '#server/http/router.ts'
import { findFirstNumber, getEmergency, getOwnPlace, listEmergencyNumbers } from '#shared/emergency/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import { countryOfZone, type EmergencyDeps, emergencyIn, firstNumberOf } from './emergency.ts'
import { findOwnPlace } from './own-place.ts'

const MAX_FOUND = 300

/** Emergency numbers and instructions from memory, so that they are available while the database is not. */
export function registerEmergency(router: Router, deps: EmergencyDeps) {
  router.serve(getEmergency, ({ now }, { query }) => {
    const countries = deps.countries()
    if (query.country === undefined)
      return emergencyIn(deps, query.zone ? countryOfZone(countries, query.zone) : null, now)
    const country = countries.find(query.country)
    if (!country) throw new AppError(404, 'country_not_found', 'Country not found. Choose one from the list.')
    return emergencyIn(deps, country.code, now)
  })

  router.serve(listEmergencyNumbers, ({ now }, { query }) => {
    const countries = deps.countries()
    const found = query.search
      ? countries.search(query.search, MAX_FOUND).map(({ country }) => country)
      : countries.all()
    return {
      countries: found.map(({ code }) => {
        const number = firstNumberOf(deps.facts, code, now)
        return { code, number: number && { phone: number.phone, code: number.code } }
      }),
      exact: (query.search && countries.resolve(query.search)) || null,
    }
  })

  router.serve(findFirstNumber, ({ now }, { query }) => {
    const country = countryOfZone(deps.countries(), query.zone)
    const number = country && firstNumberOf(deps.facts, country, now)
    return { country, number: number ? { phone: number.phone, code: number.code } : null }
  })

  router.handle(getOwnPlace, ({ db, user, now }) => findOwnPlace(db, user.id, now))
}
