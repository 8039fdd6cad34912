import { beforeEach, describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { testApp } from '#server/testing/app.ts'
import { emptyTables, testDatabase } from '#server/testing/database.ts'
import { feedItem, insertSource } from '#server/testing/factory.ts'
import type { TimelineEvent } from '#shared/advisories/timeline.ts'
import type { FeedItem } from './feeds/feed.ts'
import { importFeed } from './import-feed.ts'
import type { Source } from './sources.ts'

const database = await testDatabase()
const app = await testApp(database)
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const countries = createCountries()

beforeEach(() => emptyTables(database))

const peru = feedItem({
  external_id: 'pe',
  title: 'Peru: Exercise Increased Caution',
  original_wording: 'Level 2: Exercise Increased Caution',
  severity_level: 'caution',
  country_codes: ['PE'],
  last_updated: new Date('2026-09-01T00:00:00Z'),
})
const bolivia = feedItem({ external_id: 'bo', title: 'Bolivia: Level 1', country_codes: ['BO'] })
const raised = {
  severity_level: 'warning' as const,
  original_wording: 'Level 3: Reconsider Travel',
  last_updated: new Date('2026-09-10T00:00:00Z'),
}

/** Imports the lists, one per day. */
async function readDays(source: Source, lists: FeedItem[][]) {
  for (const [day, items] of lists.entries())
    await inside((db) =>
      importFeed(
        db,
        source,
        { items, rejected: [], follow: [], isComplete: true },
        { cause: 'schedule', now: new Date(Date.UTC(2026, 8, 1 + day * 5)), countries },
      ),
    )
}
const sourceOf = (more: object = {}) => inside((db) => insertSource(db, { minimum_items: 1, ...more }))
async function timeline(code = 'PE'): Promise<TimelineEvent[]> {
  await app.readModel.catchUp()
  const response = await app.request(`http://portal.test/api/public/countries/${code}`)
  return ((await response.json()) as { timeline: TimelineEvent[] }).timeline
}
const kinds = async (code?: string) => (await timeline(code)).map(({ kind, before, after }) => [kind, before, after])
async function feed(path: string) {
  await app.readModel.catchUp()
  const text = await (await app.request(`http://portal.test${path}`)).text()
  const all = (name: string) =>
    [...text.matchAll(new RegExp(`<entry>.*?<${name}[^>]*>(.*?)</${name}>`, 'gs'))].map(([, value]) => value!)
  return { text, titles: all('title'), ids: all('id') }
}

describe('the timeline of a country', () => {
  test('lists entries of the first import, new, raised, lowered and reworded ones, newest first', async () => {
    const source = await sourceOf()
    const lowered = { ...peru, last_updated: new Date('2026-09-15T00:00:00Z'), description: 'Calm again.' }
    await readDays(source, [
      [bolivia],
      [bolivia, peru],
      [bolivia, { ...peru, ...raised }],
      [bolivia, lowered],
      [bolivia, { ...lowered, description: 'Roads are closed.', last_updated: new Date('2026-09-20T00:00:00Z') }],
    ])
    expect(await kinds()).toEqual([
      ['text', 'caution', 'caution'],
      ['lowered', 'warning', 'caution'],
      ['raised', 'caution', 'warning'],
      ['new', null, 'caution'],
    ])
    expect(await kinds('BO')).toMatchObject([['first_read', null, 'info']])
    expect((await timeline())[2]).toMatchObject({
      wording: 'Level 3: Reconsider Travel',
      at: '2026-09-10T00:00:00.000Z',
    })
  })

  test('retains entries that are gone: no longer listed, then ended', async () => {
    const source = await sourceOf()
    await readDays(source, [[bolivia, peru], [bolivia]])
    expect((await kinds())[0]).toEqual(['missing', 'caution', null])
    await readDays(source, [[bolivia], [bolivia], [bolivia], [bolivia]])
    expect((await kinds())[0]).toEqual(['ended', 'caution', null])
  })

  test('retains expired and withdrawn advisories', async () => {
    const source = await sourceOf({ reader: 'manual', url: null })
    const expiring = { ...peru, expiry_date: new Date('2026-09-03T00:00:00Z') }
    await readDays(source, [[expiring, { ...peru, external_id: 'withdrawn' }]])
    await inside((db) =>
      db
        .updateTable('travel_advisories')
        .set({ is_active: false, withdrawn_at: '2026-09-05T00:00:00Z' })
        .where('external_id', '=', 'withdrawn')
        .execute(),
    )
    expect((await kinds()).slice(0, 2)).toEqual([
      ['withdrawn', 'caution', null],
      ['expired', 'caution', null],
    ])
    expect((await timeline()).filter(({ kind }) => kind === 'new')).toHaveLength(2)
  })

  test('lists an event in two feeds of one authority once; another authority lists its own', async () => {
    for (const more of [{ authority: 'us', position: 1 }, { authority: 'us', position: 2 }, { authority: 'uk' }])
      await readDays(await sourceOf(more), [[bolivia], [bolivia, peru]])
    expect(await kinds()).toHaveLength(2)
  })

  test('has no test entry, and no other country', async () => {
    await readDays(await sourceOf(), [[bolivia], [bolivia, { ...peru, title: 'Test' }]])
    expect(await kinds()).toEqual([])
  })
})

describe('the Atom feed of a country and of all', () => {
  test.each(['/countries/PE/feed.atom', '/travel-advisories/feed.atom'])(
    '%s has new, changed and ended ones, each once and under a stable id',
    async (path) => {
      const source = await sourceOf()
      const lists = [[peru], [{ ...peru, ...raised }]]
      await readDays(source, lists)
      const before = await feed(path)
      expect(before.titles).toEqual([
        'CAUTION → WARNING: Peru: Exercise Increased Caution',
        'CAUTION: Peru: Exercise Increased Caution',
      ])
      expect(before.ids[1]).toMatch(/^urn:uuid:/)
      await inside((db) =>
        db.updateTable('travel_advisories').set({ is_active: false, withdrawn_at: new Date() }).execute(),
      )
      const after = await feed(path)
      expect(after.titles[0]).toBe('Withdrawn (WARNING): Peru: Exercise Increased Caution')
      expect(after.ids.slice(1)).toEqual(before.ids)
      expect(new Set(after.ids).size).toBe(3)
    },
  )

  test('marks a copy as such, and never puts the current text under an earlier level', async () => {
    const source = await sourceOf()
    await readDays(source, [[peru], [{ ...peru, ...raised, description: 'Gangs hold the roads.' }]])
    await inside((db) => db.updateTable('travel_advisories').set({ captured_on: '2026-05-20' }).execute())
    const { text } = await feed('/countries/PE/feed.atom')
    expect(text).toContain('Copy from 2026-05-20, not re-checked. “Level 3: Reconsider Travel” Gangs hold the roads.')
    expect(text).toContain('Copy from 2026-05-20, not re-checked. “Level 2: Exercise Increased Caution”</summary>')
  })
})
