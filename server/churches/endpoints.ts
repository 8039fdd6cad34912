import {
  countLocales,
  getLocale,
  type LocaleFilters,
  type LocaleList,
  listLocales,
  localePoints,
  searchCities,
} from '#shared/churches/endpoints.ts'
import type { Countries } from '../countries/reference.ts'
import { withClaims } from '../db/claims.ts'
import type { Database } from '../db/connection.ts'
import type { Door } from '../http/door.ts'
import type { ChurchModel } from './model.ts'
import { findPlaces } from './places.ts'
import { readQuestion } from './question.ts'

const OTHER_PLACES = 5

/** Finding churches: everything from memory but the place that somebody names. */
export function findingChurches(
  door: Door,
  parts: { model: ChurchModel; countries: () => Countries; database: Database },
) {
  const { model, database } = parts

  door.serve(listLocales, async (_, { query }): Promise<LocaleList> => {
    const { near, limit, offset, ...filters } = query
    const places = near && !hasPoint(query) ? await placesFor(near, filters.country) : []
    const [place = null, ...others] = places
    const { locales, total, isNearest } = model.search(
      readQuestion({ ...filters, ...searchFor(query, place) }, parts.countries()),
      { limit, offset },
    )
    return { locales, total, corrected_search: null, place, places: others, is_nearest: isNearest }
  })

  /** The countries that the filter allows count for the place as well. */
  function placesFor(near: string, country: string | undefined) {
    const { codes } = readQuestion({ country }, parts.countries())
    return withClaims(database, { as: 'anonymous' }, (db) => findPlaces(db, near, codes, 1 + OTHER_PLACES))
  }

  door.serve(getLocale, (_, { params }) => {
    const found = model.find(params.id)
    if (!found) return { locale: null }
    const { distance_km: _distance, ...locale } = found
    return { locale }
  })

  door.serve(countLocales, () => {
    const byCountry = Map.groupBy(model.all(), (locale) => locale.country_code)
    const countries = [...byCountry].map(([country_code, locales]) => ({
      country: locales[0]!.country,
      country_code,
      locale_count: locales.length,
      // Of the others nothing is known in public.
      active_count: locales.length,
      states: [...new Set(locales.map((locale) => locale.state_province).filter((state) => state !== null))].sort(),
    }))
    return { countries: countries.sort((a, b) => a.country.localeCompare(b.country, 'en')) }
  })

  door.serve(localePoints, () => ({
    points: model
      .all()
      .filter(({ latitude }) => latitude !== null)
      .map(({ id, latitude, longitude, discreet_mode, name }) => [
        id,
        latitude!,
        longitude!,
        discreet_mode === 'approximate' ? 1 : 0,
        name,
      ]),
  }))

  door.handle(searchCities, async ({ db }, { query }) => ({
    cities: await findPlaces(db, query.search, query.country ? [query.country.toUpperCase()] : null, query.limit),
  }))
}

const hasPoint = ({ lat, lng }: LocaleFilters) => lat !== undefined && lng !== undefined

/** A place that is known gives the point. One that is not is looked for in the text of the locales. */
function searchFor(query: LocaleFilters, place: { latitude: number; longitude: number } | null) {
  if (place) return { lat: place.latitude, lng: place.longitude }
  if (!query.near || hasPoint(query)) return {}
  return { search: `${query.search ?? ''} ${query.near}` }
}
