import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { loadFacts } from '#server/assistant/facts/loader.ts'
import { nairobi } from '#server/churches/admin/testing.ts'
import { loadFaq } from '#server/content/faq-loader.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { PageBuild } from '#server/http/pages.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { createTestUser } from '#server/testing/users.ts'

// Noon, so that responses valid for a day do not expire during a test.
const NOON = new Date('2026-11-22T12:00:00Z')
vi.useFakeTimers({ toFake: ['Date'], now: NOON })
afterAll(() => void vi.useRealTimers())

const BUILT = path.resolve('build/server/index.js')
const pages = existsSync(BUILT) ? ((await import(pathToFileURL(BUILT).href)) as PageBuild) : undefined
const database = await testDatabase()
const app = await testApp(database, { now: () => NOON, ...(pages ? { pages: () => pages } : {}) })
const ask = createApiClient(app)
const admin = await createTestUser(database, 'admin')
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

const fact = (phone: string) => ({
  id: 'hotline.test',
  kind: 'hotline' as const,
  country_code: 'KE',
  code: 'police',
  purpose: null,
  value: { phone },
  source_title: 'Ministry',
  source_url: 'https://www.gov.uk/foreign-travel-advice/kenya',
  checked_on: '2026-10-22',
  valid_until: '2027-04-22',
  position: 1,
})
const { source, advisory } = await inside(async (db) => {
  await loadFaq(db)
  await loadFacts(db, [fact('999')])
  const confirmed = { last_attempt_at: NOON, last_success_at: NOON }
  const source = await insertSource(db, { name: 'A made-up ministry', ...confirmed })
  const advisory = await insertAdvisory(db, { source_id: source.id, country_codes: ['KE'], title: 'Kenya: floods' })
  return { source, advisory }
})
await app.readModel.catchUp()
const created = await ask(admin.as, 'POST', 'locales', nairobi({ name: 'Locale of Nairobi', save_anyway: true }))
const church = created.body.locale.id as string

const API = [
  ...app.router
    .endpoints()
    .filter(({ method, access, path }) => method === 'GET' && access === 'anyone' && !path.includes('{'))
    .map(({ path }) => `/api${path}`),
  `/api/public/travel-advisories/${advisory.id}`,
  '/api/public/travel-advisories?country=KE',
  '/api/public/countries/KE',
  '/api/public/emergency?country=KE',
  `/api/public/locales/${church}`,
  '/travel-advisories/feed.atom',
  '/countries/KE/feed.atom',
  '/sitemap.xml',
]
const PAGES = [
  '/',
  '/travel-advisories',
  `/travel-advisories/${advisory.id}`,
  '/travel-advisories/sources',
  '/countries',
  '/countries/KE',
  '/church-locator',
  `/church-locator/${church}`,
  '/emergency/KE',
  '/travel-faq',
  '/status',
  '/support',
]
const ADDRESSES = [...API, ...(pages ? PAGES : [])]

const bodyOf = async (address: string) => (await app.request(`http://portal.test${address}`)).text()
/** Each is requested until it is cached, all concurrently: reads of one response must not be attributed to another. */
async function warm() {
  for (let time = 0; time < 2; time++) await Promise.all(ADDRESSES.map(bodyOf))
}
/** All current responses, and which of them came from the cache. */
async function answers() {
  const bodies = new Map<string, string>()
  const cached = new Set<string>()
  for (const address of ADDRESSES) {
    const { hits } = app.responseCache.counts
    bodies.set(address, await bodyOf(address))
    if (app.responseCache.counts.hits > hits) cached.add(address)
  }
  return { bodies, cached }
}

/** By table: how a row of it is changed, which responses show it, and which do not. */
const CHANGES: Record<string, { change: (db: Db) => Promise<unknown>; shows: string[]; leaves: string[] }> = {
  settings: {
    change: (db) => db.insertInto('settings').values({ key: 'brand', value: '"Another Name"' }).execute(),
    shows: ['/api/public/site', '/', '/support'],
    leaves: ['/api/public/faq', `/api/public/locales/${church}`],
  },
  faq_entries: {
    change: (db) =>
      sql`update faq_entries set question = question || '{"en": "Is this new?"}' where slug = 'what-is-pdos'`.execute(
        db,
      ),
    shows: ['/api/public/faq', '/travel-faq'],
    leaves: ['/api/public/travel-advisories', `/api/public/travel-advisories/${advisory.id}`, '/', '/countries/KE'],
  },
  message_templates: {
    change: (db) =>
      sql`insert into message_templates (name, language, version, content) values ('sign-in-link', 'en', 1, null)`.execute(
        db,
      ),
    shows: [],
    leaves: ADDRESSES,
  },
  public_locales: {
    change: (db) => db.updateTable('public_locales').set({ name: 'Locale of Mombasa' }).execute(),
    shows: [`/api/public/locales/${church}`, '/api/public/locales', `/church-locator/${church}`],
    leaves: ['/api/public/travel-advisories', `/api/public/travel-advisories/${advisory.id}`, '/api/public/faq', '/'],
  },
  assistant_facts: {
    change: (db) => db.updateTable('assistant_facts').set({ value: '{"phone":"112"}' }).execute(),
    shows: ['/api/public/emergency?country=KE', '/emergency/KE'],
    leaves: ['/api/public/travel-advisories', '/api/public/faq', '/travel-faq'],
  },
  knowledge_sources: {
    change: (db) =>
      sql`insert into knowledge_sources (page_url, source_domain, page_title, language, origin, content_hash)
        values ('https://example.org/page', 'example.org', 'A page', 'en', 'text', '')`.execute(db),
    shows: [],
    leaves: ['/api/public/travel-advisories', '/api/public/faq', '/', '/countries/KE'],
  },
  advisory_sources: {
    change: (db) =>
      db
        .updateTable('advisory_sources')
        .set({ name: 'Renamed', organization: 'Renamed', homepage: 'https://renamed.example/' })
        .where('id', '=', source.id)
        .execute(),
    shows: ['/api/public/travel-advisories/sources', '/travel-advisories/sources'],
    leaves: ['/api/public/faq', `/api/public/locales/${church}`, '/api/public/emergency?country=KE'],
  },
  travel_advisories: {
    change: (db) =>
      db
        .updateTable('travel_advisories')
        .set({ title: 'Kenya: leave at once', severity_level: 'emergency', is_urgent: true })
        .where('id', '=', advisory.id)
        .execute(),
    shows: [
      '/api/public/travel-advisories',
      `/api/public/travel-advisories/${advisory.id}`,
      '/api/public/countries/KE',
      '/',
      '/travel-advisories',
      '/countries/KE',
    ],
    leaves: ['/api/public/faq', `/api/public/locales/${church}`, '/api/public/emergency?country=KE'],
  },
  country_aliases: {
    change: (db) => db.insertInto('country_aliases').values({ alias: 'Land of lions', country_code: 'KE' }).execute(),
    shows: [],
    leaves: ['/api/public/faq', `/api/public/locales/${church}`],
  },
}

beforeEach(warm)

test('every table that the public reads is in this list', async () => {
  const { rows } = await sql<{ name: string }>`
    select tgrelid::regclass::text as name from pg_trigger where tgname = 'follow_insert'`.execute(
    database.background.kysely,
  )
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(CHANGES).sort())
})

test('while nothing changes, nothing is rendered again', async () => {
  const { cached } = await answers()
  // Responses that query the database are not cached here.
  expect(cached.size).toBeGreaterThan(ADDRESSES.length / 2)
})

test.each(Object.keys(CHANGES))(
  'a change of %s appears at once wherever it is shown, and leaves other responses cached',
  async (table) => {
    const { change, shows, leaves } = CHANGES[table]!
    const before = await answers()
    await inside(change)
    await app.readModel.catchUp()
    const after = await answers()
    app.responseCache.clear()
    const truth = await answers()
    for (const address of ADDRESSES)
      expect([address, after.bodies.get(address)]).toEqual([address, truth.bodies.get(address)])
    for (const address of shows.filter((url) => ADDRESSES.includes(url)))
      expect([address, after.bodies.get(address) === before.bodies.get(address)]).toEqual([address, false])
    const dropped = leaves.filter((url) => before.cached.has(url) && !after.cached.has(url))
    expect(dropped).toEqual([])
  },
)

test('acknowledgments, messages and sign-ups invalidate no cached response and lock nothing that the public reads', async () => {
  const before = await answers()
  const { version } = app.readModel
  const user = await createTestUser(database, 'traveler')
  const acknowledged = await ask(user.as, 'POST', `travel-advisories/${advisory.id}/acknowledge`)
  expect(acknowledged.status).toBe(200)
  const versionNow = () => database.background.kysely.selectFrom('public_version').select('version').executeTakeFirst()
  expect(await versionNow()).toEqual({ version })
  const after = await answers()
  expect([...after.cached].sort()).toEqual([...before.cached].sort())

  // Counted a moment later: only responses that show this advisory are made again, and until then the last one is
  // served.
  await app.readModel.catchUp()
  await answers()
  await vi.waitFor(() => expect(app.responseCache.pending).toBe(0), { timeout: 10_000 })
  const later = await answers()
  expect(JSON.parse(later.bodies.get(`/api/public/travel-advisories/${advisory.id}`)!).advisory).toMatchObject({
    acknowledgment_count: 1,
  })
  app.responseCache.clear()
  const truth = await answers()
  for (const address of ADDRESSES)
    expect([address, later.bodies.get(address)]).toEqual([address, truth.bodies.get(address)])
  for (const address of [
    '/support',
    '/api/public/ticker',
    '/api/public/faq',
    '/travel-faq',
    `/api/public/locales/${church}`,
  ])
    if (before.cached.has(address)) expect(later.cached).toContain(address)
})
