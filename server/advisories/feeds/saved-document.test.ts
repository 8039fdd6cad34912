import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { emptyTables, testDatabase } from '#server/testing/database.ts'
import { feedServer, usRss } from '#server/testing/feed-server.ts'
import { registerSources } from '../sources.ts'
import type { FeedDeps } from './deps.ts'
import { runSource } from './run.ts'
import { readSavedDocument } from './saved-document.ts'

const database = await testDatabase()
const deps: FeedDeps = {
  database,
  log: pino({ level: 'silent' }),
  publicUrl: 'https://portal.example',
  allowsPrivateFeeds: true,
}
const fixture = (name: string) => fileURLToPath(new URL(`../../../fixtures/advisories/${name}`, import.meta.url))
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const sourceOf = (id: string) =>
  inside((db) => db.selectFrom('advisory_sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
const countOf = async (table: 'travel_advisories' | 'advisory_versions') =>
  Number((await inside((db) => db.selectFrom(table).select(db.fn.countAll().as('n')).executeTakeFirstOrThrow())).n)

afterEach(() => emptyTables(database))

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-saved-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  return folder
}

test('the US feed of 7 October 2025, then that of the next day: one advisory changes, from level 1 to 2', async () => {
  await inside(registerSources)
  const first = await readSavedDocument(deps, 'us-state-rss', fixture('us-state-rss-2025-10-07.xml'))
  expect(first).toMatchObject({ status: 'ok', fetchStats: { total_fetched: 211, added: 209, updated: 0 } })
  const again = await readSavedDocument(deps, 'us-state-rss', fixture('us-state-rss-2025-10-07.xml'))
  expect(again.fetchStats).toMatchObject({ total_fetched: 211, added: 0, updated: 0, unchanged: 209, missing: 0 })
  const second = await readSavedDocument(deps, 'us-state-rss', fixture('us-state-rss-2025-10-08.xml'))
  expect(second.fetchStats).toMatchObject({ total_fetched: 211, added: 0, updated: 1, unchanged: 208, missing: 0 })

  const changed = await inside((db) =>
    db
      .selectFrom('travel_advisories as a')
      .innerJoin('advisory_versions as v', 'v.advisory_id', 'a.id')
      .select(['a.affected_countries', 'a.version', 'v.changes'])
      .where('v.version', '=', 2)
      .execute(),
  )
  expect(changed).toHaveLength(1)
  expect(changed[0]).toMatchObject({ affected_countries: ['São Tomé and Príncipe'], version: 2 })
  expect(changed[0]!.changes).toContainEqual({ field: 'severity_level', before: 'info', after: 'caution' })
  expect(await countOf('travel_advisories')).toBe(209)
  expect(await countOf('advisory_versions')).toBe(210)
})

test('a saved document does not confirm the source', async () => {
  await inside(registerSources)
  await readSavedDocument(deps, 'us-state-rss', fixture('us-state-rss-2025-10-07.xml'))
  expect(await sourceOf('us-state-rss')).toMatchObject({ last_success_at: null, item_count: 209, content_hash: null })
})

test('an older copy, a shrunken list and an empty one are refused with the reason, and recorded', async () => {
  await inside(registerSources)
  await readSavedDocument(deps, 'us-state-rss', fixture('us-state-rss-2025-10-08.xml'))
  const read = async (text: string) =>
    readSavedDocument(deps, 'us-state-rss', path.join(await folderOf({ 'feed.xml': text }), 'feed.xml'))
  const older = await readSavedDocument(deps, 'us-state-rss', fixture('us-state-rss-2025-10-07.xml'))
  expect(older).toMatchObject({
    status: 'refused',
    error: 'It is an older copy: 1 entry older than already read, none newer',
  })
  const few = Array.from({ length: 149 }, (_, index) => ({ country: `Country ${index}` }))
  expect(await read(usRss(few))).toMatchObject({
    status: 'refused',
    error: 'It lists 149 entries, fewer than the 150 that this source always has',
  })
  expect(await read(usRss([]))).toMatchObject({ status: 'refused', error: 'The list is empty' })
  expect(await read('<html><title>Not found</title></html>')).toMatchObject({ status: 'refused' })
  const runs = await inside((db) => db.selectFrom('feed_runs').select(['cause', 'status']).execute())
  expect(runs.filter(({ status }) => status === 'refused')).toHaveLength(4)
  expect(await countOf('travel_advisories')).toBe(209)
})

test('a document is also read from a web address, and then from the source itself', async () => {
  const server = await feedServer({
    '/saved.xml': usRss([{ country: 'Japan' }]),
    '/feed': usRss([{ country: 'Japan' }]),
  })
  await inside(registerSources)
  const url = `${server.url}/saved.xml`
  expect(await readSavedDocument(deps, 'us-state-rss', url)).toMatchObject({ status: 'ok', fetchStats: { added: 1 } })
  expect(await readSavedDocument(deps, 'us-state-rss', `${server.url}/gone`)).toMatchObject({
    status: 'failed',
    error: 'RSS Fetcher returned 404',
  })
  const live = { url: `${server.url}/feed`, homepage: server.url, minimum_items: 1 }
  await inside((db) => db.updateTable('advisory_sources').set(live).where('id', '=', 'us-state-rss').execute())
  expect(await runSource(deps, 'us-state-rss', 'manual')).toMatchObject({ status: 'ok', fetchStats: { unchanged: 1 } })
  expect((await sourceOf('us-state-rss')).last_success_at).not.toBeNull()
})

test('a folder is read as a list with its pages', async () => {
  const entry = (more: object = {}) => ({
    'country-iso': 'HT',
    'advisory-state': 3,
    'has-content': 1,
    'date-published': { asp: '2026-06-01T10:00:00Z' },
    eng: {
      name: 'Haiti',
      'url-slug': 'haiti',
      'advisory-text': 'Avoid all travel',
      'friendly-date': 'June 1, 2026 06:00 EDT',
      ...more,
    },
  })
  const folder = await folderOf({
    'cta-cap-HT.json': JSON.stringify({ data: entry({ advisories: '<p>Because of gangs.</p>' }) }),
    'index.json': JSON.stringify({
      data: { HT: entry(), JP: { ...entry(), eng: { ...entry().eng, name: 'Japan', 'url-slug': 'japan' } } },
    }),
    'notes.txt': 'not a document',
  })
  await inside(registerSources)
  const run = await readSavedDocument(deps, 'ca-travel', folder)
  expect(run).toMatchObject({ status: 'ok', fetchStats: { total_fetched: 3, added: 2 } })
  expect(run.fetchStats.refused).toEqual([{ item: 'notes.txt', reason: expect.stringContaining('JSON') }])
  const again = await readSavedDocument(deps, 'ca-travel', path.join(folder, 'index.json'))
  expect(again.fetchStats).toMatchObject({ total_fetched: 2, updated: 0, unchanged: 2 })
  const rows = await inside((db) => db.selectFrom('travel_advisories').selectAll().orderBy('title').execute())
  expect(rows[0]!.detailed_information).toContain('Because of gangs.')
})

test('a dated extract is marked with its date', async () => {
  await inside(registerSources)
  await readSavedDocument(deps, 'uk-fcdo', fixture('uk/alert-status-2026-05-20-extract.json'), {
    capturedOn: '2026-05-20',
  })
  expect(await sourceOf('uk-fcdo')).toMatchObject({ captured_on: '2026-05-20' })
  const [row] = await inside((db) => db.selectFrom('travel_advisories').selectAll().limit(1).execute())
  expect(row).toMatchObject({ captured_on: '2026-05-20', last_updated: new Date('2026-05-20'), date_precision: 'day' })
})

test('an unknown source, and a file that does not exist', async () => {
  await expect(readSavedDocument(deps, 'nowhere', 'x.xml')).rejects.toThrow('Unknown source "nowhere"')
  await inside(registerSources)
  await expect(readSavedDocument(deps, 'us-state-rss', '/no/such.xml')).rejects.toThrow(
    'Cannot read the file or folder',
  )
})
