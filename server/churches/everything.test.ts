import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { loadSampleChurches } from '#server/sample/churches.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import type { SearchResult } from '#shared/countries/search.ts'

const CITIES = [
  ['Doha', 'QA', null, 344_939, '|doha|الدوحه|'],
  ['Dohad', 'IN', null, 100_000, '|dohad|'],
  ['San Jose', 'CR', null, 335_000, '|san jose|'],
  ['San Jose', 'US', 'CA', 1_026_908, '|san jose|'],
  ['San Jose', 'PH', null, 118_000, '|san jose|'],
  ['San José', 'PH', null, 100_000, '|san jose|'],
  ['Paris', 'FR', null, 2_138_551, '|paris|'],
  ['Paris', 'US', 'TX', 24_782, '|paris|'],
] as const

const database = await testDatabase()
await loadSampleChurches(database, createLog('silent'))
await inBackground(database, 'test', (db) =>
  db
    .insertInto('cities')
    .values(
      CITIES.map(([name, country_code, state_province, population, search_text], id) => ({
        ...{ id: id + 1, name, country_code, state_province, latitude: 1, longitude: 2, population, search_text },
      })),
    )
    .execute(),
)
// A Wednesday.
const app = await testApp(database, { now: () => new Date('2026-03-04T10:00:00Z') })

interface Answer {
  results: SearchResult[]
  is_guess: boolean
  churches_total: number
}

async function search(text: string, more = ''): Promise<Answer> {
  const response = await app.request(`http://portal.test/api/public/search?search=${encodeURIComponent(text)}${more}`)
  expect([text, response.status]).toEqual([text, 200])
  return (await response.json()) as Answer
}

const titleOf = (result: SearchResult) =>
  result.kind === 'country' ? result.country.name : `${result.name}, ${result.country?.code}`
const lines = ({ results }: Answer) => results.map((result) => `${result.kind} ${titleOf(result)}`)

test('cities, churches and countries are in one list, the likeliest first', async () => {
  expect(lines(await search('doh'))).toEqual([
    'city Doha, QA',
    'church Sample Locale Doha, QA',
    'city Dohad, IN',
    'country Qatar',
  ])
  expect(lines(await search('qatar'))[0]).toBe('country Qatar')
  expect(lines(await search('الدوحة')).slice(0, 2)).toEqual(['city Doha, QA', 'church Sample Locale Doha, QA'])
})

test('a church comes with its next service, a city with the level of its country', async () => {
  const { results } = await search('Sample Locale Doha')
  expect(results).toMatchObject([
    { kind: 'church', city: 'Doha', next: { starts_at: '2026-03-04T16:00:00.000Z', timezone: 'Asia/Qatar' } },
  ])
  const [city] = (await search('Doha')).results
  expect(city).toHaveProperty('severity_level')
})

test('cities of the same name are distinguished, and a state or country after it chooses', async () => {
  expect(lines(await search('San Jose')).filter((line) => line.startsWith('city'))).toEqual([
    'city San Jose, US',
    'city San Jose, CR',
    'city San Jose, PH',
  ])
  const paris = await search('Paris, Texas')
  expect(paris.results[0]).toMatchObject({ kind: 'city', state_province: 'TX' })
})

test('a misspelling is asked about, never assumed', async () => {
  for (const [text, first] of [
    ['Dhoa', 'city Doha, QA'],
    ['Japn', 'country Japan'],
    ['shinjku', 'church Sample Locale Shinjuku, JP'],
  ] as const) {
    const found = await search(text)
    expect([text, found.is_guess, lines(found)[0], found.churches_total]).toEqual([text, true, first, 0])
  }
  expect((await search('Doha')).is_guess).toBe(false)
})

test('no match says so', async () => {
  expect(await search('qqqqwwww')).toMatchObject({ results: [], is_guess: false, churches_total: 0 })
})

test('each kind has its limit, and the count of all matching churches stays', async () => {
  const { results, churches_total } = await search('sample', '&limit=3')
  expect([results.filter(({ kind }) => kind === 'church').length, churches_total > 40]).toEqual([3, true])
})

test('hostile and strange input is a text like any other', async () => {
  for (const text of [
    "'; drop table cities; --",
    '%',
    '|',
    '_',
    '.*',
    '\\',
    '🙏',
    ',,,',
    '(',
    '95113',
    '한국어',
    'ñ'.repeat(100),
  ])
    await search(text)
  for (const query of ['search=', 'search=x&limit=0', 'search=x&limit=99', `search=${'x'.repeat(101)}`, 'search=x&a=b'])
    expect((await app.request(`http://portal.test/api/public/search?${query}`)).status).toBe(422)
})
