import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showNotification } from './browser-notification.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const close = vi.fn()
const browser = (permission: NotificationPermission) =>
  class {
    static readonly permission = permission
    readonly close = close
    onclick = null
  }
const notification = { title: 'Japan', body: 'Storm', tag: '1', isUrgent: false }

test('a notification closes after 10 s, an urgent one stays', () => {
  showNotification(notification, browser('granted'))
  vi.advanceTimersByTime(9_999)
  expect(close).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(close).toHaveBeenCalledTimes(1)
  showNotification({ ...notification, isUrgent: true }, browser('granted'))
  vi.advanceTimersByTime(100_000)
  expect(close).toHaveBeenCalledTimes(1)
})

test('no notification without permission or browser support', () => {
  expect(showNotification(notification, browser('denied'))).toBeUndefined()
  expect(showNotification(notification, undefined)).toBeUndefined()
})
