import type { Countries } from '#server/countries/reference.ts'
import type { Database } from '#server/db/connection.ts'
import { joined, writtenAs } from '#server/http/buffered-response.ts'
import { errorResponseOf } from '#server/http/failure.ts'
import type { Router } from '#server/http/router.ts'
import type { Log } from '#server/log.ts'
import { firstOf } from '#shared/assert.ts'
import {
  countLocales,
  getLocale,
  type LocaleFilters,
  type LocaleList,
  labelCities,
  listLocales,
  localePoints,
  searchCities,
} from '#shared/churches/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import { findLocales } from './find-locales.ts'
import type { LargeCities } from './large-cities.ts'
import { wholeLocale, wholeLocaleJson } from './locale-details.ts'
import type { ChurchModel } from './model.ts'
import { readNear } from './near.ts'
import { findPlaces } from './places.ts'
import { readQuestion } from './question.ts'

/** Church search: everything from memory except the lookup of a place name. */
export function registerChurchSearch(
  router: Router,
  deps: { model: ChurchModel; countries: () => Countries; database: Database; cities: LargeCities; log: Log },
) {
  const { model, database } = deps
  const withErrorPrefix = createErrorPrefixer(deps.log)

  router.serve(listLocales, (_, { query }) => {
    const isSearch = Boolean(query.search || query.near)
    return withErrorPrefix(isSearch ? 'Failed to search locales' : 'Failed to fetch public locales', () => list(query))
  })

  async function list(query: LocaleFilters): Promise<LocaleList> {
    const { near, limit, offset, ...filters } = query
    const places = near && !hasPoint(query) ? await placesFor(near, filters) : []
    const [place = null, ...others] = places
    const { rows, total, corrected, isNearest } = await findLocales(
      model,
      deps.countries(),
      { ...filters, ...searchFor(query, place) },
      { limit, offset },
    )
    const isUnknown = near !== undefined && !place && (total === 0 || corrected !== null)
    const guesses = isUnknown ? await deps.cities.guess(near, codesIn(filters)) : []
    const rest = { total, corrected_search: corrected, place, places: others, guesses, is_nearest: isNearest }
    const list = {
      get locales() {
        return rows.map(({ locale, km }) => wholeLocale(locale, km))
      },
      ...rest,
    }
    return writtenAs(list, () => {
      const chunks: Parameters<typeof joined>[0] = ['{"success":true,"locales":[']
      for (const [i, { locale, km }] of rows.entries()) chunks.push(i === 0 ? '' : ',', ...wholeLocaleJson(locale, km))
      return joined([...chunks, `],${JSON.stringify(rest).slice(1)}`])
    })
  }

  /** The country filter applies to the place as well. */
  const codesIn = ({ country, countries }: Pick<LocaleFilters, 'country' | 'countries'>) =>
    readQuestion({ country, countries }, deps.countries()).codes

  function placesFor(near: string, filters: Omit<LocaleFilters, 'near' | 'limit' | 'offset'>) {
    const isInText = (text: string) => {
      const question = readQuestion({ ...filters, ...searchFor({ ...filters, near: text }, null) }, deps.countries())
      return model.search(question, { limit: 1, offset: 0 }).total > 0
    }
    return readNear(near, codesIn(filters), { database, countries: deps.countries, isInText })
  }

  router.serve(getLocale, (_, { params }) =>
    withErrorPrefix('Failed to fetch locale', async () => {
      const found = await model.find(params.id)
      if (!found) return { locale: null }
      const { distance_km: _distance, ...locale } = found
      return { locale }
    }),
  )

  router.serve(countLocales, () =>
    withErrorPrefix('Failed to fetch countries', () => ({ countries: countries(), languages: languages() })),
  )

  function countries() {
    const byCountry = Map.groupBy(model.all(), (locale) => locale.country_code)
    const counts = [...byCountry].map(([country_code, locales]) => ({
      country: firstOf(locales).country,
      country_code,
      locale_count: locales.length,
      // Nothing is public about the others.
      active_count: locales.length,
      states: [...new Set(locales.map((locale) => locale.state_province).filter((state) => state !== null))].sort(),
    }))
    return counts.sort((a, b) => a.country.localeCompare(b.country, 'en'))
  }

  function languages() {
    const open = model.all().filter(({ discreet_mode: mode }) => mode === 'exact')
    return [...new Set(open.flatMap(({ tags }) => tags.map((tag) => tag.replace(/-.*/, ''))))].sort()
  }

  router.serve(labelCities, async (_, { query: { language, limit, ...box } }) => ({
    labels: await deps.cities.inView(box, limit, language),
  }))

  router.serve(localePoints, () => ({
    points: model
      .all()
      .flatMap(({ id, latitude, longitude, discreet_mode, name }) =>
        latitude === null || longitude === null
          ? []
          : [[id, latitude, longitude, discreet_mode === 'approximate' ? 1 : 0, name]],
      ),
  }))

  router.handle(searchCities, async ({ db }, { query }) => ({
    cities: await findPlaces(db, query.search, query.country ? [query.country.toUpperCase()] : null, query.limit),
  }))
}

/** Adds the failed operation to an error (LOC-API-35 to 38). */
const createErrorPrefixer =
  (log: Log) =>
  async <T>(what: string, fn: () => T | Promise<T>): Promise<T> => {
    try {
      return await fn()
    } catch (error) {
      const { status, body, headers } = errorResponseOf(error, log)
      throw new AppError(status, body.code, `${what}: ${body.error}`, { headers, cause: error })
    }
  }

const hasPoint = ({ lat, lng }: Pick<LocaleFilters, 'lat' | 'lng'>) => lat !== undefined && lng !== undefined

/** A known place gives the point. An unknown one is searched for in the text of the locales. */
function searchFor(
  query: Pick<LocaleFilters, 'search' | 'near' | 'lat' | 'lng'>,
  place: { latitude: number; longitude: number } | null,
) {
  if (place) return { lat: place.latitude, lng: place.longitude }
  if (!query.near || hasPoint(query)) return {}
  return { search: `${query.search ?? ''} ${query.near}` }
}
