import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { open } from './pages.ts'
import { type Portal, ROOT, startPortal } from './portal.ts'
import { expect, test } from './test.ts'

const SERVER = process.env.TEST_DATABASE_URL ?? ''
const US_FEED = path.join(ROOT, 'fixtures/advisories/us-state-rss-2025-10-08.xml')
/** Entries in the feed. */
const ENTRIES = 211
/** Bonaire, Saba and Sint Eustatius are entries of one country set. */
const ITEMS = 209
const KILLS = 20
// Names are wrapped in invisible direction marks.
const NOT_CONFIRMED = /Stand-in\W+is not confirmed\./

test.skip(SERVER === '', 'Several processes need a PostgreSQL server: set TEST_DATABASE_URL.')

/** Resources a test has started; released after it, in reverse order. */
let ends: (() => Promise<unknown>)[] = []
test.afterEach(async () => {
  for (const end of ends.reverse()) await end()
  ends = []
})

test('several processes on one database', async ({ page }) => {
  test.setTimeout(120_000)
  const database = await freshDatabase()
  const first = await node(database.url)
  const other = await node(database.url)

  await test.step('before any source was read, no page suggests that all is well', async () => {
    await open(page, `${other.url}/travel-advisories`)
    await expect(page.getByRole('heading', { name: 'We have not read any source yet.' })).toBeVisible()
    await expect(page.getByText('Check the official pages for now.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Clear All Filters' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Refresh Advisories' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Latest travel news' })).toContainText(
      'We have not read any source yet.',
    )
  })

  await test.step('a saved document read by the command line reaches the open page', async () => {
    const { fetchStats } = await fetchFrom(database.url, 'us-state-rss', US_FEED)
    expect(fetchStats).toMatchObject({ total_fetched: ENTRIES, added: ITEMS, updated: 0 })
    await expect(page.getByRole('heading', { name: `Current Advisories (${ITEMS})` })).toBeVisible()
    expect((await fetchFrom(database.url, 'us-state-rss', US_FEED)).fetchStats).toMatchObject({ added: 0, updated: 0 })
  })

  await test.step('an edit reaches a browser at the other process, and the pages of both', async () => {
    await open(page, `${other.url}/travel-advisories?search=haiti`)
    // Both have the page cached.
    for (const { url } of [first, other]) expect(await says(`${url}/travel-advisories`, 'Edited by hand')).toBe(false)
    await database.sql(`update travel_advisories set title = 'Haiti: Edited by hand' where title like 'Haiti%'`)
    await expect(page.getByRole('heading', { name: 'Haiti: Edited by hand' })).toBeVisible()
    for (const { url } of [first, other])
      await expect.poll(() => says(`${url}/travel-advisories`, 'Haiti: Edited by hand')).toBe(true)
  })
})

test('a source that stops is reported as not confirmed, and recovers by itself', async ({ page }) => {
  test.setTimeout(120_000)
  const database = await freshDatabase()
  const front = await node(database.url)
  const source = await standIn(database)
  const readAgain = async () => {
    await database.sql(`update advisory_sources set next_attempt_at = now() where id = 'stand-in'`)
    const worker = await node(database.url, { FEEDS: 'on' })
    await expect.poll(() => database.sql(`select from advisory_sources where next_attempt_at > now()`)).toHaveLength(1)
    await worker.stop()
  }

  await readAgain()
  await open(page, `${front.url}/travel-advisories`)
  await expect(page.getByRole('heading', { name: `Current Advisories (${ITEMS})` })).toBeVisible()
  await expect(page.getByRole('link', { name: '1 of 1 sources confirmed' })).toBeVisible()

  await source.stop()
  await readAgain()
  await expect(page.getByText(NOT_CONFIRMED)).toBeVisible()
  await expect(page.getByRole('link', { name: '0 of 1 sources confirmed' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Stand-in\W+not confirmed/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: `Current Advisories (${ITEMS})` })).toBeVisible()
  expect(await says(`${front.url}/travel-advisories`, NOT_CONFIRMED)).toBe(true)
  expect(await says(`${front.url}/travel-advisories/sources`, 'Not confirmed since')).toBe(true)

  await source.start()
  await readAgain()
  await expect(page.getByText(NOT_CONFIRMED)).toBeHidden()
  await expect(page.getByRole('link', { name: '1 of 1 sources confirmed' })).toBeVisible()
  expect(await says(`${front.url}/travel-advisories`, NOT_CONFIRMED)).toBe(false)
})

test('a due source is fetched by only one of two processes that start together', async () => {
  test.setTimeout(120_000)
  const database = await freshDatabase()
  await (await node(database.url)).stop()
  const source = await standIn(database)
  await Promise.all([node(database.url, { FEEDS: 'on' }), node(database.url, { FEEDS: 'on' })])
  await expect.poll(() => database.sql(`select from feed_runs where status = 'ok'`)).toHaveLength(1)
  expect(source.requestCount).toBe(1)
  expect(await database.sql('select from feed_runs')).toHaveLength(1)
})

test(`killed ${KILLS} times while reading a source, it neither loses nor duplicates anything, and starts clean`, async () => {
  // Two dozen processes are started one after the other.
  test.setTimeout(600_000)
  const database = await freshDatabase()
  await (await node(database.url)).stop()
  const source = await standIn(database)

  /** Starts a process that reads this edition, and releases the document once the process is up. */
  const begin = async (edition: number) => {
    source.publish(edition)
    // As if the killed process's lease of the source had expired.
    await database.sql(`update advisory_sources set next_attempt_at = now(), leased_until = null`)
    const reader = await node(database.url, { FEEDS: 'on' })
    await source.requestArrival()
    source.answer()
    return reader
  }
  const hasRead = () => database.sql(`select from feed_runs where status = 'ok'`)

  const began = await begin(0)
  const start = performance.now()
  while ((await hasRead()).length === 0) await sleep(5)
  const took = performance.now() - start
  await began.stop()

  const results: string[] = []
  for (let kill = 1; kill <= KILLS; kill++) {
    const reader = await begin(kill)
    await sleep((took * 1.2 * kill) / KILLS)
    await reader.stop('SIGKILL')
    expect(reader.output()).not.toMatch(/"level":(50|60)/)
    const [state] = await database.sql(`
      select count(*)::int as advisories, count(distinct external_id)::int as ids, count(distinct title)::int as titles,
        count(distinct coalesce(substring(detailed_information from 'Edition [0-9]+'), ''))::int as editions,
        min(substring(detailed_information from 'Edition ([0-9]+)'))::int as edition,
        count(*) filter (where version <> (select count(*) from advisory_versions v where v.advisory_id = a.id))::int as gaps
      from travel_advisories a`)
    // All of an edition or none of it: in that case the previous one.
    expect(state).toMatchObject({ advisories: ITEMS, ids: ITEMS, titles: ITEMS, editions: 1, gaps: 0 })
    results.push(state!.edition === kill ? 'read' : 'kept')
  }
  test.info().annotations.push({ type: 'outcomes', description: `a run takes ${Math.round(took)} ms: ${results}` })
  expect(results).toContain('kept')

  const last = await begin(KILLS + 1)
  await expect
    .poll(() => database.sql(`select from travel_advisories where detailed_information like '%Edition ${KILLS + 1}.%'`))
    .toHaveLength(ITEMS)
  await expect.poll(() => says(`${last.url}/travel-advisories`, `Current Advisories (${ITEMS})`)).toBe(true)
  expect(await database.sql(`select from feed_runs where status = 'running'`)).toHaveLength(0)
})

interface Database {
  url: string
  sql(text: string): Promise<Record<string, unknown>[]>
}

async function freshDatabase(): Promise<Database> {
  const name = `portal_e2e_${randomBytes(5).toString('hex')}`
  const server = new pg.Client({ connectionString: SERVER })
  await server.connect()
  await server.query(`create database ${name} template template0 encoding 'UTF8'`)
  const url = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  ends.push(async () => {
    await client.end()
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  })
  return { url, sql: async (text) => (await client.query(text)).rows }
}

async function node(database: string, environment: Record<string, string> = {}): Promise<Portal> {
  const portal = await startPortal({
    DATABASE_URL: database,
    DATABASE_POOL: '4',
    FEEDS_ALLOW_PRIVATE: 'true',
    ...environment,
  })
  ends.push(() => portal.stop())
  return portal
}

/** The only source of this portal: a test server with the United States document. */
async function standIn(database: Database) {
  const document = readFileSync(US_FEED, 'utf8')
  let edition: number | undefined
  let requestCount = 0
  let resolveRequest = () => {}
  let requestArrival = Promise.resolve()
  let answer = () => {}
  const server = createServer(async (_, response) => {
    requestCount++
    resolveRequest()
    // Withheld until the test releases it, once it has published an edition.
    if (edition !== undefined) await new Promise<void>((go) => (answer = go))
    const text =
      edition === undefined ? document : document.replaceAll('<description>', `<description>Edition ${edition}. `)
    response.end(text)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const stop = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((closed) => server.close(closed))
  }
  await listen(0)
  ends.push(stop)
  const { port } = server.address() as AddressInfo
  await database.sql(`update advisory_sources set is_enabled = false`)
  await database.sql(`
    insert into advisory_sources (id, name, organization, authority, reader, url, homepage, licence, interval_seconds, minimum_items)
    values ('stand-in', 'Stand-in', 'A server of the test', 'stand-in', 'us-rss', 'http://127.0.0.1:${port}/feed.xml',
      'http://127.0.0.1:${port}/', 'None', 60, 150)`)
  return {
    get requestCount() {
      return requestCount
    },
    start: () => listen(port),
    stop,
    /** Serves this edition from now on, and waits before responding with it. */
    publish(number: number) {
      edition = number
      requestArrival = new Promise((resolve) => (resolveRequest = resolve))
    },
    requestArrival: () => requestArrival,
    answer: () => answer(),
  }
}

async function fetchFrom(database: string, source: string, file: string) {
  const args = ['server/cli.ts', 'feeds:fetch', '--source', source, '--from', file, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: database },
  })
  return JSON.parse(stdout).runs[0] as { fetchStats: Record<string, unknown> }
}

/** Whether the HTML of a page contains this text. */
async function says(url: string, expected: string | RegExp) {
  const text = await (await fetch(url)).text()
  return typeof expected === 'string' ? text.includes(expected) : expected.test(text)
}
const sleep = (milliseconds: number) => new Promise((wake) => setTimeout(wake, milliseconds))
