import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FIRST_LOOK_MS, onUnreadCount, POLL_MS, pollUnreadCount, SPREAD_MS, TOGETHER_MS } from './unread-count.ts'

let end = () => {}
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  end()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const STATS = '/api/admin-operations/notification-stats'
const UNREAD = '/api/notifications/unread'

/** A page with an inbox link, and a server with the given responses. */
function page(answers: Record<string, () => Response> = {}) {
  const requests: string[] = []
  const counts: number[] = []
  let ring: (isForEverybody: boolean) => void = () => {}
  const known: Record<string, () => Response> = {
    [STATS]: () => Response.json({ unread: 3 }),
    [UNREAD]: () => Response.json({ unreadCount: 4, arrived: [] }),
    ...answers,
  }
  const seen = Object.assign(new EventTarget(), { hidden: false })
  const stopHearing = onUnreadCount((count) => counts.push(count))
  const stopWatching = pollUnreadCount({
    page: seen,
    ask: async (path) => {
      requests.push(String(path))
      return known[String(path)]!()
    },
    hear: (heard) => {
      ring = heard
      return () => {}
    },
  })
  end = () => {
    stopWatching()
    stopHearing()
  }
  return { requests, counts, seen, ring: (isForEverybody = false) => ring(isForEverybody) }
}

test('fetches the counts once at start-up, after three seconds', async () => {
  const { requests, counts } = page()
  await vi.advanceTimersByTimeAsync(FIRST_LOOK_MS - 1)
  expect(requests).toEqual([])
  await vi.advanceTimersByTimeAsync(POLL_MS - FIRST_LOOK_MS)
  expect(requests).toEqual([STATS])
  expect(counts).toEqual([3])
})

test('an event is followed by a fetch at once, a burst by one fetch', async () => {
  const { requests, counts, ring } = page()
  for (let i = 0; i < 5; i++) ring()
  await vi.advanceTimersByTimeAsync(TOGETHER_MS)
  expect(requests).toEqual([UNREAD])
  expect(counts).toEqual([4])
})

test('an event for all users is followed by a fetch within five seconds', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.9)
  const { requests, ring } = page({ [STATS]: () => new Response(null, { status: 401 }) })
  ring(true)
  await vi.advanceTimersByTimeAsync(0.9 * SPREAD_MS - 1)
  expect(requests).toEqual([STATS])
  await vi.advanceTimersByTimeAsync(1)
  expect(requests).toEqual([STATS, UNREAD])
})

test('polls once a minute without events, and not while the page is hidden', async () => {
  const { requests, seen } = page()
  await vi.advanceTimersByTimeAsync(POLL_MS + TOGETHER_MS)
  expect(requests).toEqual([STATS, UNREAD])
  seen.hidden = true
  await vi.advanceTimersByTimeAsync(10 * POLL_MS)
  expect(requests).toHaveLength(2)
})

test.each([
  ['refused', () => new Response(null, { status: 401 })],
  ['failing', () => new Response('<html>', { status: 200 })],
  ['away', () => Response.error()],
])('a server that is %s changes no count and reports nothing', async (_, answer) => {
  const consoleError = vi.spyOn(console, 'error')
  const { counts, ring } = page({ [STATS]: answer, [UNREAD]: answer })
  ring()
  await vi.advanceTimersByTimeAsync(2 * POLL_MS)
  expect(counts).toEqual([])
  expect(consoleError).not.toHaveBeenCalled()
})
