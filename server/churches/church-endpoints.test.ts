import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { loadSampleChurches } from '#server/sample/churches.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import type { Church } from '#shared/churches/church.ts'
import type { PublicChapter } from '#shared/churches/public-chapters.ts'
import { searchChurches } from './church-search.ts'
import { searchGoogle } from './google-places.ts'

const database = await testDatabase()
await loadSampleChurches(database, createLog('silent'))
const inside = <T>(fn: Parameters<typeof inBackground<T>>[2]) => inBackground(database, 'test', fn)
const app = await testApp(database)

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await app.request(`http://portal.test/api${path}`, init)
  const body = (await response.json()) as T & { error?: string }
  if (response.status !== 200) throw new Error(`${response.status} ${body.error}`)
  return body
}
const chapters = async (query: string) =>
  (await ask<{ chapters: PublicChapter[] }>(`/public/chapters?${query}`)).chapters
const churches = (query: string) =>
  ask<{ churches: Church[]; corrected_search: string | null; is_nearest: boolean }>(`/public/churches?${query}`)

test('chapters are found by name and city, by country, and within 50 km of a point unless another radius is set', async () => {
  expect((await chapters('')).map(({ chapter_name }) => chapter_name)).toEqual([
    'Sample Chapter Dubai',
    'Sample Chapter Rome',
    'Sample Chapter Tokyo',
  ])
  expect(await chapters('search=(rome),%25')).toHaveLength(1)
  expect(await chapters('search=%25')).toHaveLength(3)
  expect(await chapters('search=_ome')).toHaveLength(0)
  expect(await chapters('country=jap')).toMatchObject([{ country: 'Japan', city: 'Tokyo' }])
  // Yokohama is about 27 km from there, Chiba too; Nagoya is not.
  expect(await chapters('lat=35.44&lng=139.64')).toMatchObject([{ city: 'Tokyo', distance_km: expect.any(Number) }])
  expect(await chapters('lat=35.18&lng=136.9')).toEqual([])
  expect(await chapters('lat=35.18&lng=136.9&radius=300')).toHaveLength(1)
})

test('a chapter’s contact is never returned, nor searchable', async () => {
  await inside((db) =>
    db
      .insertInto('mfa_local_chapters')
      .values({
        chapter_name: 'Chapter of Lyon',
        city: 'Lyon',
        country_code: 'FR',
        contact_person: 'Jeanne Secret',
        contact_phone: '+33 000',
        search_text: 'chapter of lyon | lyon | jeanne secret',
        is_public: true,
      })
      .execute(),
  )
  expect(await chapters('search=lyon')).toHaveLength(1)
  expect(await chapters('search=jeanne')).toEqual([])
  expect((await churches('search=jeanne')).churches).toEqual([])
  expect(JSON.stringify([await chapters(''), await churches('search=lyon')])).not.toMatch(/Jeanne|\+33/i)
})

test('a church has the fields that the assistant and the panels read', async () => {
  const found = await churches('search=shinjuku')
  expect(found.churches).toHaveLength(1)
  expect(found.churches[0]).toEqual({
    id: expect.any(String),
    source_type: 'locale',
    name: 'Sample Locale Shinjuku',
    address: '0-0-0 Nishi-Shinjuku',
    city: 'Shinjuku',
    state: 'Tokyo',
    country: 'Japan',
    phone: '+00 00 0000 0001',
    email: 'locale-1@sample.invalid',
    latitude: 35.6938,
    longitude: 139.7034,
    distance_km: null,
    serviceSchedules: [
      { day: 'Wednesday', time: '19:00', type: 'prayer_meeting' },
      { day: 'Saturday', time: '18:00', type: 'thanksgiving' },
      { day: 'Sunday', time: '10:00', type: 'worship_service' },
      { day: null, time: '14:00', type: 'other' },
    ],
    servants: [{ name: 'Sample servant', role: 'local_servant', contact: '+00 00 0001 0001' }],
  })
})

test('locales come first, then chapters; ten at most by default', async () => {
  const near = (await churches('lat=35.69&lng=139.7')).churches
  expect(near.map(({ source_type }) => source_type)).toEqual([...Array(7).fill('locale'), 'chapter'])
  expect((await churches('country=JP')).churches).toHaveLength(10)
  expect((await churches('country=JP&limit=3')).churches).toHaveLength(3)
})

test('without a match, suggests spellings; with none nearby, returns the nearest', async () => {
  expect(await churches('search=shinjku')).toMatchObject({
    corrected_search: 'shinjuku',
    churches: [{ name: 'Sample Locale Shinjuku' }],
  })
  expect(await churches('lat=0&lng=0')).toMatchObject({ is_nearest: true, churches: { length: 5 } })
  expect(await churches('search=qqqqwwww')).toMatchObject({ churches: [], corrected_search: null })
})

test('an error reading chapters does not affect locales', async () => {
  const countries = createCountries()
  const deps = { model: app.models.churches, countries: () => countries, log: createLog('silent') }
  const failing = () => Promise.reject(new Error('the database is away'))
  const found = await searchChurches({ ...deps, chapters: failing }, { search: 'shinjuku', limit: 10 })
  expect(found.churches.map(({ name }) => name)).toEqual(['Sample Locale Shinjuku'])
})

const places = (body: object, from = '/google-places-search') =>
  ask<{ places: unknown[] }>(from, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('without a key Google is not called and no place is found', async () => {
  expect((await places({ query: 'church in Riyadh', type: 'church', limit: 10 })).places).toEqual([])
  expect((await places({ query: 'x' }, '/functions/google-places-search')).places).toEqual([])
})

test('with a key, requests follow the Google Places API', async () => {
  const requests: { request: IncomingMessage; body: unknown }[] = []
  const answer = {
    places: [
      {
        id: 'ChIJ-1',
        displayName: { text: 'A church', languageCode: 'en' },
        formattedAddress: '1 Street',
        location: { latitude: 1.5, longitude: 2.5 },
        googleMapsUri: 'https://maps.google.com/?cid=1',
      },
    ],
  }
  const url = await peer((request, body) => {
    requests.push({ request, body: JSON.parse(body) })
    return { status: 200, body: JSON.stringify(answer) }
  })
  const found = await searchGoogle({ key: 'the-key', url }, { query: 'church in Rome', type: 'church', limit: 10 })
  expect(requests[0]!.request).toMatchObject({ method: 'POST', url: '/v1/places:searchText' })
  expect(requests[0]!.request.headers).toMatchObject({
    'x-goog-api-key': 'the-key',
    'x-goog-fieldmask': expect.stringContaining('places.displayName,places.formattedAddress,places.location'),
  })
  expect(requests[0]!.body).toEqual({ textQuery: 'church in Rome', includedType: 'church', pageSize: 10 })
  expect(found).toEqual([
    {
      id: 'ChIJ-1',
      name: 'A church',
      address: '1 Street',
      latitude: 1.5,
      longitude: 2.5,
      phone: null,
      website: null,
      url: 'https://maps.google.com/?cid=1',
    },
  ])
})

test('an error, a timeout or an invalid response from Google is reported as an unavailable search', async () => {
  const question = { query: 'x', type: 'church', limit: 1 }
  for (const answer of [{ status: 403, body: '{}' }, { status: 200, body: '<html>' }, null]) {
    const url = await peer(() => answer)
    await expect(searchGoogle({ key: 'k', url }, question, 200)).rejects.toMatchObject({
      status: 503,
      code: 'places_unavailable',
    })
  }
})

/** A local server in place of Google's; null: no response at all. */
async function peer(answer: (request: IncomingMessage, body: string) => { status: number; body: string } | null) {
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    const reply = answer(request, body)
    if (reply) response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
