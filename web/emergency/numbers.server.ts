import { type CountryNumber, listEmergencyNumbers } from '#shared/emergency/endpoints.ts'
import { nameIn } from '../advisories/reader.server.ts'
import { api, visitorOf } from '../lib/visitor.ts'

type Context = Parameters<typeof visitorOf>[0]

/** Where most readers live and work. */
const POPULAR = ['SA', 'AE', 'QA', 'KW', 'HK', 'JP', 'SG', 'TW', 'PH']

export type NamedNumber = CountryNumber & { name: string }

/** The numbers that are needed most, and how many countries there are. */
export async function popularNumbers(context: Context): Promise<{ rows: NamedNumber[]; total: number }> {
  const { countries } = await api(context)(listEmergencyNumbers)
  const rows = POPULAR.flatMap((code) => countries.find((country) => country.code === code) ?? [])
  return { rows: named(context, rows), total: countries.length }
}

/** All countries by name, or those a text may mean, best first. */
export async function findNumbers(context: Context, search: string) {
  const { language } = visitorOf(context)
  const call = api(context)
  const [all, found] = await Promise.all([
    call(listEmergencyNumbers),
    search ? call(listEmergencyNumbers, { query: { search } }) : undefined,
  ])
  return {
    all: named(context, all.countries).sort((a, b) => a.name.localeCompare(b.name, language)),
    found: found ? named(context, found.countries) : null,
    exact: found?.exact ?? null,
  }
}

function named(context: Context, countries: readonly CountryNumber[]): NamedNumber[] {
  const nameOf = nameIn(visitorOf(context).language)
  return countries.map((country) => ({ ...country, name: nameOf(country.code) }))
}
