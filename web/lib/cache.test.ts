import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createCache, sharedCache } from './cache.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('cache', () => {
  test('expires a value after 300000 ms', () => {
    const cache = createCache<number>()
    cache.set('a', 1)
    vi.advanceTimersByTime(299_999)
    expect(cache.get('a')).toBe(1)
    vi.advanceTimersByTime(1)
    expect(cache.get('a')).toBeUndefined()
    expect(cache.size).toBe(0)
  })

  test('the 101st entry evicts the oldest; writing again refreshes the age', () => {
    const cache = createCache<number>()
    for (let i = 0; i < 100; i++) cache.set(String(i), i)
    cache.set('0', -1)
    cache.set('100', 100)
    expect(cache.size).toBe(100)
    expect(cache.get('0')).toBe(-1)
    expect(cache.get('1')).toBeUndefined()
  })

  test('the shared one: 120000 ms, 50 entries', () => {
    for (let i = 0; i < 51; i++) sharedCache.set(String(i), i)
    expect(sharedCache.size).toBe(50)
    expect(sharedCache.get('0')).toBeUndefined()
    vi.advanceTimersByTime(120_000)
    expect(sharedCache.get('50')).toBeUndefined()
    sharedCache.clear()
  })
})
