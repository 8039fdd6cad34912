import { distance } from 'fastest-levenshtein'
import type { AdvisoryModel } from '#server/advisories/model.ts'
import { levelsByCountry } from '#server/countries/levels.ts'
import { SCORES } from '#server/countries/ranking.ts'
import type { Countries } from '#server/countries/reference.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Router } from '#server/http/router.ts'
import type { Log } from '#server/log.ts'
import { highestSeverity, type Severity } from '#shared/advisories/severity.ts'
import type { City } from '#shared/churches/endpoints.ts'
import type { Country } from '#shared/countries/country.ts'
import { fold } from '#shared/countries/fold.ts'
import { type SearchResult, searchEverything } from '#shared/countries/search.ts'
import type { LargeCities } from './large-cities.ts'
import { wholeLocale } from './locale-details.ts'
import type { ChurchModel, DetailedRow } from './model.ts'
import { readPlaceNames } from './place-name.ts'
import { distinctPlaces, findNamedPlaces, findPlacesThatBegin } from './places.ts'
import { type Question, readQuestion, tokenize } from './question.ts'
import { momentsOf } from './services.ts'

/** So many cities are read for each that is shown: many share a name and a country. */
const SAME = 5
const AHEAD_MS = 14 * 86_400_000

interface Deps {
  model: ChurchModel
  cities: LargeCities
  countries: () => Countries
  advisories: Pick<AdvisoryModel, 'inForce'>
  database: Database
  log: Log
}

type Result<Kind extends SearchResult['kind']> = Extract<SearchResult, { kind: Kind }>

interface Found {
  /** By their own name. */
  countries: Country[]
  /** By their capital, or a part of the name. */
  relatedCountries: Country[]
  cities: City[]
  churches: DetailedRow[]
  churchesTotal: number
}

/**
 * One search for countries, cities and churches. Churches that hide their place are no result, so that no order, count
 * or suggestion reveals anything of them.
 */
export function registerSearch(router: Router, deps: Deps) {
  // Not cached: the next service changes every minute, and a response without the cities must not be reused.
  router.act(searchEverything, async ({ now }, { query: { search, limit } }) => {
    const levels = levelsByCountry(deps.advisories.inForce(now))
    const levelOf = (code: string) => highestSeverity(levels.get(code) ?? [])
    const found = await match(deps, search, limit)
    const isGuess = isEmpty(found)
    const shown = isGuess ? await guess(deps, search, limit) : found
    return {
      results: inOrder(shown, { levelOf, now, find: (code) => deps.countries().find(code) }),
      is_guess: isGuess && !isEmpty(shown),
      churches_total: isGuess ? 0 : found.churchesTotal,
    }
  })
}

const isEmpty = ({ countries, relatedCountries, cities, churches }: Found) =>
  countries.length + relatedCountries.length + cities.length + churches.length === 0

async function match(deps: Deps, search: string, limit: number): Promise<Found> {
  const ranked = deps.countries().search(search, limit)
  const scored = (from: number, below: number) =>
    ranked.filter(({ score }) => score >= from && score < below).map(({ country }) => country)
  return {
    countries: scored(SCORES.otherNamePrefix, Number.POSITIVE_INFINITY),
    relatedCountries: scored(SCORES.anythingContains, SCORES.otherNamePrefix),
    cities: await citiesOf(deps, search, limit),
    ...(await churchesOf(deps, search, limit)),
  }
}

/** Similar spellings of each kind, if nothing matches as typed. */
async function guess(deps: Deps, search: string, limit: number): Promise<Found> {
  const mistyped = deps
    .countries()
    .search(search, limit)
    .map(({ country }) => country)
  // Otherwise it is a misspelt capital, and the city is meant.
  const isName = ({ name, names }: Country) =>
    [name, ...Object.values(names)].some((each) => distance(fold(each), fold(search)) <= 2)
  const words = tokenize(search)
  const spelt = (await deps.model.correct(words)).join(' ')
  const churches = spelt === words.join(' ') ? { churches: [], churchesTotal: 0 } : await churchesOf(deps, spelt, limit)
  const cities = await deps.cities.guess(search, null).catch(logged(deps.log))
  const [countries, relatedCountries] = [mistyped.filter(isName), mistyped.filter((country) => !isName(country))]
  return { countries, relatedCountries, cities, ...churches }
}

async function citiesOf({ database, countries, log }: Deps, search: string, limit: number): Promise<City[]> {
  return withClaims(database, { as: 'anonymous' }, async (db) => {
    for (const meaning of readPlaceNames(search, countries()).slice(1)) {
      const named = await findNamedPlaces(db, meaning, null, limit * SAME)
      if (named.length > 0) return named
    }
    return findPlacesThatBegin(db, search, null, limit * SAME)
  })
    .then((cities) => distinctPlaces(cities).slice(0, limit))
    .catch(logged(log))
}

/** Countries and churches come from memory: they are found while the database is not. */
const logged =
  (log: Log) =>
  (error: Error): City[] => {
    log.warn({ reason: error.message }, 'cities could not be searched; the answer has countries and churches only')
    return []
  }

async function churchesOf({ model, countries }: Deps, search: string, limit: number) {
  const question: Question = { ...readQuestion({ search }, countries()), isPublished: true }
  // Without a word this would be every church.
  if (question.terms.length === 0) return { churches: [], churchesTotal: 0 }
  const { rows, total } = model.search(question, { limit, offset: 0 })
  return { churches: await model.withDetails(rows), churchesTotal: total }
}

interface Rendering {
  levelOf: (code: string) => Severity | null
  find: (code: string) => Country | undefined
  now: Date
}

/** Countries by name, the best city, the churches, other cities, and at last countries by their capital. */
function inOrder({ countries, relatedCountries, cities, churches }: Found, rendering: Rendering): SearchResult[] {
  const ofCountry = (country: Country): Result<'country'> => ({
    kind: 'country',
    country: nameOf(country),
    severity_level: rendering.levelOf(country.code),
  })
  const places = cities.map((city) => ofCity(city, rendering))
  return [
    ...countries.map(ofCountry),
    ...places.slice(0, 1),
    ...churches.map((row) => ofChurch(row, rendering)),
    ...places.slice(1),
    ...relatedCountries.map(ofCountry),
  ]
}

function ofCity({ country_code: code, ...city }: City, { find, levelOf }: Rendering): Result<'city'> {
  const country = find(code)
  return { kind: 'city', ...city, country: country ? nameOf(country) : null, severity_level: levelOf(code) }
}

function ofChurch({ locale: row }: DetailedRow, { find, now }: Rendering): Result<'church'> {
  const { service_schedules: schedules, ...locale } = wholeLocale(row)
  const [next] = momentsOf({ ...locale, schedules }, now, new Date(now.valueOf() + AHEAD_MS))
  const country = locale.country_code ? find(locale.country_code) : undefined
  return {
    kind: 'church',
    id: locale.id,
    name: locale.name,
    city: locale.city,
    country: country ? nameOf(country) : null,
    next:
      next && locale.timezone
        ? { starts_at: next.starts_at, in_progress: next.in_progress, timezone: locale.timezone }
        : null,
  }
}

const nameOf = ({ code, name, names }: Country) => ({ code, name, names })
