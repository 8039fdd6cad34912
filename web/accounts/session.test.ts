import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SESSION_SECONDS } from '#server/accounts/auth.ts'
import { isExpired, LONGEST_DAYS, signOutWithin, startSessionRenewal, TICK_MS, wasLengthenedToday } from './session.ts'

const NOW = Date.UTC(2026, 10, 21, 9)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const unauthorized = () => Promise.reject(Object.assign(new Error('User session has expired'), { status: 401 }))
const away = () => Promise.reject(Object.assign(new Error('Network error'), { status: 0 }))

let stop = () => {}
beforeEach(() => void vi.useFakeTimers({ now: NOW }))
afterEach(() => {
  stop()
  vi.useRealTimers()
})

function start(endsIn: number, refresh: () => Promise<number>) {
  const options = { expiresAt: NOW + endsIn, refresh: vi.fn(refresh), emit: vi.fn(), onEnd: vi.fn() }
  stop = startSessionRenewal(options)
  return options
}

describe('a session', () => {
  test('is considered expired 90 seconds before its end', () => {
    expect(isExpired(NOW + 89_000)).toBe(true)
    expect(isExpired(NOW + 90_000)).toBe(false)
  })

  test('lasts as long as the server states', () => {
    expect(LONGEST_DAYS * DAY).toBe(SESSION_SECONDS.traveler * 1000)
  })

  test('was renewed today while nearly all of its lifetime is left', () => {
    expect(wasLengthenedToday(NOW + 14 * DAY - MINUTE)).toBe(true)
    expect(wasLengthenedToday(NOW + 13 * DAY - MINUTE)).toBe(false)
  })
})

describe('while a page is open', () => {
  test('is renewed once at the start if it was not renewed for a day', async () => {
    const { refresh, emit } = start(10 * DAY, async () => NOW + 14 * DAY)
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(refresh).toHaveBeenCalledTimes(1)
    expect(emit.mock.calls).toEqual([['TOKEN_REFRESHED']])
  })

  test('is left alone if it was', async () => {
    const { refresh } = start(14 * DAY, async () => NOW + 14 * DAY)
    await vi.advanceTimersByTimeAsync(DAY)
    expect(refresh).not.toHaveBeenCalled()
  })

  test('is renewed when three checks of 30 seconds remain', async () => {
    const { refresh } = start(14 * DAY, async () => Date.now() + 14 * DAY)
    await vi.advanceTimersByTimeAsync(14 * DAY - 4 * TICK_MS)
    expect(refresh).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(TICK_MS)
    expect(refresh).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(10 * TICK_MS)
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  test('retries after 200 ms, 400 ms, 800 ms when the network is down', async () => {
    const { refresh, onEnd } = start(DAY, away)
    for (const [milliseconds, calls] of [
      [0, 1],
      [199, 1],
      [1, 2],
      [399, 2],
      [1, 3],
      [799, 3],
      [1, 4],
    ] as const) {
      await vi.advanceTimersByTimeAsync(milliseconds)
      expect(refresh).toHaveBeenCalledTimes(calls)
    }
    await vi.advanceTimersByTimeAsync(DAY)
    expect(onEnd).not.toHaveBeenCalled()
  })

  test('ends at once when the server reports it as over', async () => {
    const { refresh, onEnd, emit } = start(DAY, unauthorized)
    await vi.advanceTimersByTimeAsync(TICK_MS)
    expect(refresh).toHaveBeenCalledTimes(1)
    expect(onEnd).toHaveBeenCalledTimes(1)
    expect(emit).not.toHaveBeenCalled()
  })

  test('makes no request and emits no event after the page was left', async () => {
    const { refresh, emit, onEnd } = start(14 * DAY, unauthorized)
    stop()
    await vi.advanceTimersByTimeAsync(15 * DAY)
    expect([refresh, emit, onEnd].map((fn) => fn.mock.calls.length)).toEqual([0, 0, 0])
  })
})

describe('signing out', () => {
  test('clears the device once the server has responded', async () => {
    const clear = vi.fn()
    await signOutWithin(async () => ({ ended: 1 }), clear)
    expect(clear).toHaveBeenCalledTimes(1)
  })

  test('reports a timeout after five seconds, and clears the device all the same', async () => {
    const clear = vi.fn()
    const message = signOutWithin(() => new Promise(() => {}), clear).catch((error: Error) => error.message)
    await vi.advanceTimersByTimeAsync(4_999)
    expect(clear).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(await message).toBe('Sign out timed out')
    expect(clear).toHaveBeenCalledTimes(1)
  })

  test('reports a failure, and clears the device', async () => {
    const clear = vi.fn()
    await expect(signOutWithin(away, clear)).rejects.toThrow('Sign out failed')
    expect(clear).toHaveBeenCalledTimes(1)
  })
})
