import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { emptyTables, testDatabase } from '#server/testing/database.ts'
import { insertSource } from '#server/testing/factory.ts'
import { FeedError } from './feeds/feed.ts'
import { readUsRss } from './feeds/readers/us.ts'
import { fixture } from './feeds/testing.ts'
import { importFeed } from './import-feed.ts'
import { daysOf, PlainDiff, setOf } from './plain-diff.ts'

/** The full archive from which the month in the repository was taken; it may exist beside the repository. */
const WHOLE = new URL(
  '../../../shared/data/advisories/us-state-daily-2025-12-12-to-2026-06-30.json.br',
  import.meta.url,
)

const database = await testDatabase()
const countries = createCountries()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

interface DayStats {
  day: string
  status: string
  inForce: number
  doubles: number
  contradictions: number
  placeholders: number
  /** Sets whose source shows a lower level that is not accepted: "SS info". */
  waiting: string[]
  news: number
}

async function replay(packed: Uint8Array): Promise<DayStats[]> {
  await emptyTables(database)
  const { id } = await inside((db) =>
    insertSource(db, {
      reader: 'us-rss',
      minimum_items: 150,
      auto_notify: true,
      homepage: 'https://travel.state.gov/',
    }),
  )
  const diff = new PlainDiff()
  const seen = new Set<string>()
  const stats: DayStats[] = []
  for (const [day, document] of daysOf(packed)) {
    const now = new Date(`${day}T06:00:00Z`)
    const parsed = await readUsRss(document, { countries, baseUrl: 'https://travel.state.gov/', now })
    let status = 'taken'
    try {
      await inside(async (db) => {
        const source = await db
          .selectFrom('advisory_sources')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        const { itemCount } = await importFeed(db, source, parsed, { cause: 'schedule', now, countries, document: day })
        await db
          .updateTable('advisory_sources')
          .set({ last_success_at: now, item_count: itemCount })
          .where('id', '=', id)
          .execute()
      })
    } catch (error) {
      if (!(error instanceof FeedError)) throw error
      status = error.message
    }
    const expected =
      status === 'taken'
        ? diff.read(
            parsed.items,
            parsed.rejected.map(({ item }) => item),
            Date.parse(day) / 86_400_000,
          )
        : []

    const inForce = await rowsInForce()
    const bySet = Map.groupBy(inForce, setOf)
    const news = (await newsSince(seen)).sort()
    expect([day, news]).toEqual([day, expected])
    // Every country set of the day's list is in force once, at the level of the plain comparison.
    for (const item of parsed.items)
      expect([day, setOf(item), bySet.get(setOf(item))?.length]).toEqual([day, setOf(item), 1])
    const levels = [...diff.known].flatMap(([set, entry]) =>
      entry.isInForce ? [`${set} ${entry.item.severity_level}`] : [],
    )
    expect([day, inForce.map((row) => `${setOf(row)} ${row.severity_level}`).sort()]).toEqual([day, levels.sort()])

    const doubles = [...bySet.values()].filter((rows) => rows.length > 1)
    stats.push({
      day,
      status,
      inForce: inForce.length,
      doubles: doubles.length,
      contradictions: doubles.filter((rows) => new Set(rows.map((row) => row.severity_level)).size > 1).length,
      placeholders: inForce.filter((row) => row.detailed_information?.includes('Summary not available')).length,
      waiting: inForce.flatMap((row) =>
        row.pending_severity_level ? [`${setOf(row)} ${row.pending_severity_level}`] : [],
      ),
      news: news.length,
    })
  }
  return stats
}

const rowsInForce = () =>
  inside((db) =>
    db
      .selectFrom('travel_advisories')
      .select(['country_codes', 'severity_level', 'detailed_information', 'pending_severity_level'])
      .where('is_active', '=', true)
      .execute(),
  )

async function newsSince(seen: Set<string>): Promise<string[]> {
  const rows = await inside((db) =>
    db
      .selectFrom('announcements as n')
      .innerJoin('travel_advisories as a', 'a.id', 'n.advisory_id')
      .select(['n.id', 'n.reason', 'a.country_codes', 'a.severity_level'])
      .where('n.status', '=', 'waiting')
      .execute(),
  )
  const fresh = rows.filter((row) => !seen.has(row.id))
  for (const { id } of fresh) seen.add(id)
  return fresh.map((row) => `${row.reason} ${setOf(row)} ${row.severity_level}`)
}

function expectTrue(stats: DayStats[]) {
  // For the numbers in docs/decisions/0025.
  if (process.env.REPLAY_FIGURES) writeFileSync(process.env.REPLAY_FIGURES, JSON.stringify(stats, null, 1))
  for (const { day, doubles, contradictions, placeholders } of stats)
    expect({ day, doubles, contradictions, placeholders }).toEqual({
      day,
      doubles: 0,
      contradictions: 0,
      placeholders: 0,
    })
}

test('forty real days of the US list: one advisory per country set, no placeholder accepted, only true news', async () => {
  const stats = await replay(fixture('us/state-daily-2026-02-09-to-2026-03-20.json.br'))
  expect(stats).toHaveLength(40)
  expectTrue(stats)
  const asSafe = stats.flatMap(({ day, waiting }) => waiting.filter((it) => it.endsWith('info')).map((it) => [day, it]))
  // South Sudan is at Level 4, the Gambia at Level 2; their placeholders had Level 1 for a day.
  expect(asSafe).toEqual([
    ['2026-02-28', 'SS info'],
    ['2026-03-09', 'GM info'],
  ])
}, 120_000)

test.runIf(existsSync(WHOLE))(
  'all 201 days',
  async () => {
    const stats = await replay(readFileSync(WHOLE))
    expect(stats).toHaveLength(201)
    expectTrue(stats)
  },
  300_000,
)
