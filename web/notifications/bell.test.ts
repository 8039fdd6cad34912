import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FIRST_LOOK_MS, onCounted, POLL_MS, SPREAD_MS, TOGETHER_MS, watchBell } from './bell.ts'

let end = () => {}
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  end()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const STATS = '/api/admin-operations/notification-stats'
const UNREAD = '/api/notifications/unread'

/** A page with a bell, and a server whose answers a test gives. */
function page(answers: Record<string, () => Response> = {}) {
  const asked: string[] = []
  const counts: number[] = []
  let ring: (isForEverybody: boolean) => void = () => {}
  const known: Record<string, () => Response> = {
    [STATS]: () => Response.json({ unread: 3 }),
    [UNREAD]: () => Response.json({ unreadCount: 4, arrived: [] }),
    ...answers,
  }
  const seen = Object.assign(new EventTarget(), { hidden: false }) as unknown as Document & { hidden: boolean }
  const stopHearing = onCounted((count) => counts.push(count))
  const stopWatching = watchBell({
    page: seen,
    ask: async (path) => {
      asked.push(String(path))
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
  return { asked, counts, seen, ring: (isForEverybody = false) => ring(isForEverybody) }
}

test('at start-up the figures are fetched once, after three seconds', async () => {
  const { asked, counts } = page()
  await vi.advanceTimersByTimeAsync(FIRST_LOOK_MS - 1)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(POLL_MS - FIRST_LOOK_MS)
  expect(asked).toEqual([STATS])
  expect(counts).toEqual([3])
})

test('a ring is looked at at once, several in one moment are one look', async () => {
  const { asked, counts, ring } = page()
  for (let i = 0; i < 5; i++) ring()
  await vi.advanceTimersByTimeAsync(TOGETHER_MS)
  expect(asked).toEqual([UNREAD])
  expect(counts).toEqual([4])
})

test('what rings for everybody is looked at over five seconds', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.9)
  const { asked, ring } = page({ [STATS]: () => new Response(null, { status: 401 }) })
  ring(true)
  await vi.advanceTimersByTimeAsync(0.9 * SPREAD_MS - 1)
  expect(asked).toEqual([STATS])
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toEqual([STATS, UNREAD])
})

test('without a ring it is asked once a minute, and not while nobody looks', async () => {
  const { asked, seen } = page()
  await vi.advanceTimersByTimeAsync(POLL_MS + TOGETHER_MS)
  expect(asked).toEqual([STATS, UNREAD])
  seen.hidden = true
  await vi.advanceTimersByTimeAsync(10 * POLL_MS)
  expect(asked).toHaveLength(2)
})

test.each([
  ['refused', () => new Response(null, { status: 401 })],
  ['failing', () => new Response('<html>', { status: 200 })],
  ['away', () => Response.error()],
])('a server that is %s changes no count and says nothing', async (_, answer) => {
  const said = vi.spyOn(console, 'error')
  const { counts, ring } = page({ [STATS]: answer, [UNREAD]: answer })
  ring()
  await vi.advanceTimersByTimeAsync(2 * POLL_MS)
  expect(counts).toEqual([])
  expect(said).not.toHaveBeenCalled()
})
