import { afterEach, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { emptyTables, testDatabase } from '#server/testing/database.ts'
import { feedItem, insertSource } from '#server/testing/factory.ts'
import { expireAdvisories } from './expiry.ts'
import type { FeedItem, ParsedFeed } from './feeds/feed.ts'
import { importFeed } from './import-feed.ts'
import type { ImportContext } from './import-plan.ts'
import type { Source } from './sources.ts'

const database = await testDatabase()
const countries = createCountries()
const NOW = new Date('2026-10-01T12:00:00Z')
const DAY = 86_400_000

afterEach(() => emptyTables(database))

const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const newSource = (values: Partial<Source> = {}) => inside((db) => insertSource(db, { minimum_items: 1, ...values }))
const list = (items: FeedItem[], more: Partial<ParsedFeed> = {}): ParsedFeed => ({
  items,
  rejected: [],
  follow: [],
  isComplete: true,
  ...more,
})
const importAll = (source: Source, parsed: ParsedFeed, context: Partial<ImportContext> = {}) =>
  inside((db) => importFeed(db, source, parsed, { cause: 'schedule', now: NOW, countries, ...context }))
const advisories = () => inside((db) => db.selectFrom('travel_advisories').selectAll().orderBy('external_id').execute())
const versions = () =>
  inside((db) => db.selectFrom('advisory_versions').selectAll().orderBy('version').orderBy('title').execute())
const publicVersion = async () =>
  (await inside((db) => db.selectFrom('public_version').select('version').executeTakeFirstOrThrow())).version

const japan = feedItem({ external_id: 'jp' })
const peru = feedItem({ external_id: 'pe', title: 'Peru: Exercise Increased Caution', country_codes: ['PE'] })

test('the first import adds every entry in version 1', async () => {
  const source = await newSource()
  const { stats, itemCount } = await importAll(source, list([japan, peru]))
  expect(stats).toMatchObject({
    total_fetched: 2,
    added: 2,
    updated: 0,
    unchanged: 0,
    missing: 0,
    saved_to_database: 2,
  })
  expect(itemCount).toBe(2)
  expect(await advisories()).toMatchObject([
    { external_id: 'jp', affected_countries: ['Japan'], version: 1, changed_at: null, is_active: true },
    { external_id: 'pe', affected_countries: ['Peru'] },
  ])
  expect((await advisories())[0]!.search_text).toContain('اليابان')
  expect(await versions()).toMatchObject([
    { version: 1, changes: [] },
    { version: 1, changes: [] },
  ])
})

test('importing the same again touches no row', async () => {
  const source = await newSource()
  await importAll(source, list([japan, peru]))
  const before = { rows: await advisories(), version: await publicVersion() }
  const { stats } = await importAll(source, list([peru, japan]), { now: new Date(NOW.getTime() + DAY) })
  expect(stats).toMatchObject({ total_fetched: 2, added: 0, updated: 0, unchanged: 2, missing: 0 })
  expect({ rows: await advisories(), version: await publicVersion() }).toEqual(before)
})

test('a level change creates a version that lists the change', async () => {
  const source = await newSource()
  await importAll(source, list([japan, peru]))
  const worse = {
    ...japan,
    severity_level: 'caution',
    original_wording: 'Level 2: Exercise Increased Caution',
    description: 'Because of an earthquake.',
    last_updated: new Date('2026-09-30T00:00:00Z'),
  } as const
  const { stats } = await importAll(source, list([worse, peru]))
  expect(stats).toMatchObject({ added: 0, updated: 1, unchanged: 1 })
  expect((await advisories())[0]).toMatchObject({ version: 2, severity_level: 'caution', changed_at: NOW })
  expect((await versions())[2]).toMatchObject({
    version: 2,
    changes: [
      { field: 'severity_level', before: 'info', after: 'caution' },
      {
        field: 'original_wording',
        before: 'Level 1: Exercise Normal Precautions',
        after: 'Level 2: Exercise Increased Caution',
      },
      { field: 'text', before: null, after: null },
      { field: 'last_updated', before: '2026-01-15T00:00:00.000Z', after: '2026-09-30T00:00:00.000Z' },
    ],
  })
})

test('a changed link is stored, but is not a change for readers', async () => {
  const source = await newSource()
  await importAll(source, list([japan]))
  const { stats } = await importAll(source, list([{ ...japan, source_url: 'https://travel.example/moved' }]))
  expect(stats.updated).toBe(1)
  expect(await advisories()).toMatchObject([
    { source_url: 'https://travel.example/moved', version: 1, changed_at: null },
  ])
  expect(await versions()).toHaveLength(1)
})

test('a changed expiry is a change', async () => {
  const source = await newSource()
  const until = (day: string) => feedItem({ external_id: 'storm', expiry_date: new Date(day) })
  await importAll(source, list([until('2026-10-02')]))
  await importAll(source, list([until('2026-10-05')]))
  expect((await versions())[1]!.changes).toEqual([
    { field: 'expiry_date', before: '2026-10-02T00:00:00.000Z', after: '2026-10-05T00:00:00.000Z' },
  ])
})

test('an entry that vanishes is marked, stays in force for the grace period, then ends', async () => {
  const source = await newSource()
  await importAll(source, list([japan, peru]))
  const { stats } = await importAll(source, list([japan]))
  expect(stats).toMatchObject({ unchanged: 1, missing: 1 })
  expect((await advisories())[1]).toMatchObject({ missing_since: NOW, is_active: true })
  await importAll(source, list([japan]), { now: new Date(NOW.getTime() + 6 * DAY) })
  expect((await advisories())[1]).toMatchObject({ missing_since: NOW, is_active: true })
  await importAll(source, list([japan]), { now: new Date(NOW.getTime() + 7 * DAY) })
  expect((await advisories())[1]).toMatchObject({ missing_since: NOW, is_active: false })
})

test('an entry that comes back, even after the grace period, is the same advisory', async () => {
  const source = await newSource()
  await importAll(source, list([japan, peru]))
  const [, before] = await advisories()
  for (const days of [1, 9]) await importAll(source, list([japan]), { now: new Date(NOW.getTime() + days * DAY) })
  expect((await advisories())[1]!.is_active).toBe(false)
  const { stats } = await importAll(source, list([japan, peru]), { now: new Date(NOW.getTime() + 10 * DAY) })
  expect(stats).toMatchObject({ added: 0, updated: 0, unchanged: 2, missing: 0 })
  expect((await advisories())[1]).toMatchObject({ id: before!.id, version: 1, missing_since: null, is_active: true })
})

test('a partial document, or one whose entry was refused, makes nothing vanish', async () => {
  const source = await newSource()
  await importAll(source, list([japan, peru]))
  expect((await importAll(source, list([japan], { isComplete: false }))).stats.missing).toBe(0)
  expect((await importAll(source, list([japan]), { isPartial: true })).stats.missing).toBe(0)
  const refused = [{ item: 'Peru - Level 9: Run', reason: 'Level 9 is not one of 1 to 4' }]
  const { stats } = await importAll(source, list([japan], { rejected: refused }))
  expect(stats).toMatchObject({ total_fetched: 2, unchanged: 1, missing: 0, refused })
  expect(await advisories()).toMatchObject([{ missing_since: null }, { missing_since: null }])
})

const world = (count: number) =>
  Array.from({ length: count }, (_, index) => feedItem({ external_id: `c${index}`, title: `Country ${index}` }))

test.each([
  ['an empty list', 0, 'It lists 0 entries, fewer than the 150 that this source always has'],
  ['a list below what the source always has', 120, 'It lists 120 entries, fewer than the 150'],
])('%s is refused and the old advisories stand', async (_, count, message) => {
  const source = await newSource({ minimum_items: 150 })
  await importAll(source, list(world(200)))
  await expect(importAll({ ...source, item_count: 200 }, list(world(count)))).rejects.toThrow(message)
  expect((await advisories()).filter((row) => row.is_active && !row.missing_since)).toHaveLength(200)
})

test('a list that shrinks to less than half is refused, unless an administrator forces it', async () => {
  const source = { ...(await newSource({ minimum_items: 60 })), item_count: 160 }
  await importAll(source, list(world(160)))
  await expect(importAll(source, list(world(79)))).rejects.toThrow('It lists 79 entries, less than half of the 160')
  expect((await importAll(source, list(world(79)), { isForced: true })).stats).toMatchObject({
    unchanged: 79,
    missing: 81,
  })
})

test('saved entries imported manually into a source without any count as partial', async () => {
  const source = await newSource({ minimum_items: 150 })
  const { stats, itemCount } = await importAll(source, list([japan, peru]), { cause: 'file' })
  expect(stats).toMatchObject({ total_fetched: 2, added: 2 })
  expect(itemCount).toBe(2)
  const again = await importAll({ ...source, item_count: 2 }, list([japan]), { cause: 'file' })
  expect(again.stats).toMatchObject({ unchanged: 1, missing: 0 })
})

test('an older copy of a list is refused however long it is served, until an administrator forces it', async () => {
  const confirmed = { last_success_at: new Date(NOW.getTime() - 300_000) }
  const source = { ...(await newSource()), ...confirmed }
  const newer = { ...japan, last_updated: new Date('2026-09-30T00:00:00Z'), severity_level: 'caution' } as const
  await importAll(source, list([newer, peru]))
  await expect(importAll(source, list([japan, peru]))).rejects.toThrow('It is an older copy: 1 entry older')
  const later = { now: new Date(NOW.getTime() + 30 * DAY) }
  await expect(importAll(source, list([japan, peru]), later)).rejects.toThrow('It is an older copy: 1 entry older')
  expect((await advisories())[0]!.severity_level).toBe('caution')
  await importAll(source, list([japan, peru]), { ...later, isForced: true })
  expect((await advisories())[0]!.severity_level).toBe('info')
})

test('an alert that replaces or cancels another ends it, and importing the old one again does not bring it back', async () => {
  const source = await newSource({ minimum_items: 0 })
  const alert = feedItem({ external_id: 'alert-1' })
  const update = feedItem({ external_id: 'alert-2', supersedes: ['alert-1'] })
  await importAll(source, list([alert], { isComplete: false }))
  await importAll(source, list([update], { isComplete: false }))
  await importAll(source, list([alert], { isComplete: false }))
  expect(await advisories()).toMatchObject([{ is_active: false }, { is_active: true }])
  const cancel = feedItem({ external_id: 'alert-3', supersedes: ['alert-2'], is_cancellation: true })
  await importAll(source, list([cancel], { isComplete: false }))
  expect((await advisories()).map((row) => row.is_active)).toEqual([false, false, false])
})

test('an alert that a complete list cancels and no longer contains is over at once', async () => {
  const source = await newSource({ minimum_items: 0 })
  await importAll(source, list([feedItem({ external_id: 'alert-1' })]))
  const cancel = feedItem({ external_id: 'alert-2', supersedes: ['alert-1'], is_cancellation: true })
  await importAll(source, list([cancel]))
  expect(await advisories()).toMatchObject([
    { external_id: 'alert-1', is_active: false, missing_since: null },
    { external_id: 'alert-2', is_active: false },
  ])
})

test('an exercise stays separate and ends no real alert', async () => {
  const source = await newSource({ minimum_items: 0 })
  await importAll(source, list([feedItem({ external_id: 'alert-1' })], { isComplete: false }))
  const exercise = feedItem({ external_id: 'x', status: 'exercise', supersedes: ['alert-1'] })
  await importAll(source, list([exercise], { isComplete: false }))
  expect(await advisories()).toMatchObject([
    { external_id: 'alert-1', is_active: true },
    { external_id: 'x', status: 'exercise' },
  ])
})

test('expired advisories are ended by schedule, and are not in force when first seen', async () => {
  const source = await newSource()
  const over = feedItem({ external_id: 'a', expiry_date: new Date(NOW.getTime() - 1) })
  const soon = feedItem({ external_id: 'b', expiry_date: new Date(NOW.getTime() + 60_000) })
  await importAll(source, list([over, soon, { ...japan, external_id: 'c' }]))
  expect((await advisories()).map((row) => row.is_active)).toEqual([false, true, true])
  expect(await inside((db) => expireAdvisories(db, new Date(NOW.getTime() + 61_000)))).toBe(1)
  expect((await advisories()).map((row) => row.is_active)).toEqual([false, false, true])
})

test('a name that matches no country is preserved, shown and reported', async () => {
  const source = await newSource()
  const item = feedItem({
    external_id: 'a',
    title: 'Atlantis: Avoid',
    country_codes: ['JP'],
    unresolved_countries: ['Atlantis'],
  })
  const { stats } = await importAll(source, list([item]))
  expect(stats.unresolved).toEqual([{ item: 'Atlantis: Avoid', name: 'Atlantis' }])
  expect(await advisories()).toMatchObject([
    { affected_countries: ['Japan', 'Atlantis'], unresolved_countries: ['Atlantis'], is_active: true },
  ])
})

test('an entry listed twice is stored once, and one that cannot be stored is refused alone', async () => {
  const source = await newSource()
  const newer = { ...japan, last_updated: new Date('2026-09-30T00:00:00Z') }
  const broken = feedItem({ effective_date: new Date('2026-09-02'), expiry_date: new Date('2026-09-01') })
  const nul = feedItem({ external_id: 'nul', title: 'Chad\u0000: Reconsider \ud800Travel' })
  const { stats } = await importAll(source, list([japan, newer, broken, nul]))
  expect(stats).toMatchObject({ total_fetched: 4, added: 2 })
  expect(stats.refused.map(({ reason }) => reason)).toEqual([
    'The id jp stands here twice; the newer entry was kept',
    'Expires before it takes effect',
  ])
  expect(await advisories()).toMatchObject([
    { last_updated: newer.last_updated },
    { title: 'Chad: Reconsider \ufffdTravel' },
  ])
})

test('the source itself replaces a dated extract: only changes since its date count', async () => {
  const source = await newSource()
  const extract = { cause: 'sample', capturedOn: '2026-02-15' } as const
  const oman = feedItem({ external_id: 'om' })
  const gone = feedItem({ external_id: 'zz' })
  await importAll(source, list([japan, oman, peru, gone]), extract)
  expect(await advisories()).toMatchObject(Array(4).fill({ captured_on: '2026-02-15' }))
  const exact = { ...japan, description: 'In more words.' }
  const worse = { ...oman, severity_level: 'warning' } as const
  const edited = { ...peru, description: 'New.', last_updated: new Date('2026-08-01T00:00:00Z') }
  const { stats } = await importAll(source, list([exact, worse, edited]))
  expect(stats).toMatchObject({ added: 0, updated: 3, missing: 1 })
  expect(await advisories()).toMatchObject([
    { external_id: 'jp', captured_on: null, version: 1, description: 'In more words.' },
    { external_id: 'om', captured_on: null, version: 2 },
    { external_id: 'pe', captured_on: null, version: 2 },
    { external_id: 'zz', captured_on: '2026-02-15', missing_since: NOW, is_active: false },
  ])
  expect((await versions()).find((row) => row.description === 'In more words.')).toMatchObject({
    version: 1,
    changes: [],
  })
})

test('a saved document does not confirm the source: an extract stays marked as one', async () => {
  const source = await newSource({ minimum_items: 0 })
  await importAll(source, list([japan]), { cause: 'sample', capturedOn: '2026-02-15' })
  expect((await importAll(source, list([japan]), { cause: 'file' })).stats.unchanged).toBe(1)
  expect(await advisories()).toMatchObject([{ captured_on: '2026-02-15' }])
})

test('a saved list without dates, imported again on another day, is unchanged', async () => {
  const source = await newSource()
  const read = (day: string) =>
    importAll(source, list([{ ...japan, last_updated: new Date(day) }]), {
      cause: 'file',
      now: new Date(`${day}T09:00:00Z`),
    })
  await read('2026-10-01')
  expect((await read('2026-10-03')).stats).toMatchObject({ updated: 0, unchanged: 1 })
})

test('an extract that the source confirms unchanged is no longer marked as an extract', async () => {
  const source = await newSource()
  await importAll(source, list([japan]), { cause: 'sample', capturedOn: '2026-02-15' })
  expect((await importAll(source, list([japan]))).stats.unchanged).toBe(1)
  expect(await advisories()).toMatchObject([{ captured_on: null, version: 1 }])
})

const page = (external_id: string) => ({ url: 'https://x.example', external_id, changed_at: null })

test('an index alone does not remove the text of a page, but a new level does', async () => {
  const source = await newSource()
  await importAll(source, list([japan]))
  const indexed = { ...japan, detailed_information: null, last_updated: new Date('2026-09-30T00:00:00Z') }
  const dated = await importAll(source, list([indexed], { follow: [page('jp')] }))
  expect(dated.stats.unchanged).toBe(1)
  const worse = { ...indexed, severity_level: 'critical', original_wording: 'Avoid all travel' } as const
  const levelled = await importAll(source, list([worse], { follow: [page('jp')] }))
  expect(levelled.stats.updated).toBe(1)
  expect(await advisories()).toMatchObject([{ severity_level: 'critical', detailed_information: null, version: 2 }])
})

test('an entry whose page could not be read stays in force and is reported', async () => {
  const source = await newSource()
  await importAll(source, list([japan, peru]))
  const failedPages = new Map([['jp', 'RSS Fetcher returned 500']])
  const { stats } = await importAll(source, list([], { follow: [page('jp'), page('pe'), page('new')] }), {
    failedPages,
  })
  expect(stats).toMatchObject({ total_fetched: 3, unchanged: 1, missing: 0, added: 0 })
  expect(stats.refused).toEqual([
    { item: japan.title, reason: 'RSS Fetcher returned 500' },
    { item: page('new').url, reason: 'Its own page was not read' },
  ])
  expect((await advisories()).every((row) => row.is_active && !row.missing_since)).toBe(true)
})

test('a failure during writing leaves everything as it was', async () => {
  const source = await newSource()
  await importAll(source, list([japan, peru]))
  const before = [await advisories(), await versions()]
  const worse = world(300).map((item) => ({ ...item, severity_level: 'critical' as const }))
  const half = inside(async (db) => {
    await importFeed(db, source, list([...worse, { ...japan, description: 'Changed.' }]), {
      cause: 'schedule',
      now: NOW,
      countries,
    })
    throw new Error('The process ends here')
  })
  await expect(half).rejects.toThrow('The process ends here')
  expect([await advisories(), await versions()]).toEqual(before)
})
