import { afterEach, expect, test, vi } from 'vitest'
import { FORGOTTEN, leaveNothing, removeLeftovers } from './leftovers.ts'

afterEach(() => vi.unstubAllGlobals())

const worker = (scriptURL: string, state: 'active' | 'waiting' | 'installing' = 'active') => ({
  [state]: { scriptURL },
  unregister: vi.fn(async () => true),
})

test('every service worker is removed except those for push messages and the emergency pages, and every cache except their copies', async () => {
  const old = [
    worker('https://portal.example/sw.js'),
    worker('https://portal.example/old/push-worker.js'),
    worker('https://portal.example/sw2.js', 'waiting'),
    { unregister: vi.fn(async () => true) },
  ]
  const ours = [
    worker('https://portal.example/push-worker.js'),
    worker('https://portal.example/push-worker.js?v=2', 'installing'),
    worker('https://portal.example/emergency-worker.js'),
  ]
  const removed: string[] = []
  vi.stubGlobal('navigator', { serviceWorker: { getRegistrations: async () => [...old, ...ours] } })
  vi.stubGlobal('window', { localStorage: { 'sb-token': 'x', removeItem: vi.fn() }, sessionStorage: {} })
  vi.stubGlobal('caches', {
    keys: async () => ['pages', 'emergency-copies', 'workbox'],
    delete: async (name: string) => removed.push(name),
  })
  await removeLeftovers()
  for (const { unregister } of old) expect(unregister).toHaveBeenCalledOnce()
  for (const { unregister } of ours) expect(unregister).not.toHaveBeenCalled()
  expect(removed).toEqual(['pages', 'workbox'])
})

test('a browser without service workers and caches has nothing to remove', async () => {
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('window', {})
  vi.stubGlobal('caches', undefined)
  await expect(removeLeftovers()).resolves.toBeUndefined()
})

test('signing out removes all conversations, and none is saved afterwards; other settings stay', () => {
  const removed: string[] = []
  const storage = (...keys: string[]) => ({
    ...Object.fromEntries(keys.map((key) => [key, 'x'])),
    removeItem: (key: string) => removed.push(key),
  })
  const events = new EventTarget()
  const forget = vi.fn()
  events.addEventListener(FORGOTTEN, forget)
  vi.stubGlobal('window', {
    localStorage: storage('assistant:backup:maria', 'assistant:saved', 'chat-settings', 'theme'),
    sessionStorage: storage('assistant:conversations', 'oauth-state'),
    dispatchEvent: events.dispatchEvent.bind(events),
  })
  leaveNothing()
  expect(removed.sort()).toEqual([
    'assistant:backup:maria',
    'assistant:conversations',
    'assistant:saved',
    'oauth-state',
  ])
  expect(forget).toHaveBeenCalledOnce()
})
