import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertTokyo } from '../testing.ts'
import { WAITS } from '../timeouts.ts'
import { withChunkCache } from './knowledge.ts'
import { createPlaceFinder } from './places.ts'

const database = await testDatabase()
await insertTokyo(database)

const MINUTE = 60_000
const signal = new AbortController().signal

// Fakes only the clock: the database needs real timers.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})
async function later(milliseconds: number) {
  vi.setSystemTime(Date.now() + milliseconds)
  // The caches read the clock once per millisecond.
  await pause(5)
}

test('page matches of a question are cached for half an hour, or until a page changes', async () => {
  let searches = 0
  const { findChunks, clear, stop } = withChunkCache(async () => {
    searches += 1
    return []
  })
  const ask = (language = 'en') => findChunks('luggage', { language, signal })
  await ask()
  await later(30 * MINUTE - 1_000)
  await ask()
  expect(searches).toBe(1)
  await ask('ar')
  expect(searches).toBe(2)
  await later(2_000)
  await ask()
  expect(searches).toBe(3)
  clear()
  await ask()
  expect(searches).toBe(4)
  stop()
})

test('the location of a city is cached for ten minutes', async () => {
  const find = createPlaceFinder(database, WAITS)
  const tokyo = { latitude: 35.6895, longitude: 139.6917 }
  expect(await find('Tokyo', 'JP', signal)).toEqual(tokyo)
  await inBackground(database, 'test', (db) => db.deleteFrom('cities').execute())
  await later(10 * MINUTE - 1_000)
  expect(await find('Tokyo', 'JP', signal)).toEqual(tokyo)
  await later(2_000)
  expect(await find('Tokyo', 'JP', signal)).toBeNull()
})
