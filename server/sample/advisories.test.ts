import { pino } from 'pino'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { testDatabase } from '#server/testing/database.ts'
import { loadSample } from './advisories.ts'

const database = await testDatabase()
const log = pino({ level: 'silent' })
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

test('a first start shows real advisories, each marked with its capture date', async () => {
  const runs = await loadSample(database, log)
  expect(runs).toMatchObject([
    { source: 'us-state-json', status: 'ok', fetchStats: { total_fetched: 214, added: 209 } },
    { source: 'uk-fcdo', status: 'ok', fetchStats: { added: 226, refused: [] } },
    { source: 'ca-travel', status: 'ok', fetchStats: { added: 6, refused: [] } },
  ])
  const rows = await inside((db) =>
    db.selectFrom('travel_advisories').select(['source_id', 'captured_on', 'is_active', 'country_codes']).execute(),
  )
  expect(rows).toHaveLength(441)
  expect(rows.every((row) => row.is_active && row.captured_on)).toBe(true)
  const sources = await inside((db) =>
    db.selectFrom('advisory_sources').selectAll().where('captured_on', 'is not', null).orderBy('position').execute(),
  )
  expect(sources).toMatchObject([
    { id: 'us-state-json', captured_on: '2026-02-15', item_count: 209, last_success_at: null, error: null },
    { id: 'uk-fcdo', captured_on: '2026-05-20', item_count: 226 },
    { id: 'ca-travel', captured_on: '2026-09-26', item_count: 6 },
  ])
})

test('the next start loads nothing again', async () => {
  expect(await loadSample(database, log)).toEqual([])
})
