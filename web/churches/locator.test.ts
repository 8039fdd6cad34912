import { describe, expect, test } from 'vitest'
import { countLocales, listLocales } from '#shared/churches/endpoints.ts'
import '#web/lib/messages.server.ts'
import type { CallEndpoint } from '#web/lib/visitor.ts'
import { locatorFor } from './locator.server.ts'

const NONE = { locales: [], total: 0, corrected_search: null, place: null, places: [], guesses: [], is_nearest: false }
const LOCALE = {
  ...{ name: 'x', city: null, state_province: null, country: 'Japan', country_code: 'JP', distance_km: null },
  ...{ latitude: null, longitude: null, address_line1: null, address_line2: null, postal_code: null, timezone: null },
  ...{ phone: null, email: null, website: null, online_url: null, closed_since: null, closed_until: null },
  ...{ closed_reason: null, confirmed_at: null, languages: [], servants: [], service_schedules: [] },
}
const COUNTRIES = [
  { country: 'Japan', country_code: 'JP', locale_count: 38, active_count: 38, states: ['Chiba', 'Tokyo'] },
  { country: 'Italy', country_code: 'IT', locale_count: 5, active_count: 5, states: [] },
]

/** An API that returns the given value for each endpoint, and throws where it is an error. */
const apiOf = (answers: Record<string, unknown>) =>
  (async ({ key }: { key: string }) => {
    const answer = answers[key]
    if (answer instanceof Error) throw answer
    return answer
  }) as CallEndpoint

const locator = (answers: Record<string, unknown>, query = '', language: 'en' | 'ar' = 'en') =>
  locatorFor({
    api: apiOf({ [countLocales.key]: { countries: COUNTRIES }, [listLocales.key]: NONE, ...answers }),
    language,
    now: new Date('2026-11-21T12:00:00Z'),
    params: new URLSearchParams(query),
    callFirstAfterDays: 120,
  })

describe('data of the locator', () => {
  test('a failed search gives an empty list with a note, and keeps the form values', async () => {
    const shown = await locator({ [listLocales.key]: new Error('away') }, 'search=Tokyo&country=JP')
    expect(shown).toMatchObject({ hasFailed: true, rows: [], total: 0, states: ['Chiba', 'Tokyo'] })
    expect(shown.search).toMatchObject({ search: 'Tokyo', country: 'JP' })
  })

  test('a corrected spelling is suggested, and its churches are not shown as results', async () => {
    const others = { ...NONE, locales: [{ id: 'x', service_schedules: [] }], total: 1, corrected_search: 'shinjuku' }
    const shown = await locator({ [listLocales.key]: others }, 'search=shinjku')
    expect(shown).toMatchObject({
      rows: [],
      total: 0,
      guesses: [{ text: 'shinjuku', to: '/church-locator?search=shinjuku' }],
    })
  })

  test('groups that hide their place come last, and the rest stays in its order', async () => {
    const row = (id: string, discreet_mode: string) => ({ ...LOCALE, id, discreet_mode })
    const locales = [row('a', 'approximate'), row('b', 'exact'), row('c', 'contact_only'), row('d', 'exact')]
    const shown = await locator({ [listLocales.key]: { ...NONE, locales, total: 4 } })
    expect(shown.rows.map(({ id }) => id)).toEqual(['b', 'd', 'a', 'c'])
  })

  test('a misspelt city is offered with its country and its point', async () => {
    const city = { id: 1, name: 'Doha', country_code: 'QA', state_province: null, latitude: 25.3, longitude: 51.5 }
    const { guesses } = await locator({ [listLocales.key]: { ...NONE, guesses: [city] } }, 'near=Dhoa')
    expect(guesses).toMatchObject([{ to: '/church-locator?near=Doha&lat=25.3&lon=51.5' }])
  })

  test('only other places of the same name are offered beside a place that was found', async () => {
    const city = { id: 1, name: 'Doha', country_code: 'QA', state_province: null, latitude: 25.3, longitude: 51.5 }
    const places = [{ ...city, id: 2, name: 'Dohad', country_code: 'IN' }]
    expect((await locator({ [listLocales.key]: { ...NONE, place: city, places } }, 'near=Doha')).places).toEqual([])
  })

  test('without the counts per country there is still the list', async () => {
    const shown = await locator({ [countLocales.key]: new Error('away') })
    expect(shown).toMatchObject({ hasFailed: false, countries: [] })
  })

  test.each(['JP', 'jp', 'Japan', 'japan', 'اليابان'])('a country in the URL may be %s', async (country) => {
    const shown = await locator({}, new URLSearchParams({ country }).toString())
    expect([shown.search.country, shown.countryName, shown.states]).toEqual(['JP', 'Japan', ['Chiba', 'Tokyo']])
  })

  test('several countries in the URL are named, also those without a church', async () => {
    const shown = await locator({}, 'countries=JP,FJ', 'ar')
    expect(shown.search.countries).toEqual(['JP', 'FJ'])
    expect(shown.chips.map(({ text }) => text.replace(/[\u2068\u2069]/g, ''))).toEqual(['البلدان: اليابان، فيجي'])
  })

  test("countries are named and sorted in the user's language", async () => {
    const { countries } = await locator({}, '', 'ar')
    expect(countries).toEqual([
      { code: 'JP', name: 'اليابان', count: 38 },
      { code: 'IT', name: 'إيطاليا', count: 5 },
    ])
  })

  test('a place is shown with its country, others of its name are offered', async () => {
    const city = { id: 1, name: 'San Jose', country_code: 'CR', state_province: null, latitude: 9.9, longitude: -84.1 }
    const other = {
      ...city,
      id: 2,
      country_code: 'US',
      state_province: 'California',
      latitude: 37.3,
      longitude: -121.9,
    }
    const shown = await locator({ [listLocales.key]: { ...NONE, place: city, places: [other] } }, 'near=San+Jose')
    expect(shown.place!.text.replace(/[\u2068\u2069]/g, '')).toBe('San Jose, Costa Rica')
    expect(shown.places.map(({ point }) => point)).toEqual([{ lat: 37.3, lng: -121.9 }])
  })
})
