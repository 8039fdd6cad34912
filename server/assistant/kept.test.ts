import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ANONYMOUS, createKept, keepingChoices, RESPONSES } from './kept.ts'
import type { ChoiceRequest } from './model/choosing.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})
const MINUTE = 60_000

test('an anonymous answer is given again for five minutes', () => {
  const kept = createKept<{ n: number }>(ANONYMOUS)
  kept.keep(['question'], { n: 1 })
  vi.advanceTimersByTime(5 * MINUTE - 1_000)
  expect(kept.find(['question'])).toEqual({ n: 1 })
  vi.advanceTimersByTime(2_000)
  expect(kept.find(['question'])).toBeUndefined()
  kept.stop()
})

test('the 51st takes the place of the oldest', () => {
  const kept = createKept<{ n: number }>(ANONYMOUS)
  for (let n = 0; n <= 50; n++) kept.keep([n], { n })
  expect([kept.find([0]), kept.find([1]), kept.find([50])]).toEqual([undefined, { n: 1 }, { n: 50 }])
  kept.stop()
})

test.each([
  ['an anonymous answer', ANONYMOUS, 10],
  ['what a model said', RESPONSES, 30],
])('%s is thrown away once it is old, at the next sweep', (_, keeping, minutes) => {
  const kept = createKept<{ n: number }>(keeping)
  kept.keep(['question'], { n: 1 })
  vi.advanceTimersByTime(minutes * MINUTE - 1_000)
  expect(kept.size).toBe(1)
  vi.advanceTimersByTime(keeping.everyMs + 2_000)
  expect(kept.size).toBe(0)
  kept.stop()
})

test('what changes by itself sooner is kept no longer than that', () => {
  const kept = createKept<{ n: number }>(ANONYMOUS)
  const now = new Date()
  kept.keep(['question'], { n: 1 }, { now, until: now.valueOf() + MINUTE })
  vi.advanceTimersByTime(MINUTE + 1_000)
  expect(kept.find(['question'])).toBeUndefined()
  kept.keep(['over'], { n: 1 }, { now, until: now.valueOf() - 1 })
  expect(kept.find(['over'])).toBeUndefined()
  kept.stop()
})

test('a model is asked once in five minutes for the same of one visitor', async () => {
  let calls = 0
  const { choosing, stop } = keepingChoices(async () => {
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
  // What was paid for once is not counted twice.
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
