import { type City, searchCities } from '#shared/churches/endpoints.ts'
import { fold } from '#shared/countries/fold.ts'
import { type CountryNumber, listEmergencyNumbers } from '#shared/emergency/endpoints.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { api, attempt, visitorOf } from '#web/lib/visitor.ts'
import { inTime } from './place.server.ts'

type Context = Parameters<typeof visitorOf>[0]

/** Where most users live and work. */
const POPULAR = ['SA', 'AE', 'QA', 'KW', 'HK', 'JP', 'SG', 'TW', 'PH']

export type NamedNumber = CountryNumber & { name: string; city?: string }
const MAX_CITIES = 4

/** The most needed numbers, and the number of countries. */
export async function popularNumbers(context: Context): Promise<{ rows: NamedNumber[]; total: number }> {
  const { countries } = await api(context)(listEmergencyNumbers)
  const rows = POPULAR.flatMap((code) => countries.find((country) => country.code === code) ?? [])
  return { rows: named(context, rows), total: countries.length }
}

/** All countries by name, and those matching a search: countries first, then the largest cities of that name. */
export async function findNumbers(context: Context, search: string) {
  const { language } = visitorOf(context)
  const call = api(context)
  const [all, found, cities] = await Promise.all([
    call(listEmergencyNumbers),
    search ? call(listEmergencyNumbers, { query: { search } }) : undefined,
    search ? citiesOf(context, search) : [],
  ])
  const rows = named(context, all.countries)
  const meant = found ? named(context, found.countries) : null
  // If countries match, a city adds only another country, and only by its full name.
  const isMeant = ({ name, country_code }: City) =>
    meant?.length === 0 || (fold(name) === fold(search) && !meant?.some(({ code }) => code === country_code))
  return {
    all: rows.sort((a, b) => a.name.localeCompare(b.name, language)),
    found: meant && [...meant, ...cities.filter(isMeant).flatMap((city) => inCity(city, rows))],
    exact: found?.exact ?? null,
  }
}

/** Cities are in the database: without it, countries are still found. */
async function citiesOf(context: Context, search: string): Promise<City[]> {
  const found = attempt(context, (call) => call(searchCities, { query: { search, limit: MAX_CITIES } })).then(
    ({ done }) => done?.cities ?? [],
    () => [],
  )
  return inTime(found, [])
}

const inCity = (city: City, rows: readonly NamedNumber[]): NamedNumber[] =>
  rows.filter(({ code }) => code === city.country_code).map((row) => ({ ...row, city: city.name }))

function named(context: Context, countries: readonly CountryNumber[]): NamedNumber[] {
  const nameOf = nameIn(visitorOf(context).language)
  return countries.map((country) => ({ ...country, name: nameOf(country.code) }))
}
