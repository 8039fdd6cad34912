import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { emptyTables, testDatabase } from '#server/testing/database.ts'
import { feedItem, insertSource } from '#server/testing/factory.ts'
import type { FeedItem } from './feeds/feed.ts'
import { countrySetId } from './identity.ts'
import { importFeed } from './import-feed.ts'
import type { ImportContext } from './import-plan.ts'
import type { Source } from './sources.ts'

const database = await testDatabase()
const countries = createCountries()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const day = (date: number) => new Date(Date.UTC(2026, 8, date))

const LEVELS = {
  emergency: ['4', 'Do Not Travel'],
  critical: ['4', 'Do Not Travel'],
  warning: ['3', 'Reconsider Travel'],
  caution: ['2', 'Exercise Increased Caution'],
  info: ['1', 'Exercise Normal Precautions'],
} as const

function advice(codes: string[], severity_level: FeedItem['severity_level'], more: Partial<FeedItem> = {}): FeedItem {
  const [level, wording] = LEVELS[severity_level]
  const name = codes.map((code) => countries.nameOf(code)).join(', ')
  return feedItem({
    external_id: countrySetId(codes, [])!,
    country_codes: codes,
    title: `${name}: ${wording}`,
    severity_level,
    original_level: level,
    original_wording: `Level ${level}: ${wording}`,
    detailed_information: `<p>The embassy reports on roads, hospitals and crime. Level ${level}.</p>`,
    last_updated: day(1),
    ...more,
  })
}

let source: Source
let at: Date
let documents = 0

beforeEach(async () => {
  source = await inside((db) => insertSource(db, { minimum_items: 0, auto_notify: true }))
  at = new Date('2026-10-01T06:00:00Z')
})
afterEach(() => emptyTables(database))

/** Imports a list; each import is a different document unless one is named. */
function read(items: FeedItem[], more: Partial<ImportContext> = {}) {
  at = new Date(at.getTime() + 3_600_000)
  const context = { cause: 'schedule', now: at, countries, document: `document ${++documents}`, ...more } as const
  return inside((db) => importFeed(db, source, { items, rejected: [], follow: [], isComplete: true }, context))
}

const rowOf = async (code: string) => (await rows()).find((row) => row.is_active && row.country_codes.join() === code)
const rows = () => inside((db) => db.selectFrom('travel_advisories').selectAll().execute())
const announced = () =>
  inside((db) =>
    db.selectFrom('announcements').select(['reason', 'priority']).where('status', '=', 'waiting').execute(),
  )

const peru = advice(['PE'], 'info')
const niger = advice(['NE'], 'critical')
const STUB = '<p>Exercise normal precaution in Niger. Summary not available</p>'
const placeholder = advice(['NE'], 'info', { detailed_information: STUB, last_updated: day(20) })

describe('a lower level', () => {
  test.each([
    ['with "Summary not available"', STUB],
    ['with nothing', null],
    ['with its title only', '<p>Niger - Level 1: Exercise Normal Precautions</p>'],
  ])('%s leaves level and text as they were, however often it is served', async (_, detailed_information) => {
    await read([niger, peru])
    for (let time = 0; time < 3; time++) await read([{ ...placeholder, detailed_information }, peru])
    expect(await rowOf('NE')).toMatchObject({
      severity_level: 'critical',
      detailed_information: niger.detailed_information,
      last_updated: niger.last_updated,
      version: 1,
      pending_severity_level: 'info',
      pending_reason: 'no_text',
    })
    expect(await announced()).toEqual([])
  })

  test('is discarded as soon as the source shows its level again, also under an older date', async () => {
    await read([niger, peru])
    await read([placeholder, peru])
    await read([niger, peru])
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'critical', version: 1, pending_since: null })
    await read([placeholder, peru])
    await read([
      { ...niger, last_updated: new Date('2026-08-01') },
      { ...peru, last_updated: day(21) },
    ])
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'critical', version: 1, pending_since: null })
  })

  test('by one level, with a text and a newer date, is accepted at once', async () => {
    await read([niger, peru])
    await read([advice(['NE'], 'warning', { last_updated: day(20) }), peru])
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'warning', version: 2, pending_since: null })
  })

  test('by two levels with a text needs a second document; the same bytes again do not count', async () => {
    await read([niger, peru])
    const lower = advice(['NE'], 'caution', { last_updated: day(20) })
    await read([lower, peru], { document: 'same' })
    await read([lower, peru], { document: 'same' })
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'critical', pending_reason: 'two_levels' })
    await read([lower, peru])
    expect(await rowOf('NE')).toMatchObject({
      severity_level: 'caution',
      pending_severity_level: null,
      pending_item: null,
      version: 2,
    })
  })

  test('of a placeholder is accepted when the text arrives', async () => {
    await read([niger, peru])
    await read([placeholder, peru])
    await read([advice(['NE'], 'info', { last_updated: day(20) }), peru])
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'info', pending_since: null })
  })

  test('under an unchanged date is a correction that must be repeated', async () => {
    await read([niger, peru])
    await read([advice(['NE'], 'warning'), peru])
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'critical', pending_reason: 'same_date' })
    await read([advice(['NE'], 'warning'), peru])
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'warning' })
  })

  test('of a source that publishes no texts is accepted when a second document repeats it', async () => {
    const bare = (item: FeedItem) => ({ ...item, detailed_information: null, description: item.original_wording })
    await read([bare(niger), bare(peru)])
    const lower = bare(advice(['NE'], 'warning', { last_updated: day(20) }))
    await read([lower, bare(peru)])
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'critical', pending_reason: 'no_text' })
    await read([lower, bare(peru)])
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'warning' })
  })

  test('of an entry that had vanished is treated alike: it is back at its old level, without a notification', async () => {
    await read([niger, peru])
    await read([peru])
    at = new Date(at.getTime() + 8 * 86_400_000)
    await read([peru])
    expect(await rowOf('NE')).toBeUndefined()
    await read([placeholder, peru])
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'critical', pending_severity_level: 'info' })
    expect(await announced()).toEqual([])
  })

  test('is accepted at once when an administrator forces the document', async () => {
    await read([niger, peru])
    await read([placeholder, peru], { isForced: true })
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'info', pending_since: null })
  })
})

describe('two feeds of one authority', () => {
  test('a feed without texts lowers nothing that the other gives with a text, not even on its first import', async () => {
    const first = source
    await read([niger, peru])
    source = await inside((db) => insertSource(db, { minimum_items: 0, authority: first.authority }))
    const bare = (item: FeedItem) => ({ ...item, detailed_information: null, description: item.original_wording })
    const low = bare(advice(['NE'], 'info', { last_updated: day(20) }))
    const { stats } = await read([low, bare(peru)])
    expect(stats.refused).toMatchObject([{ item: low.title, reason: expect.stringMatching(/not believed yet/) }])
    await read([bare(niger), bare(peru)])
    for (let time = 0; time < 3; time++) await read([low, bare(peru)])
    const levels = (await rows()).filter((row) => row.country_codes[0] === 'NE').map((row) => row.severity_level)
    expect(levels).toEqual(['critical', 'critical'])
  })
})

test('a placeholder at the same level removes no text', async () => {
  await read([advice(['NE'], 'info'), peru])
  await read([placeholder, peru])
  expect(await rowOf('NE')).toMatchObject({ version: 1, last_updated: day(1), pending_since: null })
  expect((await rowOf('NE'))!.detailed_information).toContain('hospitals')
})

test('a higher level is accepted at once, also without a text or under the same date', async () => {
  await read([advice(['NE'], 'caution'), peru])
  await read([advice(['NE'], 'critical', { detailed_information: null }), peru])
  expect(await rowOf('NE')).toMatchObject({ severity_level: 'critical' })
  expect(await announced()).toMatchObject([{ reason: 'escalated' }])
})

describe('dates', () => {
  test('an entry of an older state is rejected, whatever its level; the newer ones beside it are imported', async () => {
    await read([advice(['NE'], 'caution', { last_updated: day(20) }), peru])
    const { stats } = await read([niger, advice(['PE'], 'caution', { last_updated: day(21) })])
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'caution', last_updated: day(20) })
    expect(await rowOf('PE')).toMatchObject({ severity_level: 'caution' })
    expect(stats.refused).toMatchObject([{ item: niger.title, reason: expect.stringMatching(/2026-09-01, older/) }])
  })

  test('a date in the future does not block later warnings', async () => {
    // Chad was dated 15 September 2030 on 27 December 2025.
    await read([advice(['TD'], 'warning', { last_updated: new Date('2030-09-15') }), peru])
    await read([advice(['TD'], 'critical', { last_updated: day(25) }), peru])
    expect(await rowOf('TD')).toMatchObject({ severity_level: 'critical', last_updated: day(25) })
  })

  test('a placeholder that was read first does not block the real warning of an older date', async () => {
    await read([placeholder, peru])
    await read([niger, peru])
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'critical' })
  })

  test('two alternating copies of one date make one change', async () => {
    const other = {
      ...niger,
      detailed_information: '<p>The same said in other words about roads, hospitals and crime.</p>',
    }
    for (const item of [niger, other, niger, other, niger]) await read([item, peru])
    expect(await rowOf('NE')).toMatchObject({ version: 2, detailed_information: other.detailed_information })
    expect(await announced()).toMatchObject([{ reason: 'instruction_changed' }])
  })

  test('an extract from before the source itself was read is refused', async () => {
    source = { ...source, last_success_at: new Date('2026-09-30T00:00:00Z') }
    await expect(read([niger], { cause: 'file', capturedOn: '2026-09-29' })).rejects.toThrow('an extract of 2026-09-29')
  })
})

describe('a list that lowers very many levels at once', () => {
  const codes = countries
    .all()
    .map(({ code }) => code)
    .slice(0, 140)
  const all = (severity: FeedItem['severity_level'], date: Date) =>
    codes.map((code) => advice([code], severity, { last_updated: date }))
  const alerts = () =>
    inside((db) => db.selectFrom('notifications').selectAll().where('type', '=', 'admin_alert').execute())

  test('is not accepted, not even when repeated with texts; administrators are asked once', async () => {
    const [untouched, changed] = [all('warning', day(1)).slice(0, 5), all('caution', day(20)).slice(5)]
    await read(all('warning', day(1)))
    const before = (await alerts()).length
    const { doubt } = await read([...untouched, ...changed])
    expect(doubt).toBe('It lowers 135 levels at once: they wait for an administrator')
    await read([...untouched, ...changed])
    expect((await rows()).map((row) => row.severity_level)).toEqual(Array(140).fill('warning'))
    const newAlerts = (await alerts()).slice(before)
    expect(newAlerts).toMatchObject([
      {
        recipient_role: 'admin',
        title: 'U.S. Department of State: 135 levels lowered at once',
        action_url: `/admin/travel-advisories?source=${source.id}&status=pending_level`,
      },
    ])
    expect(await announced()).toEqual([])
    // The source reverts it.
    expect((await read(all('warning', day(1)))).doubt).toBeNull()
    expect((await rows()).filter((row) => row.pending_since)).toEqual([])
  })

  test('five of a hundred and forty are not a mass change', async () => {
    await read(all('warning', day(1)))
    await read([...all('caution', day(20)).slice(0, 5), ...all('warning', day(1)).slice(5)])
    expect((await rows()).filter((row) => row.severity_level === 'caution')).toHaveLength(5)
  })

  test('raised levels beside them are in force at once', async () => {
    await read(all('warning', day(1)))
    const items = all('caution', day(20))
    items[0] = advice([codes[0]!], 'critical', { last_updated: day(20) })
    await read(items)
    expect(await rowOf(codes[0]!)).toMatchObject({ severity_level: 'critical' })
    expect(await announced()).toEqual([{ reason: 'escalated', priority: 'high' }])
  })
})

describe('countries in other groups', () => {
  const china = advice(['CN', 'HK', 'MO'], 'caution')

  test('entries per country replace the group, without a notification where the level is the same', async () => {
    await read([china, peru])
    await read([advice(['CN'], 'caution'), advice(['HK'], 'caution'), advice(['MO'], 'warning'), peru])
    const inForce = (await rows()).filter((row) => row.is_active).map((row) => row.external_id)
    expect(inForce.sort()).toEqual(['set:CN', 'set:HK', 'set:MO', 'set:PE'])
    expect(await announced()).toEqual([{ reason: 'escalated', priority: 'medium' }])
  })

  test('and back: each retains its one history', async () => {
    const split = [advice(['CN'], 'caution'), advice(['HK'], 'caution'), advice(['MO'], 'caution'), peru]
    await read([china, peru])
    await read(split)
    await read([china, peru])
    await read(split)
    expect(await rows()).toHaveLength(5)
    expect((await rows()).filter((row) => row.is_active)).toHaveLength(4)
    expect((await rows()).every((row) => row.version === 1)).toBe(true)
    expect(await announced()).toEqual([])
  })

  test('a part more severe than the remaining group goes on for the grace period, marked', async () => {
    await read([china, advice(['HK'], 'critical'), peru])
    await read([china, peru])
    expect(await rowOf('HK')).toMatchObject({ severity_level: 'critical', missing_since: at })
  })

  test('a lower level of a new group without a text is rejected', async () => {
    await read([niger, peru])
    const group = advice(['BJ', 'NE'], 'info', { detailed_information: STUB })
    const { stats } = await read([group, peru])
    expect(stats.refused).toMatchObject([{ reason: expect.stringMatching(/has no text: not believed yet/) }])
    expect(await rowOf('NE')).toMatchObject({ severity_level: 'critical' })
  })
})
