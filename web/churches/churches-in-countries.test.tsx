import { describe, expect, test } from 'vitest'
import { markupOf, textOf } from '#web/advisories/markup.tsx'
import '#web/lib/messages.server.ts'
import type { CallEndpoint } from '#web/lib/visitor.ts'
import { ChurchPanel } from './ChurchPanel.tsx'
import { churchesIn } from './churches-in-countries.server.ts'

const COUNTRIES = ['Japan', 'Italy', 'Fiji', 'Qatar'].map((name) => ({ code: name.slice(0, 2).toUpperCase(), name }))

interface Query {
  country: string
  limit: number
}

/** An API with the given number of churches in each country; a negative number fails. */
function apiWith(counts: Record<string, number>) {
  const queries: Query[] = []
  const api = (async (_: unknown, { query }: { query: Query }) => {
    queries.push(query)
    const count = counts[query.country] ?? 0
    if (count < 0) throw new Error('away')
    const locales = Array.from({ length: Math.min(count, query.limit) }, (_, i) => ({
      id: `${query.country}-${i}`,
      name: `Church ${i}`,
      // The first ones by name do not publish their address.
      discreet_mode: i < 2 ? 'approximate' : 'exact',
      city: 'City',
      address_line1: `Street ${i}`,
      country: query.country,
      country_code: query.country,
    }))
    return { locales, total: count }
  }) as CallEndpoint
  return { api, asked: queries }
}

const of = (counts: Record<string, number>, countries = COUNTRIES, isAll = false) =>
  churchesIn(apiWith(counts).api, countries, { language: 'en', isAll })

describe('churches in the countries of an advisory', () => {
  test('three are shown of twice as many fetched, those with an address first', async () => {
    const { api, asked: queries } = apiWith({ JA: 12 })
    const { countries } = await churchesIn(api, COUNTRIES.slice(0, 1), { language: 'en' })
    expect(queries).toEqual([{ country: 'JA', limit: 6 }])
    expect(countries[0]!.locales.map(({ name }) => name)).toEqual(['Church 2', 'Church 3', 'Church 4'])
    expect(countries[0]!.total).toBe(12)
  })

  test('the details of an advisory show five of eight (ADV-DETAIL-17)', async () => {
    const { api, asked: queries } = apiWith({ JA: 8 })
    const { countries } = await churchesIn(api, COUNTRIES.slice(0, 1), { language: 'en', shown: 5 })
    expect(queries).toEqual([{ country: 'JA', limit: 10 }])
    expect(countries[0]!.locales).toHaveLength(5)
    expect(countries[0]!.total).toBe(8)
  })

  test('only the first two countries, or all on request', async () => {
    expect((await of({})).countries.map(({ name }) => name)).toEqual(['Japan', 'Italy'])
    expect((await of({}, COUNTRIES, true)).countries).toHaveLength(4)
  })

  test('a group that does not publish its address has none here', async () => {
    const { countries } = await of({ JA: 1 }, COUNTRIES.slice(0, 1))
    expect(countries[0]!.locales[0]).toMatchObject({ name: 'Group in City', address: '' })
  })
})

describe('the panel', () => {
  const panel = async (counts: Record<string, number>, countries = COUNTRIES, isCompact = false) =>
    markupOf(<ChurchPanel churches={await of(counts, countries)} heading="h2" all="/all" isCompact={isCompact} />)

  test('links to more only if more than two countries are affected', async () => {
    expect(await panel({ JA: 1 }, COUNTRIES.slice(0, 3))).toContain('href="/find-churches?countries=JA,IT,FI"')
    expect(textOf(await panel({ JA: 1 }, COUNTRIES.slice(0, 2)))).not.toContain('Find More Churches')
  })

  test('links to the whole locator if more countries are affected than a search takes', async () => {
    const many = Array.from({ length: 40 }, (_, i) => ({
      code: `A${String.fromCharCode(65 + (i % 26))}`,
      name: `${i}`,
    }))
    expect(await panel({ AA: 1 }, many)).toContain('href="/find-churches"')
  })

  test('names the countries that failed to load, and shows the others', async () => {
    const text = textOf(await panel({ JA: 4, IT: -1 }))
    expect(text).toContain('Could not load church information for Italy')
    expect(text).toContain('Church 2')
  })

  test('says so when nothing could be loaded at all', async () => {
    expect(textOf(await panel({ JA: -1, IT: -1 }))).toContain('Failed to load church information')
  })

  test('says so where none is known', async () => {
    expect(textOf(await panel({ JA: 0 }, COUNTRIES.slice(0, 1)))).toContain('No MCGI churches found in Japan')
  })

  test('is collapsed or open', async () => {
    expect(await panel({ JA: 1 }, COUNTRIES, true)).toMatch(/<details(?![^>]*open)/)
    expect(await panel({ JA: 1 })).not.toContain('<details')
  })

  test('is absent if no country is named', async () => {
    expect(await panel({}, [])).toBe('')
  })
})
