import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { DeliveryError } from './delivery-result.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const away = (retryAfter?: number) => new DeliveryError('away', { isPeerAway: true, retryAfter })
const SENT = { status: 'sent', provider: 'test', providerMessageId: '1' } as const

test('pauses twice as long each time the provider is unreachable, up to a minute', () => {
  const breaker = createCircuitBreaker()
  for (const seconds of [5, 10, 20, 40, 60, 60]) {
    expect(breaker.isOpen()).toBe(false)
    breaker.record(away())
    // Further messages of the same batch do not lengthen the pause.
    breaker.record(away())
    vi.advanceTimersByTime(seconds * 1_000 - 1)
    expect(breaker.isOpen()).toBe(true)
    vi.advanceTimersByTime(1)
  }
  expect(breaker.isProbing()).toBe(true)
})

test('a message that gets through ends the pause, and a rejected one does not start one', () => {
  const breaker = createCircuitBreaker()
  breaker.record(away())
  breaker.record(SENT)
  expect([breaker.isOpen(), breaker.isProbing()]).toEqual([false, false])
  breaker.record(new DeliveryError('no such mailbox', { isFinal: true }))
  expect(breaker.isOpen()).toBe(false)
})

test('the provider’s own retry time is respected', () => {
  const breaker = createCircuitBreaker()
  breaker.record(away(30))
  vi.advanceTimersByTime(29_999)
  expect(breaker.isOpen()).toBe(true)
  vi.advanceTimersByTime(1)
  expect(breaker.isOpen()).toBe(false)
})
