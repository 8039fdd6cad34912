import { readFileSync } from 'node:fs'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'

const ORIGIN = 'https://portal.example'
const SOURCE = readFileSync(path.resolve(import.meta.dirname, '../../public/push-worker.js'), 'utf8')

/** Runs the service worker, recording what it showed, opened and requested. */
function start(pages: { url: string; focus: () => unknown }[] = []) {
  const heard = new Map<string, (event: object) => void>()
  const shown: { tag: string; data: object }[] = []
  const showNotification = vi.fn(
    async (_: string, { tag, data }: { tag: string; data: object; renotify?: boolean }) => {
      shown.splice(0, shown.length, ...shown.filter((other) => other.tag !== tag), { tag, data })
    },
  )
  const getNotifications = async ({ tag }: { tag: string }) => shown.filter((notification) => notification.tag === tag)
  const subscribe = vi.fn(async () => subscriptionAt('https://push.example/renewed'))
  const openWindow = vi.fn(async () => {})
  const requests: [string, string, unknown][] = []
  const self = {
    addEventListener: (name: string, listener: (event: object) => void) => heard.set(name, listener),
    registration: { showNotification, getNotifications, pushManager: { subscribe } },
    clients: { matchAll: async () => pages, openWindow },
    location: { origin: ORIGIN },
  }
  const fetch = async (address: string, init: { method: string; body: string }) => {
    requests.push([init.method, address, JSON.parse(init.body)])
    return { ok: true }
  }
  runInNewContext(SOURCE, { self, fetch, URL })
  const dispatch = async (name: string, event: object) => {
    let work: Promise<unknown> | undefined
    heard.get(name)!({ ...event, waitUntil: (promise: Promise<unknown>) => (work = promise) })
    await work
  }
  return { heard, dispatch, shown, showNotification, openWindow, subscribe, requests }
}

const subscriptionAt = (endpoint: string) => ({
  endpoint,
  options: { applicationServerKey: 'key' },
  toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: 'p', auth: 'a' } }),
})
const data = (text: string) => ({ json: () => JSON.parse(text), text: () => text })

test('the service worker handles push and click events, and intercepts no requests', () => {
  expect([...start().heard.keys()].sort()).toEqual(['notificationclick', 'push', 'pushsubscriptionchange'])
  expect(SOURCE).not.toMatch(/caches/)
})

test('a push is shown with its text, and a later version replaces an earlier one', async () => {
  const { dispatch, showNotification } = start()
  const content = { title: 'Leave Peru', body: 'Flights end tonight.', url: '/travel-advisories/1', tag: 'advisory 1' }
  await dispatch('push', { data: data(JSON.stringify(content)) })
  expect(showNotification).toHaveBeenCalledWith(
    'Leave Peru',
    expect.objectContaining({ body: content.body, tag: 'advisory 1', data: { url: content.url } }),
  )
})

test('a duplicate is shown once and sounds once; an update of the same subject sounds again', async () => {
  const { dispatch, shown, showNotification } = start()
  const push = (id: string) =>
    dispatch('push', {
      data: data(JSON.stringify({ title: 'Leave Peru', tag: 'advisory 1', id, data: { severity: 'critical' } })),
    })
  await push('version 1')
  await push('version 1')
  await push('version 2')
  expect(shown).toMatchObject([{ tag: 'advisory 1', data: { id: 'version 2', severity: 'critical' } }])
  expect(showNotification.mock.calls.map(([, { renotify }]) => renotify)).toEqual([true, false, true])
})

test.each([
  ['nothing', undefined],
  ['no JSON', data('not json')],
  ['a number', data('7')],
  ['null', data('null')],
])('a push containing %s is shown all the same: browsers require that', async (_, pushed) => {
  const { dispatch, showNotification } = start()
  await dispatch('push', { data: pushed })
  expect(showNotification).toHaveBeenCalledOnce()
})

test('a click opens its subject, or focuses the page already open, and nothing outside the portal', async () => {
  const focus = vi.fn()
  const { dispatch, openWindow } = start([{ url: `${ORIGIN}/dashboard`, focus }])
  const click = (url: unknown) => dispatch('notificationclick', { notification: { close() {}, data: { url } } })
  await click('/dashboard')
  expect(focus).toHaveBeenCalledOnce()
  for (const url of ['/travel-advisories/1', '//evil.example', 'https://evil.example/x', undefined]) await click(url)
  expect(openWindow.mock.calls).toEqual([
    [`${ORIGIN}/travel-advisories/1`],
    [`${ORIGIN}/notifications`],
    [`${ORIGIN}/notifications`],
    [`${ORIGIN}/notifications`],
  ])
})

test('a changed subscription registers the new endpoint with the portal and removes the old one', async () => {
  const { dispatch, requests, subscribe } = start()
  await dispatch('pushsubscriptionchange', { oldSubscription: subscriptionAt('https://push.example/old') })
  expect(subscribe).toHaveBeenCalledWith({ applicationServerKey: 'key' })
  expect(requests).toEqual([
    [
      'POST',
      '/api/notifications/browsers',
      { endpoint: 'https://push.example/renewed', keys: { p256dh: 'p', auth: 'a' } },
    ],
    ['DELETE', '/api/notifications/browsers', { endpoint: 'https://push.example/old' }],
  ])
})
