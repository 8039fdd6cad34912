import { beforeEach, expect, test } from 'vitest'
import { accountApp, createBrowser, createPasswordAccount, lastMessage, PASSWORD } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import type { Role } from '#shared/roles.ts'

const database = await testDatabase()
const rules = { needsSecondStep: false }
const nodes = [await accountApp(database, {}, rules), await accountApp(database, {}, rules)] as const

beforeEach(() => database.requests.kysely.deleteFrom('rate_limits').execute())

let made = 0
async function signedIn(role: Role = 'traveler') {
  made += 1
  const email = `person-${made}@example.org`
  const id = await createPasswordAccount(database, { email, role })
  const browser = createBrowser(nodes[0])
  expect((await browser.post('/auth/login', { email, password: PASSWORD })).status).toBe(200)
  // What happens on one node takes effect on the other.
  const other = createBrowser(nodes[1])
  for (const [name, value] of browser.cookies) other.cookies.set(name, value)
  return { browser, other, email, id: id! }
}

const set = (id: string, change: string) =>
  database.requests.pool.query(`update user_profiles set ${change} where id = $1`, [id])

test.each([
  ['is suspended', `profile_status = 'suspended'`, null],
  ['is deleted', `profile_status = 'deleted'`, null],
  ['loses the role', `role = 'traveler', scope_everywhere = false, scope_reason = null`, 'traveler'],
  ['comes to the end of the role', `role_ends_at = now() - interval '1 second'`, 'traveler'],
  ['has no profile any more', 'auth_user_id = null', null],
])('a user who %s is so from the next request, on every node', async (_what, change, role) => {
  const { browser, other, id } = await signedIn('mfa_coordinator')
  expect((await other.get('/accounts/new')).status).toBe(200)
  await set(id, change)
  const seen = [browser, other]
  for (const client of seen) expect((await client.get('/auth/user')).status).toBe(role ? 200 : 401)
  if (role) expect((await other.get('/accounts/new')).status).toBe(403)
})

test('a coordinator for whom a second step becomes required is anonymous until it is completed', async () => {
  const { other } = await signedIn('mfa_coordinator')
  expect(await other.role()).toBe('mfa_coordinator')
  rules.needsSecondStep = true
  expect(await other.role()).toBeNull()
  rules.needsSecondStep = false
})

test("one's own sessions are listed with their device, and each can be ended", async () => {
  const { browser, email } = await signedIn()
  const phone = createBrowser(nodes[1])
  await phone.visit('/api/auth/login', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36',
    },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const list = (await browser.get('/auth/sessions')).body.sessions as {
    id: string
    device: string
    is_current: boolean
  }[]
  expect(list.map(({ is_current }) => is_current).sort()).toEqual([false, true])
  const other = list.find(({ is_current }) => !is_current)!
  expect(other.device).toBe('Chrome, Android')
  const { browser: stranger } = await signedIn()
  expect((await stranger.delete(`/auth/sessions/${other.id}`)).status).toBe(404)
  expect(await phone.role()).toBe('traveler')
  expect((await browser.delete(`/auth/sessions/${other.id}`)).status).toBe(200)
  expect(await phone.role()).toBeNull()
  expect(await browser.role()).toBe('traveler')
})

test.each([
  ['local', [null, 'traveler']],
  ['others', ['traveler', null]],
  ['global', [null, null]],
])('signing out %s ends these sessions, and a copied cookie is worthless', async (scope, roles) => {
  const { browser, other, email } = await signedIn()
  const second = createBrowser(nodes[1])
  await second.post('/auth/login', { email, password: PASSWORD })
  await browser.post('/auth/logout', { scope })
  expect([await other.role(), await second.role()]).toEqual(roles)
})

test('a changed password ends the other sessions and keeps this one; the user is notified', async () => {
  const { browser, email } = await signedIn()
  const thief = createBrowser(nodes[1])
  await thief.post('/auth/login', { email, password: PASSWORD })
  const wrong = await browser.put('/auth/user', { current_password: 'wrong', password: 'eleven quiet rivers' })
  expect(wrong).toMatchObject({ status: 422, body: { fields: { current_password: expect.any(String) } } })
  const changed = await browser.put('/auth/user', { current_password: PASSWORD, password: 'eleven quiet rivers' })
  expect(changed.status).toBe(200)
  expect(await browser.role()).toBe('traveler')
  expect(await thief.role()).toBeNull()
  await lastMessage(database, email, 'sign-in-changed')
})

const grant = (email: string) =>
  createBrowser(nodes[0]).post('/auth/token', { grant_type: 'password', email, password: PASSWORD })
const refresh = (node: 0 | 1, refresh_token: unknown) =>
  createBrowser(nodes[node]).post('/auth/token', { grant_type: 'refresh_token', refresh_token })
const roleOf = (token: unknown) => createBrowser(nodes[1], String(token)).role()

test.each([
  ['password', 'traveler', 14 * 86_400],
  ['password', 'mfa_coordinator', 86_400],
  ['mcgi-hub', 'traveler', 86_400],
] as const)('a session by %s of a %s is extended up to its own limit', async (method, role, seconds) => {
  const { browser } = await signedIn(role)
  await database.requests.pool.query(
    `update auth_sessions set sign_in_method = $1, expires_at = now() + interval '80 seconds'
     where user_id = (select auth_user_id from user_profiles where role = $2 order by created_at desc limit 1)`,
    [method, role],
  )
  const { status, body } = await browser.post('/auth/refresh')
  expect(status).toBe(200)
  expect(Math.abs(Number(body.expires_at) - Date.now() / 1000 - seconds)).toBeLessThan(30)
  expect((await createBrowser(nodes[0]).post('/auth/refresh')).status).toBe(401)
})

const setSessionAge = (email: string, days: number, more = '') =>
  database.requests.pool.query(
    `update auth_sessions set created_at = now() - make_interval(days => $2), expires_at = now() + interval '1 day' ${more}
     where user_id = (select auth_user_id from user_profiles where email = $1)`,
    [email, days],
  )

test.each([
  ['traveler', 89, 91, ''],
  ['mfa_coordinator', 6, 8, ''],
  ['admin', 6, 8, ''],
  ['traveler', 6, 8, `, sign_in_method = 'mcgi-hub'`],
] as const)('a session of a %s used daily still ends: valid after %i days, ended after %i', async (...row) => {
  const [role, short, long, more] = row
  const { browser, email } = await signedIn(role)
  await setSessionAge(email, short, more)
  const { body } = await browser.post('/auth/refresh')
  // One day is left, however much longer it would otherwise last.
  expect(Number(body.expires_at) * 1000).toBeLessThanOrEqual(Date.now() + 86_400_000)
  expect(await browser.role()).toBe(role)
  await setSessionAge(email, long, more)
  expect(await browser.role()).toBeNull()
  expect((await browser.post('/auth/refresh')).status).toBe(401)
})

test('a refresh token extends no session past that day', async () => {
  const { email } = await signedIn('mfa_coordinator')
  const { body } = await grant(email)
  await setSessionAge(email, 6)
  const second = await refresh(0, body.refresh_token)
  expect(second.status).toBe(200)
  await setSessionAge(email, 8)
  expect((await refresh(1, second.body.refresh_token)).status).toBe(401)
  expect(await roleOf(second.body.access_token)).toBeNull()
})

test('over TLS a browser with the former cookie stays signed in and gets the current one', async () => {
  const { browser } = await signedIn()
  const secure = await accountApp(database, { publicUrl: 'https://portal.example' }, rules)
  const value = browser.cookies.get('mfa.session_token')!
  const former = createBrowser(secure)
  former.cookies.set('__Secure-mfa.session_token', value)
  expect(await former.role()).toBe('traveler')
  expect([...former.cookies]).toEqual([['__Host-mfa.session_token', value]])
  expect(await former.role()).toBe('traveler')
  expect((await former.post('/auth/passkeys/new', {})).status).toBe(200)
  expect([...former.cookies.keys()].filter((name) => !name.startsWith('__Host-'))).toEqual([])
  // When both are present, the one that only this host can set counts.
  const planted = createBrowser(secure)
  planted.cookies.set('__Secure-mfa.session_token', value)
  planted.cookies.set('__Host-mfa.session_token', 'nothing.signed')
  expect(await planted.role()).toBeNull()
})

test('every cookie of the account belongs to this host alone over TLS', async () => {
  const { email } = await signedIn()
  const browser = createBrowser(await accountApp(database, { publicUrl: 'https://portal.example' }, rules))
  const answers = [
    await browser.post('/auth/login', { email, password: PASSWORD }),
    await browser.post('/auth/passkeys/new', {}),
    await browser.post('/auth/passkeys/options'),
    await browser.post('/auth/refresh'),
    await browser.post('/auth/logout'),
  ]
  const lines = answers.flatMap(({ headers }) => headers.getSetCookie())
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) {
    expect(line).toMatch(/^__Host-mfa\./)
    expect(line).toMatch(/; Path=\/(;|$)/)
    expect(line).toMatch(/; Secure(;|$)/)
    expect(line).toMatch(/; HttpOnly(;|$)/)
    expect(line).not.toMatch(/domain/i)
  }
})

test('a refresh token returns the next one; used a second time it ends the session', async () => {
  const { email } = await signedIn()
  const first = await grant(email)
  const second = await refresh(1, first.body.refresh_token)
  expect(second.status).toBe(200)
  expect(await roleOf(first.body.access_token)).toBeNull()
  expect(await roleOf(second.body.access_token)).toBe('traveler')
  expect((await refresh(0, first.body.refresh_token)).status).toBe(401)
  expect(await roleOf(second.body.access_token)).toBeNull()
  expect((await refresh(0, second.body.refresh_token)).status).toBe(401)
})

test('a refresh token used twice at the same instant keeps neither signed in', async () => {
  const { email } = await signedIn()
  const { body } = await grant(email)
  const both = await Promise.all([refresh(0, body.refresh_token), refresh(1, body.refresh_token)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  const winner = both.find(({ status }) => status === 200)!
  expect(await roleOf(winner.body.access_token)).toBeNull()
})

test('no token of a suspended user is renewed into a session', async () => {
  const { email, id } = await signedIn()
  const { body } = await grant(email)
  await set(id, `profile_status = 'suspended'`)
  const renewed = await refresh(0, body.refresh_token)
  expect(renewed.body.user ?? null).toBeNull()
  expect(await roleOf(renewed.body.access_token)).toBeNull()
})

test.each(['', 'x', 'Bearer', `mfa.session_token=${'a'.repeat(32)}.b`, 'mfa.session_token=%', 'mfa.session_token='])(
  'a forged cookie is anonymous: %s',
  async (cookie) => {
    const response = await nodes[0].request('/api/auth/user', { headers: { cookie } })
    expect(response.status).toBe(401)
  },
)

/** Fields by which a client could try to escalate, with each otherwise valid body. */
const MORE = { role: 'admin', permissions: ['all'], profile_status: 'active', user_id: 'x', email_verified: true }
const GOOD: Record<string, object> = {
  'POST /auth/verify': { type: 'email', email: 'a@example.org', code: '123456' },
  'POST /auth/hub': { action: 'login', userName: 'a', password: 'b' },
}

test("a role, a permission or another user's id is refused wherever accounts take a body", async () => {
  const { browser } = await signedIn('admin')
  const taking = nodes[0].router.endpoints().filter(({ path, body }) => path.startsWith('/auth/') && body)
  expect(taking.length).toBeGreaterThan(20)
  for (const { key, method, path } of taking) {
    const response = await browser.visit(`/api${path.replace('{id}', crypto.randomUUID())}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...GOOD[key], ...MORE }),
    })
    expect(response.status, key).toBe(422)
    const { fields } = (await response.json()) as { fields: object }
    expect(Object.keys(fields), key).toEqual(expect.arrayContaining(Object.keys(MORE)))
  }
})

test('a call from a page of another site is refused', async () => {
  const { browser } = await signedIn()
  const response = await browser.visit('/api/auth/logout', {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
    body: '{}',
  })
  expect(response.status).toBe(403)
  expect(await browser.role()).toBe('traveler')
})
