import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pollWhileVisible } from './poll.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const fakePage = () => Object.assign(new EventTarget(), { hidden: false })

test('one call per interval while the page is visible', () => {
  const load = vi.fn()
  pollWhileVisible(load, 180_000, fakePage())
  vi.advanceTimersByTime(179_999)
  expect(load).not.toHaveBeenCalled()
  vi.advanceTimersByTime(360_001)
  expect(load).toHaveBeenCalledTimes(3)
})

test('a hidden page makes no request and catches up once when it becomes visible again', () => {
  const page = fakePage()
  const load = vi.fn()
  const end = pollWhileVisible(load, 300_000, page)
  page.hidden = true
  vi.advanceTimersByTime(900_000)
  expect(load).not.toHaveBeenCalled()
  page.hidden = false
  page.dispatchEvent(new Event('visibilitychange'))
  page.dispatchEvent(new Event('visibilitychange'))
  expect(load).toHaveBeenCalledTimes(1)
  end()
  vi.advanceTimersByTime(900_000)
  expect(load).toHaveBeenCalledTimes(1)
})
