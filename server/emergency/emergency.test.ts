import { expect, test } from 'vitest'
import { loadFacts, type ShippedFact } from '#server/assistant/facts/loader.ts'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { type Emergency, SITUATIONS, type Situation } from '#shared/emergency/endpoints.ts'
import { countryOfZone } from './emergency.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const YESTERDAY = '2026-11-21'

let made = 0
const hotline = (
  country_code: string | null,
  code: string,
  phone: string,
  more: Partial<ShippedFact> = {},
): ShippedFact => ({
  id: `hotline.test.${++made}`,
  kind: 'hotline',
  country_code,
  code,
  purpose: null,
  value: { phone },
  source_title: 'Ministry',
  source_url: 'https://www.gov.uk/foreign-travel-advice/somewhere',
  checked_on: '2026-04-22',
  valid_until: '2027-04-22',
  position: made,
  ...more,
})
const OLD = { checked_on: '2024-01-01', valid_until: YESTERDAY }

const database = await testDatabase()
/** The database connections of the requests, which a test can take away. */
let isAway = false
const breakable: Database = {
  ...database,
  requests: new Proxy(database.requests, {
    get: (connections, name) => {
      if (isAway) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
      return connections[name as keyof typeof connections]
    },
  }),
}
await inBackground(database, 'test', (db) =>
  loadFacts(db, [
    hotline('QA', 'emergency', '999'),
    hotline('QA', 'police', '999'),
    hotline('QA', 'domestic_violence', '919', OLD),
    hotline('JP', 'fire', '119', { position: 900 }),
    hotline('JP', 'police', '110', { position: 901 }),
    hotline('JP', 'ambulance', '119', { position: 902 }),
    hotline('JP', 'embassy', '+81 3 5562 1600', OLD),
    // The older one is first in its list: it must not come first on the page.
    hotline('KW', 'police', '777', { ...OLD, position: 0 }),
    hotline('KW', 'police', '112', { position: 999 }),
    hotline('KW', 'embassy', '+965 2534 9099', { value: { phone: '+965 2534 9099', name: 'Philippine Embassy' } }),
    hotline('KW', 'embassy', '+965 2531 8090', {
      value: { phone: '+965 2531 8090', name: 'Embassy of Indonesia', nationality: 'ID' },
    }),
    hotline('EG', 'police', '122', OLD),
    hotline('EG', 'ambulance', '123'),
    hotline(null, 'home_government', '+63 2 1348'),
    hotline(null, 'suicide_prevention', '+63 917 899 8727'),
    hotline('SG', 'suicide_prevention', '1767'),
  ]),
)
const app = await testApp(breakable, { now: () => NOW })
const admin = await createTestUser(database, 'admin')

const request = createApiClient(app)
const ask = (path: string, as: string | null = null) => request(as, 'GET', path)
const emergency = async (query: string): Promise<Emergency> => (await ask(`public/emergency?${query}`)).body
const phones = (numbers: readonly { phone: string }[]) => numbers.map(({ phone }) => phone)
const helpIn = ({ situations }: Emergency, situation: Situation) =>
  situations.find((help) => help.situation === situation)!

test('in Qatar the number to call first is 999, with the date of its confirmation', async () => {
  const { country, first, services, local_older } = await emergency('country=QA')
  expect(country).toBe('QA')
  expect(first).toMatchObject({ code: 'emergency', phone: '999', checked_on: '2026-04-22', is_expired: false })
  expect(services).toEqual([])
  expect(local_older).toEqual([])
  expect(await emergency('country=qa')).toMatchObject({ country: 'QA' })
})

test('without a single number, the police come first, then ambulance and fire, also where they share one', async () => {
  const { first, services } = await emergency('country=JP')
  expect(first).toMatchObject({ code: 'police', phone: '110' })
  expect(services.map(({ code, phone }) => [code, phone])).toEqual([
    ['ambulance', '119'],
    ['fire', '119'],
  ])
})

test('a confirmed number comes before an unconfirmed one, whatever their order; outdated ones are separate', async () => {
  const page = await emergency('country=KW')
  expect(page.first).toMatchObject({ phone: '112' })
  expect(phones(page.local_older)).toEqual(['777'])
  expect(helpIn(page, 'hurt')).toMatchObject({ number: { phone: '112' } })
  expect(phones(helpIn(page, 'hurt').older)).toEqual(['777'])
})

test('a country with an outdated police number has none to call first, and an official page to check', async () => {
  const page = await emergency('country=EG')
  expect(page.first).toBeNull()
  // An ambulance covers one kind of emergency, so it is not the first number.
  expect(phones(page.services)).toEqual(['123'])
  expect(helpIn(page, 'ill').number).toMatchObject({ phone: '123' })
  expect(phones(page.local_older)).toEqual(['122'])
  expect(page.pages.local).toBe('https://www.gov.uk/foreign-travel-advice/somewhere')
  expect(helpIn(page, 'hurt').number).toBeNull()
})

test('a country without any data has no number, and none of another country', async () => {
  const page = await emergency('country=NE')
  expect(page.first).toBeNull()
  expect([page.services, page.local_older, page.missions, page.missions_older]).toEqual([[], [], [], []])
  expect(page.pages).toEqual({ local: 'https://www.gov.uk/foreign-travel-advice', mission: 'https://dfa.gov.ph/' })
  // Reachable from anywhere.
  expect(helpIn(page, 'arrested').number).toMatchObject({ phone: '+63 2 1348', country_code: null })
  expect(helpIn(page, 'ill').number).toBeNull()
})

test('the country’s own line comes before one reachable from anywhere', async () => {
  expect(helpIn(await emergency('country=SG'), 'alone').number).toMatchObject({ phone: '1767' })
  expect(helpIn(await emergency('country=QA'), 'alone').number).toMatchObject({ phone: '+63 917 899 8727' })
})

test('embassies of several countries are labelled with their countries', async () => {
  const { missions } = await emergency('country=KW')
  expect(missions.map(({ name, nationality }) => [name, nationality])).toEqual([
    ['Philippine Embassy', null],
    ['Embassy of Indonesia', 'ID'],
  ])
})

test('without a country there are no country numbers, but all six situations', async () => {
  const page = await emergency('')
  expect(page.country).toBeNull()
  expect([page.first, page.services, page.missions]).toEqual([null, [], []])
  expect(page.situations.map(({ situation }) => situation)).toEqual([...SITUATIONS])
})

test.each([
  ['country=ZZ', 404, 'Country not found. Choose one from the list.'],
  ['country=Q', 422, undefined],
  ['country=QAT', 422, undefined],
  ['place=QA', 422, undefined],
])('%s is rejected', async (query, status, error) => {
  const answer = await ask(`public/emergency?${query}`)
  expect(answer.status).toBe(status)
  if (error) expect(answer.body.error).toBe(error)
})

test('a device’s time zone implies a country only if a single country has that zone', async () => {
  expect((await emergency('zone=Asia/Qatar')).country).toBe('QA')
  expect((await emergency('zone=UTC')).country).toBeNull()
  expect((await emergency('zone=Mars/Base')).country).toBeNull()
  const countries = createCountries()
  expect(countryOfZone(countries, 'Europe/Belgrade')).toBeNull()
  expect((await ask('public/emergency/first?zone=Asia/Kuwait')).body).toMatchObject({
    country: 'KW',
    number: { phone: '112', code: 'police' },
  })
  // Known, but without a confirmed first number.
  expect((await ask('public/emergency/first?zone=Africa/Cairo')).body).toMatchObject({ country: 'EG', number: null })
})

test('every country is in the list; one without a confirmed number says so instead of showing an outdated one', async () => {
  const { countries } = (await ask('public/emergency/countries')).body
  expect(countries).toHaveLength(createCountries().all().length)
  const of = (code: string) => countries.find((country: { code: string }) => country.code === code)
  expect(of('QA').number).toEqual({ phone: '999', code: 'emergency' })
  expect(of('EG').number).toBeNull()
})

test('a name leads to its country; a misspelling gives suggestions only, and an unknown name finds none', async () => {
  const find = async (search: string) =>
    (await ask(`public/emergency/countries?search=${encodeURIComponent(search)}`)).body
  expect((await find('Qatar')).exact).toBe('QA')
  expect((await find('قطر')).exact).toBe('QA')
  expect(await find('Qatr')).toMatchObject({ exact: null, countries: [expect.objectContaining({ code: 'QA' })] })
  expect((await find('Doha')).countries[0].code).toBe('QA')
  expect(await find('Wakanda')).toEqual({ success: true, exact: null, countries: [] })
})

test('the ministry has no line until an administrator sets one; an invalid number is rejected', async () => {
  expect((await emergency('country=QA')).line).toBeNull()
  const set = (values: object) => request(admin.as, 'PUT', 'admin-operations/settings', { values })
  expect((await set({ 'emergency.line_phone': 'call us' })).status).toBe(422)
  expect((await emergency('country=QA')).line).toBeNull()
  expect(
    (
      await set({
        'emergency.line_phone': '+63 917 123 4567',
        'emergency.line_languages': 'English, Tagalog',
        'emergency.line_from': '06:00',
        'emergency.line_until': '22:00',
      })
    ).status,
  ).toBe(200)
  await app.readModel.catchUp()
  expect((await emergency('country=QA')).line).toEqual({
    phone: '+63 917 123 4567',
    languages: 'English, Tagalog',
    from: '06:00',
    until: '22:00',
    time_zone: 'UTC',
  })
})

test('only an administrator sets the line', async () => {
  const traveler = await createTestUser(database, 'traveler')
  for (const [as, status] of [
    [traveler.as, 403],
    [null, 401],
  ] as const) {
    const values = { 'emergency.line_phone': '+63 917 000 0000' }
    const response = await request(as, 'PUT', 'admin-operations/settings', { values })
    expect(response.status).toBe(status)
  }
})

test('while the database is unavailable the numbers are still shown', async () => {
  isAway = true
  try {
    expect((await emergency('country=JP')).first).toMatchObject({ phone: '110' })
    expect((await ask('public/emergency/countries?search=Japan')).body.exact).toBe('JP')
    expect((await ask('public/emergency/first?zone=Asia/Tokyo')).body.number.phone).toBe('110')
    // What is only in the database gives an error, rather than the answer for no country.
    expect((await ask('account/place', admin.as)).status).toBe(503)
  } finally {
    isAway = false
  }
})
