import { countLocales, type Locale, listLocales, localeServices } from '#shared/churches/endpoints.ts'
import { lastDiscreet } from '#shared/churches/order.ts'
import type { ServiceMoment } from '#shared/churches/schedule.ts'
import { fold } from '#shared/countries/fold.ts'
import type { Language } from '#shared/language.ts'
import { allNames, nameIn } from '#web/advisories/reader.server.ts'
import { namesInLine } from '#web/lib/format.ts'
import type { CallEndpoint } from '#web/lib/visitor.ts'
import { rowOf } from './row.server.ts'
import { apiQuery, pagesOf, readSearch, type Search } from './search.ts'
import { chipsOf, guessesOf } from './search-links.server.ts'
import { languageText } from './texts.server.ts'

interface LocatorInput {
  /** From the server's context: a failed call leaves the page usable. */
  api: CallEndpoint
  language: Language
  now: Date
  params: URLSearchParams
  callFirstAfterDays: number
}

/** Data of the locator. A failed search gives an empty list with a note (LOC-UI-09). */
export async function locatorFor({ api, language, now, params, callFirstAfterDays }: LocatorInput) {
  const input = readSearch(params)
  // The API call has already logged the error, with its id.
  const [counts, found] = await Promise.all([api(countLocales).catch(() => null), find(api, input).catch(() => null)])
  const countries = countriesOf(counts?.countries ?? [], language)
  const search = { ...(found?.search ?? input), country: codeOf(input.country, countries) }
  const services = found ? await servicesOf(api, found.locales) : {}
  const reader = { language, now, callFirstAfterDays }
  const named = countries.find(({ code }) => code === search.country)
  // A corrected spelling is suggested, never applied.
  const correctedSearch = found?.corrected_search ?? null
  const names = {
    countryNames: search.countries.map((code) => nameIn(language)(code)),
    countryName: named?.name ?? search.country,
    languageName: search.language && languageText(language, search.language),
  }
  const locales = correctedSearch ? [] : (found?.locales ?? [])
  return {
    search,
    hasFailed: found === null,
    rows: lastDiscreet(locales).map((locale) => rowOf(locale, services[locale.id] ?? [], reader)),
    total: correctedSearch ? 0 : (found?.total ?? 0),
    place: found?.place ? placeOf(found.place, language) : namedPoint(search),
    // Of the same name only: others are no ambiguity.
    places: (found?.places ?? [])
      .filter(({ name }) => fold(name) === fold(found?.place?.name ?? ''))
      .map((place) => placeOf(place, language)),
    mapQuery: mapQueryOf(search, language),
    isNearest: found?.is_nearest ?? false,
    guesses: guessesOf(
      search,
      (found?.guesses ?? []).map((place) => placeOf(place, language)),
      correctedSearch,
    ),
    chips: chipsOf(search, names, language),
    languages: languagesOf(counts?.languages ?? [], language),
    countries: countries.map(({ code, name, count }) => ({ code, name, count })),
    states: named?.states ?? [],
    countryName: names.countryName,
    languageName: names.languageName,
  }
}

export type Locator = Awaited<ReturnType<typeof locatorFor>>

/** Query of the map as an image: that of the list, and the language of the names. */
const mapQueryOf = (search: Search, language: Language) =>
  new URLSearchParams({
    ...Object.fromEntries(Object.entries(apiQuery(search)).map(([name, value]) => [name, String(value)])),
    in: language,
  }).toString()

const languagesOf = (tags: readonly string[], language: Language) =>
  tags.map((tag) => ({ tag, name: languageText(language, tag) })).sort((a, b) => a.name.localeCompare(b.name, language))

/** The list, or its last page if the URL names one beyond it. */
async function find(api: CallEndpoint, search: Search) {
  const list = await api(listLocales, { query: apiQuery(search) })
  const pages = pagesOf(list.total)
  if (list.locales.length > 0 || search.page <= pages)
    return { ...list, search: { ...search, page: list.locales.length ? search.page : 1 } }
  const last = { ...search, page: pages }
  return { ...(await api(listLocales, { query: apiQuery(last) })), search: last }
}

/** Times of the next services; without them the list is still useful. */
export async function servicesOf(
  api: CallEndpoint,
  locales: readonly Locale[],
): Promise<Record<string, ServiceMoment[]>> {
  const ids = locales.filter(({ service_schedules }) => service_schedules.length > 0).map(({ id }) => id)
  if (ids.length === 0) return {}
  return api(localeServices, { query: { ids: ids.join() } }).then(
    ({ services }) => services,
    () => ({}),
  )
}

interface CountryCount {
  country: string
  country_code: string | null
  active_count: number
  states: string[]
}

function countriesOf(counts: readonly CountryCount[], language: Language) {
  const nameOf = nameIn(language)
  return counts
    .flatMap(({ country, country_code: code, active_count: count, states }) =>
      code === null ? [] : [{ code, name: nameOf(code, country), count, states }],
    )
    .sort((a, b) => a.name.localeCompare(b.name, language))
}

/** Country code for a name in the URL; unknown names are passed on, since the API knows more of them. */
function codeOf(text: string, countries: readonly { code: string }[]): string {
  const upper = text.toUpperCase()
  if (!text || countries.some(({ code }) => code === upper)) return upper
  const named = [...allNames('en'), ...allNames('ar')].find(
    ({ code, name }) => code === upper || fold(name) === fold(text),
  )
  return named?.code ?? text
}

/** A place chosen among several of its name has a point. */
const namedPoint = ({ near, point }: Search) => (near && point ? { name: near, text: near, point } : null)

interface Place {
  name: string
  country_code: string
  state_province: string | null
  latitude: number
  longitude: number
}

const placeOf = ({ name, country_code, state_province, latitude, longitude }: Place, language: Language) => ({
  name,
  text: namesInLine(language, [name, state_province, nameIn(language)(country_code)]),
  point: { lat: latitude, lng: longitude },
})
