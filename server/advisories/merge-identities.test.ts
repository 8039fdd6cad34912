import { afterEach, describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { emptyTables, testDatabase } from '#server/testing/database.ts'
import { feedItem, insertAdvisory, insertSource } from '#server/testing/factory.ts'
import type { ParsedFeed } from './feeds/feed.ts'
import { bytes, context, fixture } from './feeds/testing.ts'
import { importFeed } from './import-feed.ts'
import { readerOf, type Source } from './sources.ts'

const database = await testDatabase()
const countries = createCountries()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
afterEach(() => emptyTables(database))

let documents = 0
const read = (source: Source, parsed: ParsedFeed) =>
  inside((db) =>
    importFeed(
      db,
      source,
      { ...parsed, follow: [] },
      { cause: 'schedule', now: new Date('2026-11-01T06:00:00Z'), countries, document: `${++documents}` },
    ),
  )
const rows = () => inside((db) => db.selectFrom('travel_advisories').selectAll().orderBy('external_id').execute())

describe('rows from before identity by country set', () => {
  test('duplicate rows of one country become one with its history; the warning stays, not the placeholder', async () => {
    const source = await inside((db) => insertSource(db, { minimum_items: 0 }))
    const add = (external_id: string, more: object) =>
      inside((db) => insertAdvisory(db, { source_id: source.id, external_id, country_codes: ['KP'], ...more }))
    const warning = await add('/north-korea-travel-advisory.html', {
      severity_level: 'critical',
      last_updated: new Date('2025-04-29'),
      version: 3,
    })
    const placeholder = await add('/destination.prk.html', { last_updated: new Date('2025-12-16') })
    const peru = await add('/peru.html', { country_codes: ['PE'] })
    await inside((db) =>
      db
        .insertInto('advisory_acknowledgments')
        .values({ advisory_id: warning.id, user_id: warning.id, version: 3 })
        .execute(),
    )
    const item = ({ title, severity_level, last_updated, country_codes }: typeof warning) =>
      feedItem({ external_id: `set:${country_codes}`, title, severity_level, last_updated, country_codes })
    await read(source, {
      items: [item(warning), item(peru)],
      rejected: [],
      follow: [],
      isComplete: true,
    })
    expect(await rows()).toMatchObject([
      // Its page stays for links in messages that were sent.
      { id: placeholder.id, external_id: `merged:${placeholder.id}`, is_active: false },
      { id: warning.id, external_id: 'set:KP', severity_level: 'critical', is_active: true },
      { id: peru.id, external_id: 'set:PE', is_active: true },
    ])
    expect(await inside((db) => db.selectFrom('advisory_acknowledgments').selectAll().execute())).toMatchObject([
      { advisory_id: warning.id },
    ])
    expect(await inside((db) => db.selectFrom('announcements').selectAll().execute())).toEqual([])
  })

  test('parts of countries that Canada lists under their own keys stay separate', async () => {
    const source = await inside((db) => insertSource(db, { reader: 'ca', minimum_items: 0 }))
    for (const [external_id, title, code] of [
      ['PT', 'Portugal: Take normal security precautions', 'PT'],
      ['PT-20', 'Azores: Take normal security precautions', 'PT'],
      ['IC', 'Canary Islands: Take normal security precautions', 'ES'],
    ] as const)
      await inside((db) => insertAdvisory(db, { source_id: source.id, external_id, title, country_codes: [code] }))
    const reader = await readerOf(source)
    await read(source, await reader(fixture('ca/index-2014-10-02-extract.json'), context('https://example.org/')))
    const names = (await rows()).filter((row) => /PT|ES/.test(row.external_id)).map((row) => row.external_id)
    expect(names).toEqual(['set:ES/canary-islands', 'set:PT', 'set:PT/azores'])
  })
})

/** The same advice as before, served under other addresses or ids. */
const MOVED: [name: string, reader: string, file: string, move: (text: string) => string][] = [
  [
    'US RSS: address and guid',
    'us-rss',
    'us/rss-namespace-undeclared-2026-09.xml',
    (text) => text.replaceAll(/(<(?:link|guid)[^>]*>[^<]*\/)([a-z-]+\.html)/gi, '$1moved-$2'),
  ],
  ['US JSON: links', 'us-json', 'us/api-2026-09.json', (text) => text.replaceAll('/travel-advisories/', '/ta/')],
  [
    'UK: slugs',
    'uk',
    'uk/pages-2026-09.json',
    (text) => text.replaceAll(/"\/foreign-travel-advice\/([a-z-]+)"/g, '"/foreign-travel-advice/the-$1"'),
  ],
  ['Canada: slugs', 'ca', 'ca/index-2026-09.json', (text) => text.replaceAll(/"url-slug":\s*"/g, '$&new-')],
  ['Germany: content ids', 'de', 'de/warnings-2026-09.json', (text) => text.replaceAll(/"(2\d{5})"/g, '"9$1"')],
  [
    'Australia: pages',
    'au',
    'au/levels-2024-11-30-extract.json',
    (text) => text.replaceAll('/destinations/asia/', '/destinations/all-asia/'),
  ],
]

test.each(MOVED)('%s that change create no new advisory', async (_, reader, file, move) => {
  const source = await inside((db) => insertSource(db, { reader, minimum_items: 0, auto_notify: true }))
  const parse = await readerOf(source)
  const at = context('https://example.org/')
  const before = fixture(file).toString()
  const after = move(before)
  expect(after).not.toBe(before)
  await read(source, await parse(bytes(before), at))
  const first = (await rows()).map(({ id, external_id }) => ({ id, external_id }))
  expect(first.length).toBeGreaterThan(3)
  const { stats } = await read(source, await parse(bytes(after), at))
  expect((await rows()).map(({ id, external_id }) => ({ id, external_id }))).toEqual(first)
  expect(stats).toMatchObject({ added: 0, missing: 0 })
  expect((await rows()).every((row) => row.is_active && row.version === 1)).toBe(true)
  expect(await inside((db) => db.selectFrom('announcements').selectAll().execute())).toEqual([])
})

test('GDACS: a further episode of an event is the same event', async () => {
  const source = await inside((db) => insertSource(db, { reader: 'gdacs', minimum_items: 0 }))
  const parse = await readerOf(source)
  const at = context('https://www.gdacs.org/', '2019-12-30T12:00:00Z')
  const before = fixture('gdacs/rss-2019-12-30-extract.xml').toString()
  const after = before.replaceAll(/(<gdacs:episodeid>)(\d+)/g, '$19$2').replaceAll(/episodeid=\d+/g, 'episodeid=99')
  expect(after).not.toBe(before)
  const ids = async (text: string) => (await parse(bytes(text), at)).items.map((item) => item.external_id)
  expect(await ids(after)).toEqual(await ids(before))
  expect((await ids(before)).every((id) => /^[A-Z]{2}\d+$/.test(id))).toBe(true)
})

test('an entry no longer listed is marked missing although an archive still has its text', async () => {
  const source = await inside((db) => insertSource(db, { reader: 'us-json', minimum_items: 0 }))
  const parse = await readerOf(source)
  const at = context('https://travel.state.gov/')
  const archive = JSON.parse(fixture('us/archive-2026-02-15-extract.json').toString())
  const leftover = archive.advisories.find(({ full_title }: { full_title: string }) => /^Sao Tome/.test(full_title))
  const whole = { ...archive, current_advisories: [...archive.current_advisories, leftover] }
  await read(source, await parse(bytes(JSON.stringify(whole)), at))
  const find = async () => (await rows()).find((row) => row.external_id === 'set:ST')
  expect(await find()).toMatchObject({ is_active: true, missing_since: null })
  const { stats } = await read(source, await parse(bytes(JSON.stringify(archive)), at))
  expect(await find()).toMatchObject({ is_active: true, missing_since: expect.any(Date) })
  expect(stats.refused).toContainEqual({
    item: 'Sao Tome and Principe - Level 2: Exercise Increased Caution',
    reason: 'Not in the list of current advisories, only its text is here',
  })
})
