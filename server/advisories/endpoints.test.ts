import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { emptyTables, testDatabase } from '#server/testing/database.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { fold } from '#shared/countries/fold.ts'
import { codesOf, preference, searchTerms } from './model.ts'
import { findActiveAdvisories, loadSources } from './queries.ts'

const database = await testDatabase()
const app = await testApp(database)

const write = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const insert = (advisory: Parameters<typeof insertAdvisory>[1]) => write((db) => insertAdvisory(db, advisory))

async function get(path: string, headers: Record<string, string> = {}) {
  await app.readModel.catchUp()
  const response = await app.request(`http://portal.test/api${path}`, { headers })
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}
const titles = ({ body }: { body: any }) => body.advisories.map((a: { title: string }) => a.title)

beforeEach(() => emptyTables(database))

test('lists advisories in force: urgent first, then by severity, then newest', async () => {
  await insert({ title: 'old info', severity_level: 'info', last_updated: '2026-01-01T00:00:00Z' })
  await insert({ title: 'new info', severity_level: 'info', last_updated: '2026-02-01T00:00:00Z' })
  await insert({ title: 'warning', severity_level: 'warning' })
  await insert({ title: 'urgent info', severity_level: 'info', is_urgent: true })
  await insert({ title: 'ended', is_active: false })
  await insert({ title: 'expired', expiry_date: '2020-01-01T00:00:00Z' })
  await insert({ title: 'an exercise', status: 'exercise' })
  const answer = await get('/public/travel-advisories')
  expect(answer.status).toBe(200)
  expect(titles(answer)).toEqual(['urgent info', 'warning', 'new info', 'old info'])
  expect(answer.body).toMatchObject({ success: true, total: 4, limit: 50, offset: 0 })
})

test('an advisory is inactive from the moment it expires, before the job has run (F-09)', async () => {
  const past = await insert({ title: 'over', expiry_date: '2020-01-01T00:00:00Z' })
  const future = await insert({ title: 'current', expiry_date: '2999-01-01T00:00:00Z' })
  const isActive = async (id: string) => (await get(`/travel-advisories/${id}`)).body.advisory.is_active
  expect([await isActive(past.id), await isActive(future.id)]).toEqual([false, true])
})

test('both documented addresses respond, filtered before the limit', async () => {
  for (let i = 0; i < 5; i++) await insert({ title: `Peru ${i}`, country_codes: ['PE'], severity_level: 'critical' })
  await insert({ title: 'Japan', country_codes: ['JP'], severity_level: 'info', is_urgent: false })
  expect(titles(await get('/travel-advisories?country=Japan&limit=1'))).toEqual(['Japan'])
  expect((await get('/public/travel-advisories?limit=2')).body).toMatchObject({ total: 6 })
  expect(titles(await get('/public/travel-advisories?limit=2&offset=2'))).toHaveLength(2)
  expect(titles(await get('/public/travel-advisories?severity_level=info'))).toEqual(['Japan'])
  expect(titles(await get('/public/travel-advisories?severity_level=info,critical'))).toHaveLength(6)
})

test('a country is found by code, name and alias, but never by part of its name', async () => {
  for (const [title, code] of [
    ['Niger', 'NE'],
    ['Nigeria', 'NG'],
    ['Oman', 'OM'],
    ['Romania', 'RO'],
    ['Mali', 'ML'],
    ['Somalia', 'SO'],
  ] as const)
    await insert({ title, country_codes: [code] })
  for (const [query, found] of [
    ['Niger', 'Niger'],
    ['NG', 'Nigeria'],
    ['oman', 'Oman'],
    ['Mali', 'Mali'],
  ] as const)
    expect(titles(await get(`/public/travel-advisories?country=${query}`))).toEqual([found])
  expect((await get('/public/travel-advisories?country=Narnia')).body).toMatchObject({ advisories: [], total: 0 })
})

test('search ignores case and accents and requires every word', async () => {
  const title = 'São Tomé and Príncipe: Exercise Increased Caution'
  await insert({ title, search_text: fold(title) })
  expect(titles(await get('/public/travel-advisories?search=SAO%20TOME%20caution'))).toEqual([title])
  expect(titles(await get('/public/travel-advisories?search=sao%20paulo'))).toEqual([])
  expect(titles(await get('/public/travel-advisories?search=%25'))).toEqual([])
})

test('an advisory is returned with its versions, also after it ended; an unknown id is 404, an invalid one 422', async () => {
  const { id } = await insert({ title: 'ended', is_active: false })
  const { body } = await get(`/travel-advisories/${id}`)
  expect(body).toMatchObject({ advisory: { id, is_active: false }, ended_at: body.advisory.updated_at })
  const expired = await insert({ title: 'expired', expiry_date: new Date('2026-01-02T03:04:05Z') })
  expect((await get(`/travel-advisories/${expired.id}`)).body.ended_at).toBe('2026-01-02T03:04:05.000Z')
  const running = await insert({ title: 'running' })
  expect((await get(`/travel-advisories/${running.id}`)).body.ended_at).toBeNull()
  expect((await get(`/travel-advisories/${randomUUID()}`)).status).toBe(404)
  expect((await get('/travel-advisories/peru')).body).toMatchObject({
    success: false,
    code: 'invalid_input',
    fields: { id: expect.any(String) },
  })
})

test('an advisory comes with what to do and its text in sections', async () => {
  const { id } = await insert({
    recommendations: ['Avoid crowds.', 'Medical care is limited.'],
    detailed_information: '<p>Do not travel to Niger for any reason.</p>\n<h3>Crime</h3>\n<p>Keep a low profile.</p>',
    affected_countries: ['Niger'],
    country_codes: ['NE'],
  })
  expect((await get(`/travel-advisories/${id}`)).body.text).toEqual({
    first_steps: {
      here: ['Avoid crowds.', 'Keep a low profile.'],
      planning: ['Do not travel to Niger for any reason.'],
      all: [],
    },
    sections: [
      { title: null, html: '<p>Do not travel to Niger for any reason.</p>' },
      { title: 'Crime', html: '<p>Keep a low profile.</p>' },
    ],
  })
})

test('invalid parameters are reported field by field', async () => {
  const { status, body } = await get('/public/travel-advisories?limit=1000&severity_level=bad&colour=red&offset=-1')
  expect(status).toBe(422)
  expect(Object.keys(body.fields).sort()).toEqual(['colour', 'limit', 'offset', 'severity_level'])
  expect((await get('/public/travel-advisories?search=a%00b')).status).toBe(422)
  expect((await get('/public/travel-advisories?limit=1&limit=2')).body.fields).toEqual({
    limit: 'Send this only once.',
  })
})

test('statistics count advisories in force', async () => {
  await insert({ severity_level: 'critical', country_codes: ['PE', 'BO'] })
  await insert({ severity_level: 'info', country_codes: ['PE'], is_urgent: true })
  const { body } = await get('/public/travel-advisories/statistics')
  expect(body).toMatchObject({
    total: 2,
    urgent: 1,
    by_severity: { critical: 1, info: 1, warning: 0 },
    by_country: { PE: 2, BO: 1 },
  })
})

test('a second feed of one authority is hidden where it agrees and shown where it differs', async () => {
  const [rss, json] = await write(async (db) => [
    await insertSource(db, { authority: 'us', position: 1 }),
    await insertSource(db, { authority: 'us', position: 2 }),
  ])
  await insert({ title: 'Bangladesh 3', source_id: rss!.id, country_codes: ['BD'], severity_level: 'warning' })
  await insert({ title: 'Bangladesh 2', source_id: json!.id, country_codes: ['BD'], severity_level: 'caution' })
  await insert({ title: 'Peru', source_id: rss!.id, country_codes: ['PE'], severity_level: 'caution' })
  await insert({ title: 'Peru again', source_id: json!.id, country_codes: ['PE'], severity_level: 'caution' })
  expect(titles(await get('/public/travel-advisories')).sort()).toEqual(['Bangladesh 2', 'Bangladesh 3', 'Peru'])
})

test('of advice in two feeds of one authority the newer is shown; on the same day, the more severe', async () => {
  const [rss, json] = await write((db) =>
    Promise.all([1, 2].map((position) => insertSource(db, { authority: 'us', position }))),
  )
  const insertCopy = (title: string, source_id: string, severity_level: 'caution' | 'warning', day: string) => {
    const country_codes = [title.slice(0, 2)]
    const external_id = `set:${country_codes[0]}`
    return insert({ title, source_id, severity_level, country_codes, external_id, last_updated: new Date(day) })
  }
  await insertCopy('BD 3', rss!.id, 'warning', '2026-09-03T00:00:00Z')
  await insertCopy('BD 2', json!.id, 'caution', '2026-09-04T00:00:00Z')
  await insertCopy('PE 2', rss!.id, 'caution', '2026-09-03T00:00:00Z')
  await insertCopy('PE 3', json!.id, 'warning', '2026-09-03T12:00:00Z')
  await insertCopy('JP rss', rss!.id, 'caution', '2026-09-03T00:00:00Z')
  await insertCopy('JP json', json!.id, 'caution', '2026-09-03T00:00:00Z')
  expect(titles(await get('/public/travel-advisories')).sort()).toEqual(['BD 2', 'JP rss', 'PE 3'])
})

test('only approved organisations are shown once an administrator lists them', async () => {
  await insert({ title: 'kept', source_organization: 'Department of Foreign Affairs' })
  await insert({ title: 'left out' })
  await write((db) => writeSetting(db, 'advisories.approved_sources', ['Department of Foreign Affairs']))
  expect(titles(await get('/public/travel-advisories'))).toEqual(['kept'])
})

test('a signed-in user acknowledges once; the public response has a count and no names', async () => {
  const { id } = await insert({ title: 'Peru' })
  await app.readModel.catchUp()
  const userId = randomUUID()
  const acknowledge = (as?: string) =>
    app.request(`http://portal.test/api/travel-advisories/${id}/acknowledge`, {
      method: 'POST',
      headers: as ? { [AS]: as } : {},
    })
  expect((await acknowledge()).status).toBe(401)
  expect((await acknowledge(`traveler ${userId}`)).status).toBe(200)
  expect((await acknowledge(`traveler ${userId}`)).status).toBe(200)
  const { body } = await get(`/travel-advisories/${id}`)
  expect(body.advisory).toMatchObject({ acknowledgment_count: 1, last_acknowledged_at: expect.any(String) })
  expect(JSON.stringify(body)).not.toContain(userId)
})

test('unresolved names are limited to administrators', async () => {
  const { id } = await insert({ unresolved_countries: ['Ruritania'], country_codes: [] })
  expect((await get('/admin/travel-advisories/unresolved')).status).toBe(401)
  expect((await get('/admin/travel-advisories/unresolved', { [AS]: `traveler ${randomUUID()}` })).status).toBe(403)
  const { body } = await get('/admin/travel-advisories/unresolved', { [AS]: `admin ${randomUUID()}` })
  expect(body.names).toEqual([
    { name: 'Ruritania', source_id: expect.any(String), advisory_ids: [id], suggestions: [] },
  ])
})

test('a cross-site POST is rejected before anything is read', async () => {
  const response = await app.request('http://portal.test/api/travel-advisories/refresh', {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  })
  expect(response.status).toBe(403)
})

test('a refresh that comes too often is rate limited', async () => {
  const statuses = []
  for (let i = 0; i < 8; i++)
    statuses.push((await app.request('http://portal.test/api/travel-advisories/refresh', { method: 'POST' })).status)
  expect(statuses[0]).toBe(200)
  expect(statuses.at(-1)).toBe(429)
})

test('the read model and SQL return the same advisories for any filters', async () => {
  const codes = ['PE', 'JP', 'NE', 'NG']
  const titleTokens = ['peru', 'increased', 'caution', 'são', '%', 'a_b', 'للسفر']
  const sources = await write((db) =>
    Promise.all([1, 2].map((position) => insertSource(db, { authority: 'us', position }))),
  )
  const random = fc.sample(
    fc.record({
      title: fc.array(fc.constantFrom(...titleTokens), { minLength: 1, maxLength: 3 }).map((w) => w.join(' ')),
      severity_level: fc.constantFrom(...SEVERITIES),
      is_urgent: fc.boolean(),
      is_active: fc.boolean(),
      country_codes: fc.uniqueArray(fc.constantFrom(...codes), { maxLength: 2 }),
      source_id: fc.constantFrom(...sources.map(({ id }) => id)),
      last_updated: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T09:00:00Z', '2026-02-01T00:00:00Z'),
      is_standing: fc.boolean(),
    }),
    { numRuns: 120, seed: 7 },
  )
  await write(async (db) => {
    const known = new Set<string>()
    for (const { is_standing, ...advisory } of random) {
      const external_id = `set:${advisory.country_codes.toSorted().join('+')}`
      const isSet = is_standing && advisory.country_codes.length > 0 && !known.has(advisory.source_id + external_id)
      if (isSet) known.add(advisory.source_id + external_id)
      const own = isSet ? { external_id } : {}
      await insertAdvisory(db, { ...advisory, ...own, search_text: fold(advisory.title) })
    }
  })
  await app.readModel.catchUp()
  const countries = app.models.countries.countries()
  const now = new Date()
  const preferred = preference(await write(loadSources), now)
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        search: fc.option(fc.constantFrom(...titleTokens, 'peru caution', 'inc', 'zzz'), { nil: undefined }),
        country: fc.option(fc.constantFrom('PE', 'Japan', 'Niger', 'nowhere'), { nil: undefined }),
        severity_level: fc.option(fc.subarray([...SEVERITIES], { minLength: 1 }), { nil: undefined }),
        urgent: fc.option(fc.boolean(), { nil: undefined }),
        limit: fc.integer({ min: 1, max: 30 }),
        offset: fc.integer({ min: 0, max: 40 }),
      }),
      async (filters) => {
        const memory = app.models.advisories.list(filters, now).advisories.map(({ id }) => id)
        const { search, country, ...rest } = filters
        const truth = await withClaims(database, { as: 'anonymous' }, (db) =>
          findActiveAdvisories(db, {
            ...rest,
            terms: searchTerms(search),
            codes: country ? codesOf(country, countries) : null,
            approved: [],
            preferred,
            now,
          }),
        )
        expect(memory).toEqual(truth)
      },
    ),
    { numRuns: 150 },
  )
})

test('the ticker translates set phrases into the reader’s language and leaves the rest as the source wrote it', async () => {
  await insert({ title: 'Niger: Do Not Travel', country_codes: ['NE'], severity_level: 'critical' })
  await insert({ title: 'Cyclone POLO near Japan', country_codes: ['JP'], severity_level: 'warning' })
  const { body } = await get('/public/ticker?lng=ar')
  expect(body.items.map(({ text, language }: any) => [text, language])).toEqual([
    ['النيجر: عدم السفر', 'ar'],
    ['Cyclone POLO near Japan', 'en'],
  ])
})
