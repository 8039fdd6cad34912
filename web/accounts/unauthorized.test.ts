import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sessionRenewal } from '#web/lib/session-renewal.ts'
import { type ApiError, call } from '#web/lib/transport.ts'
import { SESSION_CHANGE } from './session-events.ts'
import { recoverFromRefusal, UNAUTHORIZED } from './unauthorized.ts'

/** The parts of a browser used by these rules. */
function browser() {
  const window = new EventTarget() as EventTarget & Record<string, unknown>
  const storage = (entries: Record<string, string>) =>
    Object.defineProperties(entries, {
      removeItem: { value: (key: string) => delete entries[key], enumerable: false },
    })
  window.localStorage = storage({ 'sb-old-auth-token': 'x', oauth_state: 'y', theme: 'dark', user_notes: 'z' })
  window.sessionStorage = storage({ 'sb-x': '1', drawer: 'small' })
  const events: string[] = []
  window.addEventListener(SESSION_CHANGE, (event) => events.push((event as CustomEvent<string>).detail))
  const location = { pathname: '/dashboard/profile', search: '?tab=a', assign: vi.fn<(to: string) => void>() }
  return { window, location, events }
}

const answers = new Map<string, (() => Response)[]>()
const requests: string[] = []
const json = (status: number, body: object) => () => new Response(JSON.stringify(body), { status })
const expired = json(401, { success: false, error: 'User session has expired', code: 'session_expired' })
const fine = json(200, { success: true, sessions: [] })
const longer = json(200, { success: true, expires_at: 1_800_000_000 })

let at: ReturnType<typeof browser>
beforeEach(() => {
  at = browser()
  sessionRenewal.renew = recoverFromRefusal
  answers.clear()
  requests.length = 0
  vi.stubGlobal('window', at.window)
  vi.stubGlobal('location', at.location)
  vi.stubGlobal('fetch', async (address: string) => {
    requests.push(address.replace('/api', ''))
    const list = answers.get(address.replace('/api', ''))
    const answer = list && list.length > 1 ? list.shift() : list?.[0]
    if (!answer) throw new TypeError('Failed to fetch')
    return answer()
  })
})
afterEach(() => vi.unstubAllGlobals())

const failing = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: ApiError) => error.status)

test('a call refused with 401 renews the session and is retried once', async () => {
  answers.set('/auth/sessions', [expired, fine])
  answers.set('/auth/refresh', [longer])
  await expect(call('GET /auth/sessions')).resolves.toMatchObject({ sessions: [] })
  expect(requests).toEqual(['/auth/sessions', '/auth/refresh', '/auth/sessions'])
  expect(at.location.assign).not.toHaveBeenCalled()
})

test('a call that changes data is retried too: it was rejected before anything was done', async () => {
  answers.set('/auth/user', [expired, json(200, { success: true, message: 'Changed.' })])
  answers.set('/auth/refresh', [longer])
  await call('PUT /auth/user', { body: { password: 'seven purple lanterns' } })
  expect(requests).toEqual(['/auth/user', '/auth/refresh', '/auth/user'])
})

test('concurrent 401 responses share one renewal', async () => {
  answers.set('/auth/sessions', [expired, expired, expired, fine])
  answers.set('/auth/refresh', [longer])
  await Promise.all([call('GET /auth/sessions'), call('GET /auth/sessions'), call('GET /auth/sessions')])
  expect(requests.filter((path) => path === '/auth/refresh')).toHaveLength(1)
})

test('an expired session is cleared, reported as a security event, and redirects to sign-in and back', async () => {
  answers.set('/auth/sessions', [expired])
  answers.set('/auth/refresh', [expired])
  const heard: unknown[] = []
  at.window.addEventListener(UNAUTHORIZED, (event) => heard.push((event as CustomEvent).detail))
  expect(await failing(call('GET /auth/sessions'))).toBe(401)
  expect(heard).toMatchObject([{ type: 'security', severity: 'critical' }])
  expect(at.events).toEqual(['SIGNED_OUT'])
  expect(Object.keys(at.window.localStorage as object)).toEqual(['theme', 'user_notes'])
  expect(Object.keys(at.window.sessionStorage as object)).toEqual(['drawer'])
  expect(at.location.assign.mock.calls).toEqual([['/login?ended=expired&returnTo=%2Fdashboard%2Fprofile%3Ftab%3Da']])
})

test('a handled event does not redirect', async () => {
  answers.set('/auth/sessions', [expired])
  answers.set('/auth/refresh', [expired])
  at.window.addEventListener(UNAUTHORIZED, (event) => event.preventDefault())
  await failing(call('GET /auth/sessions'))
  expect(at.location.assign).not.toHaveBeenCalled()
})

test('a network failure during renewal ends nothing', async () => {
  answers.set('/auth/sessions', [expired])
  expect(await failing(call('GET /auth/sessions'))).toBe(401)
  expect(at.events).toEqual([])
  expect(at.location.assign).not.toHaveBeenCalled()
})

test('a wrong password does not affect a session', async () => {
  answers.set('/auth/login', [json(401, { success: false, error: 'Invalid', code: 'invalid_credentials' })])
  const body = { email: 'person@example.org', password: 'wrong' }
  expect(await failing(call('POST /auth/login', { body }))).toBe(401)
  expect(requests).toEqual(['/auth/login'])
  expect(at.events).toEqual([])
})
