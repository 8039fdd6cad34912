import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showArrived } from './browser-notifications.ts'

const shown: { title: string; tag?: string; requireInteraction?: boolean; onclick?: () => void }[] = []
let permission = 'granted'
let isRefusing = false

beforeEach(() => {
  vi.useFakeTimers()
  shown.length = 0
  permission = 'granted'
  isRefusing = false
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  vi.stubGlobal('window', { focus: vi.fn() })
  vi.stubGlobal('location', { assign: vi.fn() })
  class Shown {
    static get permission() {
      return permission
    }
    close = vi.fn()
    constructor(title: string, options: object) {
      if (isRefusing) throw new TypeError('Illegal constructor')
      shown.push(Object.assign(this, { title }, options))
    }
  }
  vi.stubGlobal('Notification', Shown)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const row = (id: string, more: object = {}) => ({
  id,
  title: `Title ${id}`,
  message: 'Message',
  priority: 'medium' as const,
  action_url: '/dashboard',
  ...more,
})

test('a new notification is shown once, also on the next page, and urgent ones stay', () => {
  showArrived([row('a'), row('b', { priority: 'urgent' })])
  showArrived([row('a'), row('c')])
  expect(shown).toMatchObject([
    { title: 'Title a', tag: 'a', requireInteraction: false },
    { title: 'Title b', requireInteraction: true },
    { title: 'Title c' },
  ])
})

test('it links into the portal only', () => {
  showArrived([row('a'), row('b', { action_url: '//evil.example' }), row('c', { action_url: null })])
  for (const notification of shown) notification.onclick?.()
  expect(vi.mocked(location.assign).mock.calls).toEqual([['/dashboard'], ['/notifications'], ['/notifications']])
})

test('nothing is shown without permission, and a browser that refuses breaks nothing', () => {
  permission = 'default'
  showArrived([row('a')])
  permission = 'granted'
  isRefusing = true
  showArrived([row('a')])
  expect(shown).toEqual([])
})
