import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { loadSampleChurches } from './churches.ts'

const database = await testDatabase()
const log = createLog('silent')
const publicRows = () =>
  inBackground(database, 'test', (db) => db.selectFrom('public_locales').selectAll().orderBy('name').execute())

test('a first start shows sample locales marked as such, in every visible privacy mode', async () => {
  expect(await loadSampleChurches(database, log)).toBe(59)
  const rows = await publicRows()
  expect(rows).toHaveLength(59)
  const named = rows.filter(({ discreet_mode }) => discreet_mode === 'exact')
  expect(named.every(({ name }) => name.startsWith('Sample Locale '))).toBe(true)
  expect(rows.filter(({ discreet_mode }) => discreet_mode !== 'exact').map(({ name }) => name)).toEqual([
    'Group in Chiba',
    ...Array(3).fill('Group in Saudi Arabia'),
  ])
  expect(rows.filter(({ closed_since }) => closed_since).map(({ city }) => city)).toEqual(['Nagoya'])
  expect(rows.filter(({ confirmed_at }) => !confirmed_at)).toHaveLength(4)
  // Unassigned numbers only.
  for (const { phone } of named) expect(phone).toMatch(/^\+00 /)
})

test('creates nothing if there is a locale already', async () => {
  expect(await loadSampleChurches(database, log)).toBe(0)
  expect(await publicRows()).toHaveLength(59)
})
