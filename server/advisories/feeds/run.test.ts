import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { emptyTables, testDatabase } from '#server/testing/database.ts'
import { insertSource } from '#server/testing/factory.ts'
import { feedServer, usRss } from '#server/testing/feed-server.ts'
import type { FeedDeps } from './deps.ts'
import { leaseSource } from './leases.ts'
import { runDueSources, runSource, runSourcesNow } from './run.ts'

const database = await testDatabase()
const START = new Date('2026-10-01T12:00:00Z')
let now = START
const deps: FeedDeps = {
  database,
  log: pino({ level: 'silent' }),
  publicUrl: 'https://portal.example',
  allowsPrivateFeeds: true,
  now: () => now,
}

afterEach(() => {
  now = START
  return emptyTables(database)
})

const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}
const sourceNow = (id = 'us') =>
  inside((db) => db.selectFrom('advisory_sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
const advisories = () => inside((db) => db.selectFrom('travel_advisories').selectAll().orderBy('title').execute())
const runs = () => inside((db) => db.selectFrom('feed_runs').selectAll().orderBy('started_at').execute())

async function usSource(
  answer: Parameters<typeof feedServer>[0] = { '/feed': usRss([{ country: 'Japan' }, { country: 'Peru' }]) },
) {
  const server = await feedServer(answer)
  const due = { next_attempt_at: START, minimum_items: 1 }
  await inside((db) => insertSource(db, { id: 'us', url: `${server.url}/feed`, homepage: server.url, ...due }))
  return server
}

test('a due source is fetched, and its advisories and freshness are stored', async () => {
  await usSource()
  expect(await runDueSources(deps)).toMatchObject([
    { source: 'us', status: 'ok', error: null, fetchStats: { added: 2 } },
  ])
  expect(await advisories()).toMatchObject([{ country_codes: ['JP'] }, { country_codes: ['PE'] }])
  const source = await sourceNow()
  expect(source).toMatchObject({ last_success_at: START, last_attempt_at: START, last_change_at: START, item_count: 2 })
  expect(source).toMatchObject({ error: null, leased_until: null })
  expect(source.next_attempt_at.getTime() - START.getTime()).toBeGreaterThanOrEqual(280_000)
  expect(source.next_attempt_at.getTime() - START.getTime()).toBeLessThanOrEqual(300_000)
  expect(await runs()).toMatchObject([{ source_id: 'us', cause: 'schedule', status: 'ok', fetched: 2, added: 2 }])
})

test('before its interval is over a source is not fetched, unless an administrator asks', async () => {
  const server = await usSource()
  await runDueSources(deps)
  later(60)
  expect(await runDueSources(deps)).toEqual([])
  expect(server.requests).toHaveLength(1)
  expect(await runSourcesNow(deps)).toMatchObject([{ source: 'us', status: 'unchanged' }])
  expect(server.requests).toHaveLength(2)
})

test('the same bytes again confirm the source and touch no advisory', async () => {
  await usSource()
  await runDueSources(deps)
  const before = await advisories()
  later(300)
  expect(await runDueSources(deps)).toMatchObject([
    { status: 'unchanged', fetchStats: { total_fetched: 2, unchanged: 2 } },
  ])
  expect(await advisories()).toEqual(before)
  expect(await sourceNow()).toMatchObject({ last_success_at: now, last_change_at: START, item_count: 2 })
})

test('requests are conditional until the document would be read differently', async () => {
  const conditions: unknown[] = []
  const server = await usSource()
  server.answers['/feed'] = (request, response) => {
    conditions.push(request.headers['if-none-match'])
    if (request.headers['if-none-match']) response.writeHead(304).end()
    else response.setHeader('etag', '"1"').end(usRss([{ country: 'Atlantis' }]))
  }
  await runDueSources(deps)
  later(300)
  expect(await runDueSources(deps)).toMatchObject([{ status: 'unchanged' }])
  await inside((db) => db.insertInto('country_aliases').values({ alias: 'Atlantis', country_code: 'PT' }).execute())
  later(300)
  expect(await runDueSources(deps)).toMatchObject([{ status: 'ok', fetchStats: { updated: 1 } }])
  expect(conditions).toEqual([undefined, '"1"', undefined])
  expect(await advisories()).toMatchObject([{ country_codes: ['PT'], unresolved_countries: [] }])
})

test('a level that changes at the source changes here', async () => {
  const server = await usSource()
  await runDueSources(deps)
  server.answers['/feed'] = usRss([{ country: 'Japan', level: 3, date: 'Thu, 02 Oct 2025' }, { country: 'Peru' }])
  later(300)
  expect(await runDueSources(deps)).toMatchObject([
    { status: 'ok', fetchStats: { added: 0, updated: 1, unchanged: 1 } },
  ])
  expect((await advisories())[0]).toMatchObject({ severity_level: 'warning', version: 2, changed_at: now })
})

test.each([
  ['an error', 500, 'failed', 'RSS Fetcher returned 500'],
  ['an HTML page', '<!doctype html><html><title>Not found</title></html>', 'refused', /HTML/],
  ['an empty list', usRss([]), 'refused', /empty/],
  ['nothing', '', 'refused', /./],
  ['half a feed', usRss([{ country: 'Japan' }]).slice(0, 300), 'refused', /./],
  ['another format', '{"advisories":[]}', 'refused', /./],
] as const)(
  'a source that answers with %s is not confirmed, and its advisories stand',
  async (_, answer, status, error) => {
    const server = await usSource()
    await runDueSources(deps)
    const before = await advisories()
    server.answers['/feed'] = answer
    later(300)
    expect(await runDueSources(deps)).toMatchObject([{ status }])
    expect(await advisories()).toEqual(before)
    const source = await sourceNow()
    expect(source).toMatchObject({ last_success_at: START, last_attempt_at: now, item_count: 2, leased_until: null })
    expect(source.error).toMatch(error)
    expect((await runs())[1]).toMatchObject({ status, error: source.error })
  },
)

test('a list that shrinks to less than half is rejected', async () => {
  const names = Array.from({ length: 60 }, (_, index) => ({ country: `Country ${index}` }))
  const server = await usSource({ '/feed': usRss(names) })
  await inside((db) => db.updateTable('advisory_sources').set({ minimum_items: 50 }).execute())
  await runDueSources(deps)
  await inside((db) => db.updateTable('advisory_sources').set({ minimum_items: 0, item_count: 200 }).execute())
  await inside((db) => db.updateTable('advisory_sources').set({ minimum_items: 50 }).execute())
  server.answers['/feed'] = usRss(names.slice(1))
  later(300)
  expect(await runDueSources(deps)).toMatchObject([
    { status: 'refused', error: 'It lists 59 entries, less than half of the 200 it listed before' },
  ])
  expect((await advisories()).filter((row) => row.missing_since)).toEqual([])
})

test('a failing source shows an error after the next attempt, is retried soon, and recovers by itself', async () => {
  const server = await usSource()
  await runDueSources(deps)
  const good = server.answers['/feed']!
  server.answers['/feed'] = 503
  for (const _ of [1, 2, 3]) {
    later(601)
    expect(await runDueSources(deps)).toMatchObject([{ status: 'failed', error: 'RSS Fetcher returned 503' }])
    const { next_attempt_at } = await sourceNow()
    expect(next_attempt_at.getTime() - now.getTime()).toBeLessThanOrEqual(600_000)
  }
  server.answers['/feed'] = good
  later(601)
  expect(await runDueSources(deps)).toMatchObject([{ status: 'unchanged', error: null }])
  expect(await sourceNow()).toMatchObject({ error: null, last_success_at: now })
})

test('two simultaneous runs of one source fetch it once', async () => {
  const server = await usSource()
  server.answers['/feed'] = async (_, response) => {
    // The first has sent its request and has no response yet.
    expect(await runSource(deps, 'us', 'manual')).toMatchObject({ status: 'skipped' })
    response.end(usRss([{ country: 'Japan' }]))
  }
  expect(await runSource(deps, 'us', 'manual')).toMatchObject({ status: 'ok' })
  expect(server.requests).toHaveLength(1)
  const due = await Promise.all([runDueSources(deps), runDueSources(deps)])
  expect(due).toEqual([[], []])
})

test('the lease of a dead node expires, and its run is closed', async () => {
  await usSource()
  expect(await leaseSource(deps, 'us', 'schedule')).not.toBeNull()
  later(299)
  expect(await runDueSources(deps)).toEqual([])
  later(1)
  expect(await runDueSources(deps)).toMatchObject([{ status: 'ok', fetchStats: { added: 2 } }])
  expect(await runs()).toMatchObject([
    { status: 'failed', error: 'The process ended before this run did' },
    { status: 'ok' },
  ])
})

test('a run that outlives its lease writes nothing', async () => {
  const server = await usSource()
  server.answers['/feed'] = async (_, response) => {
    later(301)
    const other = await leaseSource(deps, 'us', 'manual')
    expect(other).not.toBeNull()
    response.end(usRss([{ country: 'Japan' }]))
  }
  expect(await runSource(deps, 'us', 'manual')).toMatchObject({ status: 'skipped' })
  expect(await advisories()).toEqual([])
})

test('a stopping process ends its run and releases the source, without blaming the source', async () => {
  const stop = new AbortController()
  await usSource({ '/feed': () => stop.abort() })
  const run = await runSource({ ...deps, signal: stop.signal }, 'us', 'schedule')
  expect(run).toMatchObject({ status: 'failed', error: 'RSS fetch failed: it was ended early' })
  expect(await sourceNow()).toMatchObject({ error: null, leased_until: null, next_attempt_at: now })
})

test('a source whose address is private is never contacted', async () => {
  const server = await usSource()
  const run = await runSource({ ...deps, allowsPrivateFeeds: false }, 'us', 'manual')
  expect(run).toMatchObject({ status: 'failed', error: 'RSS fetch failed: an address that is not https' })
  expect(server.requests).toEqual([])
})

test('one failing source does not delay the others', async () => {
  const server = await usSource({ '/feed': 500, '/other': usRss([{ country: 'Chad' }]) })
  await inside((db) => insertSource(db, { id: 'other', url: `${server.url}/other`, next_attempt_at: START }))
  const results = await runDueSources(deps)
  expect(results.map(({ source, status }) => [source, status]).sort()).toEqual([
    ['other', 'ok'],
    ['us', 'failed'],
  ])
})

test('disabled and manual sources are not fetched', async () => {
  await usSource()
  await inside((db) => db.updateTable('advisory_sources').set({ is_enabled: false }).execute())
  await inside((db) => insertSource(db, { id: 'people', reader: 'manual', url: null }))
  expect(await runDueSources(deps)).toEqual([])
  expect(await runSourcesNow(deps)).toEqual([])
  expect(await runSourcesNow(deps, 'people')).toMatchObject([{ status: 'skipped' }])
})

const slug = (name: string) => `/foreign-travel-advice/${name.toLowerCase()}`
const ukIndex = (changed: Record<string, string>) =>
  JSON.stringify({
    links: {
      children: Object.entries(changed).map(([name, at]) => ({
        title: name,
        base_path: slug(name),
        public_updated_at: at,
      })),
    },
  })
const ukPage = (name: string, at: string, alert_status: string[] = []) =>
  JSON.stringify({
    base_path: slug(name),
    public_updated_at: at,
    details: { alert_status, country: { name }, parts: [{ title: 'Warnings', body: `<p>Advice on ${name}.</p>` }] },
  })
const JUNE = '2026-06-01T10:00:00Z'
const JULY = '2026-07-01T10:00:00Z'

async function ukSource() {
  const server = await feedServer({
    '/api/content/foreign-travel-advice': ukIndex({ Japan: JUNE, Peru: JUNE }),
    [`/api/content${slug('Japan')}`]: ukPage('Japan', JUNE),
    [`/api/content${slug('Peru')}`]: ukPage('Peru', JUNE, ['avoid_all_travel_to_parts']),
  })
  const url = `${server.url}/api/content/foreign-travel-advice`
  await inside((db) => insertSource(db, { id: 'uk', reader: 'uk', url, homepage: server.url, next_attempt_at: START }))
  return server
}

test('the pages of an index are followed, and later only those that changed', async () => {
  const server = await ukSource()
  expect(await runDueSources(deps)).toMatchObject([{ status: 'ok', fetchStats: { total_fetched: 2, added: 2 } }])
  expect(server.requests).toHaveLength(3)
  server.answers['/api/content/foreign-travel-advice'] = ukIndex({ Japan: JUNE, Peru: JULY })
  server.answers[`/api/content${slug('Peru')}`] = ukPage('Peru', JULY, ['avoid_all_travel_to_whole_country'])
  later(300)
  expect(await runDueSources(deps)).toMatchObject([
    { status: 'ok', fetchStats: { total_fetched: 2, updated: 1, unchanged: 1 } },
  ])
  expect(server.requests.slice(3)).toEqual(['/api/content/foreign-travel-advice', `/api/content${slug('Peru')}`])
  expect(await advisories()).toMatchObject([{ severity_level: 'info' }, { severity_level: 'critical', version: 2 }])
})

test('a page that fails leaves its advisory, is reported, and is retried', async () => {
  const server = await ukSource()
  await runDueSources(deps)
  server.answers['/api/content/foreign-travel-advice'] = ukIndex({ Japan: JULY, Peru: JUNE })
  server.answers[`/api/content${slug('Japan')}`] = 500
  later(300)
  const [run] = await runDueSources(deps)
  expect(run).toMatchObject({ status: 'ok', fetchStats: { unchanged: 1, missing: 0 } })
  expect(run!.fetchStats.refused).toEqual([
    { item: expect.stringMatching(/^Japan: /), reason: 'RSS Fetcher returned 500' },
  ])
  expect(await advisories()).toMatchObject([{ is_active: true, missing_since: null, version: 1 }, {}])
  server.answers[`/api/content${slug('Japan')}`] = ukPage('Japan', JULY, ['avoid_all_travel_to_parts'])
  later(300)
  expect(await runDueSources(deps)).toMatchObject([{ status: 'ok', fetchStats: { updated: 1, refused: [] } }])
})

test('a source is not confirmed when most of its pages fail', async () => {
  const names = ['Japan', 'Peru', 'Chad', 'Oman', 'Mali']
  const server = await ukSource()
  server.answers['/api/content/foreign-travel-advice'] = ukIndex(Object.fromEntries(names.map((name) => [name, JULY])))
  server.answers[`/api/content${slug('Japan')}`] = ukPage('Japan', JULY)
  server.answers[`/api/content${slug('Peru')}`] = 500
  expect(await runDueSources(deps)).toMatchObject([
    { status: 'failed', error: '4 of its 5 pages could not be read', fetchStats: { added: 1 } },
  ])
  expect(await sourceNow('uk')).toMatchObject({ last_success_at: null, content_hash: null })
})

const caEntry = (state: number, at: string, more = {}) => ({
  'country-iso': 'HT',
  'advisory-state': state,
  'has-content': 1,
  'date-published': { asp: at },
  eng: {
    name: 'Haiti',
    'url-slug': 'haiti',
    'advisory-text': [
      'Take normal security precautions',
      'Exercise a high degree of caution',
      'Avoid non-essential travel',
      'Avoid all travel',
    ][state],
    'friendly-date': 'June 1, 2026 06:00 EDT',
    ...more,
  },
})

test('an index with levels counts at once, and its pages add the text', async () => {
  const server = await feedServer({
    '/index.json': JSON.stringify({ data: { HT: caEntry(3, JUNE) } }),
    '/cta-cap-HT.json': JSON.stringify({
      data: caEntry(3, JUNE, { advisories: '<p>Because of gangs in the whole country.</p>' }),
    }),
  })
  await inside((db) =>
    insertSource(db, { id: 'ca', reader: 'ca', url: `${server.url}/index.json`, next_attempt_at: START }),
  )
  expect(await runDueSources(deps)).toMatchObject([{ status: 'ok', fetchStats: { total_fetched: 1, added: 1 } }])
  const [before] = await advisories()
  expect(before).toMatchObject({ severity_level: 'critical', version: 1 })
  expect(before!.detailed_information).toContain('Because of gangs in the whole country.')
  server.answers['/index.json'] = `${server.answers['/index.json']} `
  later(300)
  expect(await runDueSources(deps)).toMatchObject([{ status: 'ok', fetchStats: { updated: 0, unchanged: 1 } }])
  expect(server.requests).toEqual(['/index.json', '/cta-cap-HT.json', '/index.json'])

  server.answers['/index.json'] = JSON.stringify({ data: { HT: caEntry(1, JULY) } })
  server.answers['/cta-cap-HT.json'] = 500
  later(300)
  expect(await runDueSources(deps)).toMatchObject([{ status: 'ok', fetchStats: { updated: 0 } }])
  expect(await advisories()).toMatchObject([
    { severity_level: 'critical', pending_severity_level: 'caution', pending_reason: 'no_text', version: 1 },
  ])

  // A later index matches the page.
  server.answers['/index.json'] = `${server.answers['/index.json']} `
  server.answers['/cta-cap-HT.json'] = JSON.stringify({
    data: caEntry(1, JULY, { advisories: '<p>The gangs were driven out of the capital.</p>' }),
  })
  later(300)
  expect(await runDueSources(deps)).toMatchObject([{ status: 'ok', fetchStats: { updated: 1 } }])
  expect(await advisories()).toMatchObject([
    { severity_level: 'caution', pending_severity_level: null, pending_since: null, version: 2 },
  ])
})

test('an entry that stays missing ends after the grace period, also while the list itself does not change', async () => {
  const server = await usSource()
  await runDueSources(deps)
  server.answers['/feed'] = usRss([{ country: 'Japan' }])
  later(300)
  expect(await runDueSources(deps)).toMatchObject([{ fetchStats: { unchanged: 1, missing: 1 } }])
  for (let day = 0; day < 7; day++) {
    later(86_400)
    expect(await runDueSources(deps)).toMatchObject([{ status: 'unchanged' }])
  }
  expect(await advisories()).toMatchObject([{ is_active: true }, { is_active: false }])
})
