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
    expect((await kinds()).slice(0, 2)).toEqual([
      ['ended', 'caution', null],
      ['missing', 'caution', null],
    ])
    const [ended, missing] = await timeline()
    expect([missing!.at, ended!.at]).toEqual(['2026-09-06T00:00:00.000Z', '2026-09-16T00:00:00.000Z'])
  })

  test('tells an alert that its source cancelled from one that is no longer listed', async () => {
    const cancel = { ...peru, external_id: 'cancel', supersedes: ['pe'], is_cancellation: true }
    await readDays(await sourceOf(), [
      [bolivia, peru],
      [bolivia, peru],
      [bolivia, cancel],
    ])
    // The cancellation itself is no advisory.
    expect(await kinds()).toEqual([
      ['cancelled', 'caution', null],
      ['first_read', null, 'caution'],
    ])
  })

  test('an end is not repeated when the row is written later', async () => {
    const cancel = { ...bolivia, external_id: 'cancel', supersedes: ['pe'], is_cancellation: true }
    const later = new Date('2026-09-30T00:00:00Z')
    await readDays(await sourceOf(), [[peru], [bolivia, cancel]])
    const before = await timeline()
    expect(before[0]!.kind).toBe('cancelled')
    await inside((db) => db.updateTable('travel_advisories').set({ search_text: 'x', updated_at: later }).execute())
    const after = await timeline()
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  })

  test('a row merged into another one has not ended', async () => {
    await readDays(await sourceOf(), [[bolivia], [bolivia, peru]])
    await inside((db) =>
      db
        .updateTable('travel_advisories')
        .set({ external_id: 'merged:pe', is_active: false, updated_at: '2026-09-20T00:00:00Z' })
        .where('external_id', '=', 'pe')
        .execute(),
    )
    expect(await kinds()).toEqual([['new', null, 'caution']])
  })

  test('an advisory that expired and was extended has expired once', async () => {
    const extended = { ...peru, expiry_date: new Date('2099-01-01'), last_updated: new Date('2026-09-16') }
    const expiring = { ...peru, expiry_date: new Date('2026-09-03T22:00:00Z') }
    await readDays(await sourceOf(), [[bolivia], [bolivia, peru], [bolivia, expiring], [bolivia, extended]])
    expect(await kinds()).toEqual([
      ['text', 'caution', 'caution'],
      ['expired', 'caution', null],
      ['text', 'caution', 'caution'],
      ['new', null, 'caution'],
    ])
  })

  test('starts when an advisory reached the country, and ends when it left it', async () => {
    const both = { ...peru, country_codes: ['PE', 'EC'] }
    const dates = ['2026-09-05', '2026-09-10', '2026-09-15'].map((day) => ({ last_updated: new Date(day) }))
    await readDays(await sourceOf(), [
      [bolivia],
      [bolivia, { ...peru, ...dates[0] }],
      [bolivia, { ...both, ...dates[1] }],
      [bolivia, { ...peru, ...dates[2], severity_level: 'warning' }],
    ])
    expect(await kinds('EC')).toEqual([
      ['excluded', 'caution', null],
      ['new', null, 'caution'],
    ])
    expect((await timeline('EC')).map(({ at }) => at.slice(0, 10))).toEqual(['2026-09-15', '2026-09-10'])
    expect((await kinds('PE')).map(([kind]) => kind)).toEqual(['raised', 'text', 'new'])
  })

  test('a new date or a mark of urgency is not shown as a change of the text', async () => {
    const dated = { ...peru, last_updated: new Date('2026-09-09T00:00:00Z') }
    await readDays(await sourceOf(), [
      [bolivia],
      [bolivia, peru],
      [bolivia, dated],
      [bolivia, { ...dated, is_urgent: true }],
    ])
    expect((await kinds()).map(([kind]) => kind)).toEqual(['urgency', 'date', 'new'])
  })

  test('forgets an advisory that an administrator deleted: nothing was withdrawn', async () => {
    await readDays(await sourceOf({ reader: 'manual', url: null }), [[peru]])
    expect(await kinds()).toHaveLength(1)
    await inside((db) => db.deleteFrom('travel_advisories').execute())
    expect(await kinds()).toEqual([])
    expect((await feed('/countries/PE/feed.atom')).titles).toEqual([])
  })

  test('names the advisories of a source that was removed', async () => {
    await readDays(await sourceOf(), [[bolivia], [bolivia, peru]])
    await inside((db) =>
      db.updateTable('travel_advisories').set({ is_active: false, withdrawn_at: '2026-09-20T00:00:00Z' }).execute(),
    )
    await inside((db) =>
      db.updateTable('advisory_sources').set({ is_enabled: false, retired_at: new Date() }).execute(),
    )
    expect((await kinds()).map(([kind]) => kind)).toEqual(['withdrawn', 'new'])
  })

  test('has the latest events and says how many there are since when; all on request', async () => {
    await readDays(await sourceOf(), [
      [bolivia],
      ...Array.from({ length: 4 }, (_, i) => [bolivia, { ...peru, description: `${i}` }]),
    ])
    await app.readModel.catchUp()
    const get = async (query: string) =>
      (await app.request(`http://portal.test/api/public/countries/PE${query}`)).json() as Promise<
        Record<string, unknown>
      >
    expect(await get('?events=2')).toMatchObject({
      timeline: { length: 2 },
      timeline_total: 4,
      timeline_since: '2026-09-01T00:00:00.000Z',
    })
    expect(await get('?events=1000')).toMatchObject({ timeline: { length: 4 } })
    expect((await app.request('http://portal.test/api/public/countries/PE?events=0')).status).toBe(422)
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
      expect(after.titles[0]).toBe('Withdrawn by the portal (WARNING): Peru: Exercise Increased Caution')
      expect(after.ids.slice(1)).toEqual(before.ids)
      expect(new Set(after.ids).size).toBe(3)
    },
  )

  test('has withdrawn, expired, cancelled, missing and ended ones as entries of their own', async () => {
    const entry = (external_id: string, more: Partial<FeedItem> = {}) => ({
      ...peru,
      external_id,
      title: external_id,
      ...more,
    })
    const expiring = entry('expiring', { expiry_date: new Date('2026-09-08T00:00:00Z') })
    const [cancelled, missing, withdrawn] = [entry('cancelled'), entry('missing'), entry('withdrawn')]
    const cancel = { ...bolivia, external_id: 'cancel', supersedes: ['cancelled'], is_cancellation: true }
    const rest = Array.from({ length: 6 }, (_, i) => ({ ...bolivia, external_id: `bo${i}` }))
    await readDays(await sourceOf(), [
      [...rest, expiring, cancelled, missing, withdrawn],
      [...rest, expiring, missing, withdrawn, cancel],
      [...rest, withdrawn],
    ])
    await inside((db) =>
      db
        .updateTable('travel_advisories')
        .set({ is_active: false, withdrawn_at: '2026-09-12T00:00:00Z' })
        .where('external_id', '=', 'withdrawn')
        .execute(),
    )
    const { titles, ids } = await feed('/countries/PE/feed.atom')
    for (const title of [
      'Withdrawn by the portal (CAUTION): withdrawn',
      'No longer listed by its source (CAUTION): missing',
      'Expired (CAUTION): expiring',
      'Withdrawn or replaced by its source (CAUTION): cancelled',
    ])
      expect(titles).toContain(title)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('marks a copy as such, and never puts the current text under an earlier level', async () => {
    const source = await sourceOf()
    await readDays(source, [[peru], [{ ...peru, ...raised, description: 'Gangs hold the roads.' }]])
    await inside((db) => db.updateTable('travel_advisories').set({ captured_on: '2026-05-20' }).execute())
    const { text } = await feed('/countries/PE/feed.atom')
    expect(text).toContain('Copy from 2026-05-20, not re-checked. “Level 3: Reconsider Travel” Gangs hold the roads.')
    expect(text).toContain('Copy from 2026-05-20, not re-checked. “Level 2: Exercise Increased Caution”</summary>')
  })
})
