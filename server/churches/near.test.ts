import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { loadSampleChurches } from '#server/sample/churches.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import type { LocaleList } from '#shared/churches/endpoints.ts'
import { fold } from '#shared/countries/fold.ts'

const CITIES = [
  ['Tokyo', 'JP', null, 35.6895, 139.6917, 8_336_599, ['東京']],
  ['Doha', 'QA', null, 25.28545, 51.53096, 344_939, ['الدوحة']],
  ['Dohad', 'IN', null, 22.8, 74.2, 100_000, []],
  ['Paris', 'FR', null, 48.85, 2.35, 2_138_551, []],
  ['Paris', 'US', 'TX', 33.66, -95.55, 24_782, []],
  ['San Jose', 'CR', null, 9.93, -84.08, 335_000, []],
  ['San Jose', 'US', 'CA', 37.34, -121.89, 1_026_908, []],
  ['San Jose', 'PH', null, 12.35, 121.06, 118_000, []],
  ['Springfield', 'US', 'IL', 39.8, -89.64, 116_565, []],
  ['Springfield', 'US', 'MO', 37.2, -93.29, 166_810, []],
  ['Jordan', 'PH', null, 10.6, 122.6, 8_255, []],
  ['Tbilisi', 'GE', null, 41.7, 44.8, 1_049_498, []],
  ['Singapore', 'SG', null, 1.28, 103.85, 3_547_809, []],
  ['Shibuya Gardens', 'US', 'FL', 27, -81, 60_000, []],
] as const

const database = await testDatabase()
await loadSampleChurches(database, createLog('silent'))
await inBackground(database, 'test', (db) =>
  db
    .insertInto('cities')
    .values(
      CITIES.map(([name, country_code, state_province, latitude, longitude, population, others], id) => ({
        ...{ id: id + 1, name, country_code, state_province, latitude, longitude, population },
        search_text: `|${[name, ...others].map(fold).join('|')}|`,
      })),
    )
    .execute(),
)
const app = await testApp(database)

async function near(text: string, more = ''): Promise<LocaleList> {
  const response = await app.request(`http://portal.test/api/public/locales?near=${encodeURIComponent(text)}${more}`)
  expect([text, response.status]).toEqual([text, 200])
  return (await response.json()) as LocaleList
}
const placeOf = ({ place }: LocaleList) => place && [place.name, place.state_province ?? place.country_code].join(' ')

test.each([
  ['a city', 'Doha', 'Doha QA'],
  ['a city in another script', 'الدوحة', 'Doha QA'],
  ['with its state', 'Paris, Texas', 'Paris TX'],
  ['without the comma', 'paris tx', 'Paris TX'],
  ['with state and country', 'Paris, TX, USA', 'Paris TX'],
  ['with a postal code', 'Springfield, IL 62701', 'Springfield IL'],
  ['the largest of a name', 'San Jose', 'San Jose CA'],
  ['with its country', 'San Jose, Costa Rica', 'San Jose CR'],
  ['a street address that only its city locates', '12 Unknown Street, Springfield', 'Springfield MO'],
  ['a country that is a city too', 'Singapore', 'Singapore SG'],
  ['the beginning of a name', 'Tbili', 'Tbilisi GE'],
])('the one field finds %s: %s', async (_, text, place) => {
  expect(placeOf(await near(text))).toBe(place)
})

test('San Jose offers the others of its name', async () => {
  const { places } = await near('San Jose')
  expect(places.map(({ country_code }) => country_code)).toEqual(['CR', 'PH'])
})

test('a church, an address and a country are found in the churches, not taken for a city', async () => {
  for (const [text, first] of [
    ['Sample Locale Doha', 'Sample Locale Doha'],
    // Not the city Shibuya Gardens.
    ['shibuya', 'Sample Locale Shibuya'],
    ['0-0-0 Nishi-Shinjuku, Tokyo', 'Sample Locale Shinjuku'],
    ['서울', 'Sample Locale Seoul'],
    ['Japan', 'Group in Chiba'],
  ] as const) {
    const found = await near(text)
    expect([text, found.place, found.locales[0]?.name]).toEqual([text, null, first])
  }
  // The country, not the village of that name.
  expect(await near('Jordan')).toMatchObject({ place: null, total: 0 })
})

test('a misspelt city is asked about, never assumed', async () => {
  const found = await near('Dhoa')
  expect(found).toMatchObject({ place: null, guesses: [{ name: 'Doha', country_code: 'QA' }] })
  expect((await near('Tbilsi')).guesses).toMatchObject([{ name: 'Tbilisi' }])
  expect((await near('Tbilsi', '&country=JP')).guesses).toEqual([])
  expect((await near('Doha')).guesses).toEqual([])
  expect((await near('qqqqwwww')).guesses).toEqual([])
})

test('hostile and strange input is a text like any other', async () => {
  for (const text of [
    "'; drop table cities; --",
    '%',
    '|',
    '||',
    '_',
    '.*',
    '\\',
    '🙏',
    '()',
    ',,,',
    '95113',
    '123-4567',
  ])
    expect([text, (await near(text)).place]).toEqual([text, null])
})
