import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { CITY_COUNT } from '#shared/churches/places.ts'
import { listCities, loadCities, loadCitiesOnce } from './cities.ts'
import { findPlaces } from './places.ts'

const database = await testDatabase()
const inside = <T>(fn: Parameters<typeof inBackground<T>>[2]) => inBackground(database, 'test', fn)
const named = async (name: string, codes: string[] | null = null) =>
  (await inside((db) => findPlaces(db, name, codes, 3))).map(({ country_code, name }) => `${country_code} ${name}`)

// Reading the list is quick; importing all of it is left to a test of small places.
const LIMIT = 2_000

test('the list has the length expected of a full table', () => {
  expect(listCities()).toHaveLength(CITY_COUNT)
})

test('the largest cities are found by their names in several scripts', async () => {
  expect(await loadCities(database, { from: 0, limit: LIMIT })).toBe(LIMIT)
  expect((await named('tokyo'))[0]).toBe('JP Tokyo')
  expect((await named('東京'))[0]).toBe('JP Tokyo')
  expect((await named('الرياض'))[0]).toBe('SA Riyadh')
  expect((await named('Sao Paulo'))[0]).toBe('BR São Paulo')
  expect(await named('valencia')).toEqual(['VE Valencia', 'ES Valencia'])
  expect(await named('valencia', ['ES'])).toEqual(['ES Valencia'])
  expect(await named('100%_')).toEqual([])
  expect(await named('|')).toEqual([])
})

test('an interrupted import resumes where it ended, and does nothing once the table is full', async () => {
  const count = () =>
    inside((db) =>
      db
        .selectFrom('cities')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    )
  const before = await count()
  const load = (limit: number, signal = new AbortController().signal) =>
    loadCitiesOnce(database, createLog('silent'), { limit, signal })
  await load(LIMIT + 500)
  expect((await count()).count).toBe(before.count + 500)
  const stopping = new AbortController()
  stopping.abort()
  await load(CITY_COUNT, stopping.signal)
  await load(LIMIT)
  expect((await count()).count).toBe(before.count + 500)
})
