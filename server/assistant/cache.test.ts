import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ANONYMOUS, createTtlCache, RESPONSES, withChoiceCache } from './cache.ts'
import type { ChoiceRequest } from './model/choice.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})
const MINUTE = 60_000

test('an anonymous answer is reused for five minutes', () => {
  const cache = createTtlCache<{ n: number }>(ANONYMOUS)
  cache.set(['question'], { n: 1 })
  vi.advanceTimersByTime(5 * MINUTE - 1_000)
  expect(cache.find(['question'])).toEqual({ n: 1 })
  vi.advanceTimersByTime(2_000)
  expect(cache.find(['question'])).toBeUndefined()
  cache.stop()
})

test('the 51st entry evicts the oldest', () => {
  const cache = createTtlCache<{ n: number }>(ANONYMOUS)
  for (let n = 0; n <= 50; n++) cache.set([n], { n })
  expect([cache.find([0]), cache.find([1]), cache.find([50])]).toEqual([undefined, { n: 1 }, { n: 50 }])
  cache.stop()
})

test.each([
  ['an anonymous answer', ANONYMOUS, 10],
  ['what a model said', RESPONSES, 30],
])('%s is evicted at the next sweep after it expires', (_, options, minutes) => {
  const cache = createTtlCache<{ n: number }>(options)
  cache.set(['question'], { n: 1 })
  vi.advanceTimersByTime(minutes * MINUTE - 1_000)
  expect(cache.size).toBe(1)
  vi.advanceTimersByTime(options.everyMs + 2_000)
  expect(cache.size).toBe(0)
  cache.stop()
})

test('an entry with an earlier expiry is not reused beyond it', () => {
  const cache = createTtlCache<{ n: number }>(ANONYMOUS)
  const now = new Date()
  cache.set(['question'], { n: 1 }, { now, until: now.valueOf() + MINUTE })
  vi.advanceTimersByTime(MINUTE + 1_000)
  expect(cache.find(['question'])).toBeUndefined()
  cache.set(['over'], { n: 1 }, { now, until: now.valueOf() - 1 })
  expect(cache.find(['over'])).toBeUndefined()
  cache.stop()
})

test('the model is called once in five minutes for the same request of one visitor', async () => {
  let calls = 0
  const { choosing, stop } = withChoiceCache(async () => {
    calls += 1
    return { picks: [{ id: 'S1', connector: null }], model: 'm', tokens: 7 }
  })
  const request = (more: Partial<ChoiceRequest> = {}): ChoiceRequest => ({
    language: 'en',
    choosable: [{ id: 'S1', text: 'It takes 1 day.' }],
    question: 'q',
    history: [],
    visitor: 'a visitor',
    options: {},
    signal: AbortSignal.timeout(1_000),
    ...more,
  })
  expect(await choosing(request())).toMatchObject({ tokens: 7 })
  // A cached choice does not count its cost again.
  expect(await choosing(request())).toMatchObject({ picks: [{ id: 'S1' }], tokens: 0 })
  expect(calls).toBe(1)
  vi.advanceTimersByTime(5 * MINUTE + 1_000)
  await choosing(request())
  expect(calls).toBe(2)
  for (const other of [{ visitor: 'another' }, { choosable: [{ id: 'S1', text: 'It takes 2 days.' }] }])
    await choosing(request(other))
  expect(calls).toBe(4)
  stop()
})
