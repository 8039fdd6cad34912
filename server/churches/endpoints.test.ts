import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { callerOf, NOBODY } from '#server/http/session.ts'
import { createLog } from '#server/log.ts'
import { loadSampleChurches } from '#server/sample/churches.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import type { FoundLocale, LocaleList } from '#shared/churches/endpoints.ts'

const database = await testDatabase()
await loadSampleChurches(database, createLog('silent'))
await inBackground(database, 'test', (db) =>
  db
    .insertInto('cities')
    .values(
      (
        [
          [1, 'Tokyo', 'JP', 35.6895, 139.6917, 8_336_599, '|tokyo|edo|'],
          [2, 'Bathinda', 'IN', 30.2, 74.9, 285_788, '|bathinda|'],
          [3, 'Bath', 'GB', 51.38, -2.36, 94_782, '|bath|'],
          [4, 'New Tokyo', 'US', 0, 10, 5_000, '|new tokyo|'],
        ] as const
      ).map(([id, name, country_code, latitude, longitude, population, search_text]) => ({
        ...{ id, name, country_code, latitude, longitude, population, search_text },
        state_province: null,
      })),
    )
    .execute(),
)
const app = await testApp(database)

async function ask<T = LocaleList>(path: string): Promise<T> {
  const response = await app.request(`http://portal.test/api${path}`)
  const body = (await response.json()) as T & { error?: string }
  if (response.status !== 200) throw new Error(`${response.status} ${body.error}`)
  return body
}
const list = (query: string) => ask(`/public/locales?${query}`)
const names = ({ locales }: { locales: FoundLocale[] }) => locales.map(({ name }) => name.replace('Sample Locale ', ''))

test('a locale has all fields that the locator documents', async () => {
  const { locales, total } = await list('search=shinjuku')
  expect(total).toBe(1)
  expect(locales[0]).toMatchObject({
    source_type: 'locale',
    name: 'Sample Locale Shinjuku',
    city: 'Shinjuku',
    country: 'Japan',
    state_province: 'Tokyo',
    address: '0-0-0 Nishi-Shinjuku',
    address_line1: '0-0-0 Nishi-Shinjuku',
    latitude: 35.6938,
    longitude: 139.7034,
    has_physical_locale: true,
    locale_status: 'active',
    website: null,
    chapter_name: 'Sample Chapter Tokyo',
    distance_km: null,
  })
  expect(locales[0]!.service_schedules.map(({ day, time, recurrence }) => [day, time, recurrence])).toEqual([
    ['Wednesday', '19:00', null],
    ['Saturday', '18:00', null],
    ['Sunday', '10:00', null],
    [null, '14:00', 'FREQ=MONTHLY;BYDAY=-1SA'],
  ])
})

test('search covers name, common name, city, state, address and the local-script names', async () => {
  for (const [search, name] of [
    ['locale shinjuku', 'Shinjuku'],
    ['oud metha', 'Dubai'],
    ['KÖLN', 'Cologne'],
    ['koln', 'Cologne'],
    ['tuscany', 'Florence'],
    ['sesoko', null],
    ['torstrasse', 'Berlin'],
    ['東京都足立区', 'Adachi'],
    ['الشارقة', 'Sharjah'],
    ['dubai', 'Dubai'],
    ['الشارقه', 'Sharjah'],
    ['서울', 'Seoul'],
    ['osmena', 'Cebu City'],
  ] as const)
    expect([search, names(await list(`search=${encodeURIComponent(search)}&limit=1`))[0] ?? null]).toEqual([
      search,
      name,
    ])
})

test('commas, parentheses and percent signs are spaces; a text of nothing else counts as empty', async () => {
  const all = (await list('limit=1')).total
  expect((await list(`search=${encodeURIComponent(',()%')}&limit=1`)).total).toBe(all)
  expect(names(await list(`search=${encodeURIComponent('(shinjuku),%locale')}`))).toEqual(['Shinjuku'])
  expect((await list('search=______')).total).toBe(0)
  // A wildcard would not be a correction.
  expect((await list('search=s_injuku')).corrected_search).toBe('shinjuku')
  expect((await list(`search=${'x'.repeat(10_000)}`)).total).toBe(0)
  await expect(list(`search=${'x'.repeat(10_001)}`)).rejects.toThrow('422')
})

test('a country is matched by code, name, alias or a part; a full name matches it alone', async () => {
  const total = async (country: string) => (await list(`country=${encodeURIComponent(country)}&limit=1`)).total
  const japan = await total('JP')
  expect(japan).toBe(12)
  for (const country of ['jp', 'Japan', 'JAPAN', 'jap', '日本', 'اليابان'])
    expect([country, await total(country)]).toEqual([country, japan])
  expect(await total('Niger')).toBe(0)
  expect(await total('nowhere')).toBe(0)
  expect(await total('')).toBe((await list('limit=1')).total)
})

test('several countries are listed by their codes (C-05)', async () => {
  const total = async (query: string) => (await list(`${query}&limit=1`)).total
  const [japan, italy] = [await total('country=JP'), await total('country=IT')]
  expect(await total('countries=JP,IT')).toBe(japan + italy)
  expect(await total('countries=JP,JP')).toBe(japan)
  expect(await total('countries=JP,IT&country=IT')).toBe(italy)
  expect(await total('countries=JP&country=IT')).toBe(0)
  // A place is looked for in these countries only.
  expect((await list('near=bath&countries=IN,JP')).place).toMatchObject({ id: 2 })
  for (const bad of ['Japan', 'JP,', 'jp', 'JP;IT', `JP${',IT'.repeat(40)}`])
    await expect(list(`countries=${encodeURIComponent(bad)}`)).rejects.toThrow('422')
})

test('a country named in the search narrows it to that country', async () => {
  expect(names(await list('search=dubai+uae'))).toEqual(['Dubai'])
  expect((await list('search=south+korea')).total).toBe(3)
  expect((await list('search=tokyo+italy')).total).toBe(0)
})

test('city, state, language, building and online narrow the list', async () => {
  expect(names(await list('city=Chri'))).toEqual(['Christchurch'])
  expect(names(await list('state_province=hokk'))).toEqual(['Asahikawa', 'Sapporo'])
  expect((await list('language=ja&limit=1')).total).toBe(12)
  expect((await list('language=zh&limit=1')).total).toBe(5)
  expect(names(await list('online=true'))).toEqual(['Manila'])
  const discreet = await list('has_physical_building=false')
  expect(discreet.locales.map(({ name }) => name)).toEqual([
    'Group in Chiba',
    ...Array(3).fill('Group in Saudi Arabia'),
  ])
})

test('the list is sorted by name, in pages', async () => {
  const all = await list('limit=1000')
  expect(all.total).toBe(all.locales.length)
  expect(all.locales.map(({ name }) => name)).toEqual(all.locales.map(({ name }) => name).toSorted())
  const page = await list('limit=7&offset=14')
  expect(page.locales).toEqual(all.locales.slice(14, 21))
  expect((await list('limit=5&offset=1000000')).locales).toEqual([])
})

test('within a radius the nearest are first, with their distance, across the date line too', async () => {
  const near = await list('lat=35.69&lng=139.70&radius=25')
  expect(names(near)).toEqual(['Shinjuku', 'Shibuya', 'Adachi', 'Kawasaki'])
  expect(near.locales[0]!.distance_km).toBeCloseTo(0.522, 2)
  expect(near.is_nearest).toBe(false)
  // Suva is on the other side of the 180th meridian.
  expect(names(await list('lat=-17&lng=-179.9&radius=300'))).toEqual(['Taveuni', 'Suva'])
})

test('with nothing in the radius the five nearest are returned and marked as such', async () => {
  const far = await list('lat=0&lng=0&radius=10')
  expect(far).toMatchObject({ is_nearest: true, total: 5 })
  expect(names(far)[0]).toBe('Naples')
  expect(names(await list('lat=0&lng=0&radius=10&country=NZ'))).toHaveLength(4)
})

test('a point without a radius filters nothing, nearest first and those without a point last; a radius alone is ignored', async () => {
  const all = await list('lat=35.69&lng=139.70&limit=1000')
  expect(all.total).toBe((await list('limit=1')).total)
  expect(names(all)[0]).toBe('Shinjuku')
  expect(all.locales.slice(-3).map(({ distance_km }) => distance_km)).toEqual([null, null, null])
  expect((await list('radius=10&limit=1000')).locales).toEqual((await list('limit=1000')).locales)
  await expect(list('lat=91&lng=0')).rejects.toThrow('422')
  for (const radius of [-5, 0, 30_000]) await expect(list(`lat=1&lng=0&radius=${radius}`)).rejects.toThrow('422')
})

test('near a named place: the best match, and others of the name', async () => {
  const tokyo = await list('near=tokyo&radius=25')
  expect(tokyo).toMatchObject({ place: { id: 1, name: 'Tokyo' }, places: [{ id: 4 }] })
  expect(names(tokyo)[0]).toBe('Shinjuku')
  expect((await list('near=Edo')).place).toMatchObject({ id: 1 })
  expect((await list('near=bath')).place).toMatchObject({ id: 3 })
  expect((await list('near=bath&country=India')).place).toMatchObject({ id: 2 })
})

test('an unknown place is searched for in the text', async () => {
  const found = await list('near=%E6%96%B0%E5%AE%BF')
  expect(found.place).toBeNull()
  expect(names(found)).toEqual(['Shinjuku'])
})

test('one locale by its id; an unknown id finds none', async () => {
  const [locale] = (await list('search=shinjuku')).locales
  const { distance_km: _, ...same } = locale!
  expect((await ask<{ locale: unknown }>(`/public/locales/${locale!.id}`)).locale).toEqual(same)
  expect((await ask<{ locale: unknown }>('/public/locales/00000000-0000-4000-8000-000000000000')).locale).toBeNull()
})

test('the number of locales per country, and its states', async () => {
  const { countries } = await ask<{ countries: { country_code: string }[] }>('/public/locales/countries')
  expect(countries).toHaveLength(16)
  expect(countries.find(({ country_code }) => country_code === 'NZ')).toEqual({
    country: 'New Zealand',
    country_code: 'NZ',
    locale_count: 4,
    active_count: 4,
    states: ['Canterbury'],
  })
})

test('map points exclude hidden locations and mark approximate ones', async () => {
  const { points } = await ask<{ points: unknown[][] }>('/public/locales/points')
  expect(points).toHaveLength((await list('limit=1')).total - 3)
  expect(points.filter((point) => point[3] === 1)).toMatchObject([
    [expect.any(String), 35.6, 140.1, 1, 'Group in Chiba'],
  ])
})

test("the locator's function gives the same", async () => {
  const found = await ask<LocaleList & { success: boolean }>('/functions/church-locator?search=dubai&limit=20')
  expect(found.success).toBe(true)
  expect(names(found)).toEqual(['Dubai'])
})

test('places by the beginning of a name', async () => {
  const { cities } = await ask<{ cities: { name: string }[] }>('/public/cities?search=ba')
  expect(cities.map(({ name }) => name)).toEqual(['Bathinda', 'Bath'])
})

test('a typing error still finds results, and the response names the corrected spelling', async () => {
  for (const [input, spelling, name] of [
    ['shinjku', 'shinjuku', 'Shinjuku'],
    ['hachoiji', 'hachioji', 'Hachioji'],
    ['Sapporro', 'sapporo', 'Sapporo'],
    ['christchruch', 'christchurch', 'Christchurch'],
    ['locale iliolo', 'locale iloilo', 'Iloilo City'],
    ['Йокогама', 'yokohama', 'Yokohama'],
    ['Ναπολι', 'napoli', 'Naples'],
  ] as const) {
    const found = await list(`search=${encodeURIComponent(input)}`)
    expect([input, found.corrected_search, names(found)[0]]).toEqual([input, spelling, name])
  }
  expect((await list('search=shinjuku')).corrected_search).toBeNull()
  expect(await list('search=qqqqwwww')).toMatchObject({ total: 0, corrected_search: null })
  expect(await list('search=shinjku&country=IT')).toMatchObject({ total: 0, corrected_search: null })
})

test('an error names the failed operation', async () => {
  const { search, find, all } = app.models.churches
  const broken = () => {
    throw new Error('broken')
  }
  Object.assign(app.models.churches, { search: broken, find: broken, all: broken })
  app.responseCache.clear()
  for (const [path, message] of [
    ['/public/locales', 'Failed to fetch public locales: An unexpected'],
    ['/public/locales?search=x', 'Failed to search locales: An unexpected'],
    ['/public/locales/00000000-0000-4000-8000-000000000000', 'Failed to fetch locale: An unexpected'],
    ['/public/locales/countries', 'Failed to fetch countries: An unexpected'],
  ] as const)
    await expect(ask(path)).rejects.toThrow(`500 ${message}`)
  Object.assign(app.models.churches, { search, find, all })
})

test('a program gets exactly what a page is made from', async () => {
  for (const query of [
    { search: 'tokyo' },
    { lat: 35.69, lng: 139.69, radius: 50 },
    { country: 'SA' },
    { search: 'zzzz' },
  ]) {
    const { success, ...overHttp } = await ask<object & { success?: true }>(
      `/public/locales?${new URLSearchParams(query as never)}`,
    )
    const inProcess = await app.router.call(callerOf(NOBODY), 'GET /public/locales', { query })
    expect(success).toBe(true)
    expect(overHttp).toEqual(inProcess)
  }
})
