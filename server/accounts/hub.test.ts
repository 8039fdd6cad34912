import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { accountApp, accountOf, createBrowser, lastMessage, messagesTo } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { hubPeer } from '#server/testing/hub.ts'
import { createAccount } from './create-account.ts'
import { createHub } from './hub.ts'

const database = await testDatabase()
const hub = await hubPeer()
afterAll(() => hub.close())
const pauses: number[] = []
const app = await accountApp(database, {
  hub: { url: hub.url, emailDomain: 'hub.example' },
  pause: async (milliseconds) => void pauses.push(milliseconds),
})

let made = 0
let userName = ''
beforeEach(async () => {
  made += 1
  await database.requests.kysely.deleteFrom('rate_limits').execute()
  userName = `juan${made}`
  hub.intercept = () => false
  hub.members[userName] = {
    password: 'a password of the hub',
    user: {
      id: 7000 + made,
      email: `juan${made}@example.org`,
      firstName: 'Juan',
      lastName: 'Dela Cruz',
      mcgiId: `M-${made}`,
    },
  }
})

const login = (more: object = {}) => ({ action: 'login', userName, password: 'a password of the hub', ...more })
const countUsers = () =>
  database.requests.kysely
    .selectFrom('auth_users')
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirst()

test("a member signs in, is a traveler with the hub's records, and no token is stored", async () => {
  const browser = createBrowser(app)
  const { status, body } = await browser.post('/auth/hub', login({ returnTo: '/countries' }))
  expect([status, body]).toEqual([
    200,
    { success: true, provider: 'mcgi-hub', expires_in: 86_400, needs_two_factor: false, next: '/countries' },
  ])
  expect(await browser.role()).toBe('traveler')
  const account = await accountOf(database, `juan${made}@example.org`)
  expect(account).toMatchObject({
    profile: {
      display_name: 'Juan Dela Cruz',
      auth_provider: 'mcgi-hub',
      registration_method: 'mcgi_hub',
      mcgi_hub_id: String(7000 + made),
      email_verified: false,
    },
    person: { first_name: 'Juan', last_name: 'Dela Cruz', mcgi_id: `M-${made}`, person_types: ['member'] },
    signInMethods: [{ provider_id: 'mcgi-hub', access_token: null }],
  })
  const { body: sessions } = await browser.get('/auth/user')
  const seconds = Number(sessions.expires_at) - Date.now() / 1000
  expect(seconds).toBeGreaterThan(86_300)
  expect(seconds).toBeLessThan(86_401)
})

test('the address of the specification works as well', async () => {
  expect((await createBrowser(app).post('/functions/hub-auth', login())).status).toBe(200)
})

test("a second sign-in updates the hub's data, but not a name the user chose", async () => {
  await createBrowser(app).post('/auth/hub', login())
  hub.members[userName]!.user = { ...hub.members[userName]!.user, lastName: 'Santos', personTypes: ['worker'] }
  await createBrowser(app).post('/auth/hub', login())
  const email = `juan${made}@example.org`
  expect(await accountOf(database, email)).toMatchObject({
    profile: { display_name: 'Juan Santos' },
    person: { last_name: 'Santos', person_types: ['member', 'worker'] },
  })
  await database.requests.kysely
    .updateTable('user_profiles')
    .set({ display_name: 'Brother Juan' })
    .where('email', '=', email)
    .execute()
  hub.members[userName]!.user = { ...hub.members[userName]!.user, lastName: 'Reyes' }
  await createBrowser(app).post('/auth/hub', login())
  expect(await accountOf(database, email)).toMatchObject({
    profile: { display_name: 'Brother Juan' },
    person: { last_name: 'Reyes' },
  })
})

test('two concurrent first sign-ins create one account', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => createBrowser(app).post('/auth/hub', login())))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await accountOf(database, `juan${made}@example.org`))!.signInMethods).toHaveLength(1)
})

test('a member without an address at the hub gets a placeholder that is never written to', async () => {
  hub.members[userName]!.user = { id: `no-mail-${made}`, name: 'Maria' }
  const browser = createBrowser(app)
  expect((await browser.post('/auth/hub', login())).status).toBe(200)
  const email = `${userName}@hub.example`
  expect(await accountOf(database, email)).toMatchObject({ profile: { email_verified: false } })
  const nobody = createBrowser(app)
  for (const [path, body] of [
    ['/auth/recover', { email }],
    ['/auth/resend', { email }],
    ['/auth/otp', { email }],
    ['/auth/otp', { email, kind: 'link' }],
  ] as const)
    expect((await nobody.post(path, body)).status).toBe(202)
  await new Promise((later) => setTimeout(later, 300))
  expect(await messagesTo(database, email)).toEqual([])
})

test('a placeholder address is never a reason to merge accounts', async () => {
  const email = `${userName}@hub.example`
  await createAccount(database, { email, first_name: 'Real', last_name: 'Owner', role: 'admin' })
  hub.members[userName]!.user = { id: `clash-${made}`, name: 'Maria' }
  const browser = createBrowser(app)
  expect((await browser.post('/auth/hub', login())).status).toBe(200)
  expect(await browser.role()).toBe('traveler')
  expect((await accountOf(database, email))!.signInMethods).toEqual([])
})

test('an address from the hub does not open the account of its owner', async () => {
  const email = `juan${made}@example.org`
  await createAccount(database, { email, first_name: 'Real', last_name: 'Owner', role: 'admin' })
  const browser = createBrowser(app)
  expect((await browser.post('/auth/hub', login())).status).toBe(200)
  expect(await browser.role()).toBe('traveler')
})

test('an address known only from the hub neither blocks its owner nor opens the account', async () => {
  const email = `juan${made}@example.org`
  const member = createBrowser(app)
  await member.post('/auth/hub', login())
  const owner = createBrowser(app)
  await owner.post('/auth/recover', { email })
  await owner.post('/auth/signup', {
    first_name: 'Real',
    last_name: 'Owner',
    email,
    password: 'seven purple lanterns',
    accept_terms: true,
  })
  const text = await lastMessage(database, email, 'verify-email')
  const token = decodeURIComponent(/token=([^\s&"]+)/.exec(text)![1]!)
  expect((await owner.post('/auth/verify', { type: 'signup', token })).status).toBe(200)
  const [a, b] = await Promise.all([member.get('/auth/user'), owner.get('/auth/user')])
  expect((a.body.user as { id: string }).id).not.toBe((b.body.user as { id: string }).id)
  expect((b.body.user as { email: string }).email).toBe(email)
})

test('the hub asks for a code, and the code signs in', async () => {
  hub.members[userName]!.code = '482913'
  const browser = createBrowser(app)
  expect((await browser.post('/auth/hub', login())).body).toMatchObject({ needs_two_factor: true, next: null })
  expect(await browser.role()).toBeNull()
  const second = { ...login(), action: 'login2fa' }
  expect(await browser.post('/auth/hub', { ...second, twoFactorCode: '000000' })).toMatchObject({
    status: 401,
    body: { error: 'Invalid 2FA code. Please check your authenticator app and try again.' },
  })
  expect((await browser.post('/auth/hub', { ...second, twoFactorCode: '482913' })).body).toMatchObject({
    needs_two_factor: false,
    next: '/dashboard',
  })
  expect(await browser.role()).toBe('traveler')
  expect(hub.requests.at(-1)).toEqual({
    action: 'login2fa',
    userName,
    password: 'a password of the hub',
    twoFactorCode: '482913',
  })
})

test.each([
  { requiresTwoFactor: true },
  { two_factor_required: true },
  { is2FARequired: true },
  { needs_2fa: true },
  { message: 'Two-factor authentication required' },
])('a hub may request the code in several forms: %o', async (answer) => {
  hub.intercept = answering(200, answer)
  expect((await createBrowser(app).post('/auth/hub', login())).body).toMatchObject({ needs_two_factor: true })
})

const answering = (status: number, body: unknown) => (_request: unknown, response: ServerResponse) => {
  const isText = typeof body === 'string'
  response
    .writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' })
    .end(isText ? body : JSON.stringify(body))
  return true
}

test.each(['token', 'accessToken', 'webtoken', 'mcgi_hub_token'])('the token may be named %s', async (name) => {
  for (const [action, userField] of [
    ['login', 'user'],
    ['login2fa', 'userData'],
  ]) {
    hub.intercept = answering(200, { [name]: 'x', [userField!]: { id: `spelled-${name}`, name: 'José Ñuñez 王' } })
    const body = { ...login(), action, ...(action === 'login2fa' ? { twoFactorCode: '123456' } : {}) }
    expect((await createBrowser(app).post('/auth/hub', body)).status).toBe(200)
  }
})

const REFUSED = 'MCGI Hub authentication failed. Please check your credentials and try again.'
const REFUSED_2FA = 'MCGI Hub 2FA authentication failed. Please check your credentials and 2FA code.'
const UNREACHABLE = 'Unable to connect to MCGI Hub. Please check your internet connection and try again.'
const UNAVAILABLE = 'MCGI Hub service is currently unavailable. Please try again later.'
const FAILED = 'MCGI Hub is experiencing technical difficulties. Please try again later.'

test.each<[string, 'login' | 'login2fa', number, unknown, number, string]>([
  ['401', 'login', 401, {}, 401, 'Invalid username or password. Please check your credentials and try again.'],
  ['401', 'login2fa', 401, {}, 401, 'Invalid credentials or 2FA code. Please verify and try again.'],
  ['404', 'login', 404, {}, 503, UNAVAILABLE],
  ['404', 'login2fa', 404, '<h1>Not found</h1>', 503, UNAVAILABLE],
  ['500', 'login', 500, '<h1>Error</h1>', 502, FAILED],
  ['503', 'login2fa', 503, {}, 502, FAILED],
  ['400', 'login', 400, { message: 'Bad request' }, 401, REFUSED],
  ['403', 'login2fa', 403, {}, 401, REFUSED_2FA],
  ['a page', 'login', 200, '<html>Welcome</html>', 502, REFUSED],
  ['a list', 'login', 200, ['token'], 502, REFUSED],
  ['a refusal in a good answer', 'login2fa', 200, { success: false }, 502, REFUSED_2FA],
  ['no token', 'login', 200, { user: { id: 'x' } }, 502, 'No authentication token received from MCGI Hub'],
  ['an empty token', 'login2fa', 200, { token: '' }, 502, 'No authentication token received from MCGI Hub'],
])(
  'a hub that answers %s to %s signs nobody in and writes nothing',
  async (_what, action, status, answer, ours, message) => {
    hub.intercept = answering(status, answer)
    const before = await countUsers()
    const browser = createBrowser(app)
    const body = { ...login(), action, ...(action === 'login2fa' ? { twoFactorCode: '123456' } : {}) }
    const failed = await browser.post('/auth/hub', body)
    expect([failed.status, failed.body.error]).toEqual([ours, message])
    expect(await browser.role()).toBeNull()
    expect(await countUsers()).toEqual(before)
  },
)

test('a hub that is down, redirects elsewhere or never ends its response is unreachable', async () => {
  const gone = await hubPeer()
  await gone.close()
  const request = { action: 'login' as const, userName, password: 'x' }
  await expect(createHub({ url: gone.url, emailDomain: 'hub.example' })(request)).rejects.toMatchObject({
    status: 503,
    message: UNREACHABLE,
  })
  hub.intercept = (_request, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    return true
  }
  expect((await createBrowser(app).post('/auth/hub', login())).body.error).toBe(UNREACHABLE)
  hub.intercept = (_request, response) => {
    response.write('{"token":"')
    const timer = setInterval(() => response.write('x'.repeat(100_000)), 1)
    response.on('close', () => clearInterval(timer))
    return true
  }
  expect((await createBrowser(app).post('/auth/hub', login())).body.error).toBe(UNREACHABLE)
})

test('a hub that does not answer times out', async () => {
  hub.intercept = () => true
  const ask = createHub({ url: hub.url, emailDomain: 'hub.example' }, 200)
  await expect(ask({ action: 'login', userName, password: 'x' })).rejects.toMatchObject({ message: UNREACHABLE })
})

test.each([
  ['persons', 'Failed to create person record in Supabase'],
  ['user_profiles', 'Failed to create user profile in Supabase'],
  ['auth_accounts', 'Failed to sync user data to database'],
])('a failed write to %s is reported, and nothing about the user remains', async (table, message) => {
  const column = table === 'auth_accounts' ? 'account_id' : table === 'persons' ? 'first_name' : 'display_name'
  hub.members[userName]!.user = { id: 'unwelcome', name: 'unwelcome' }
  const pool = database.requests.pool
  await pool.query(`alter table ${table} add constraint refuse check (${column} <> 'unwelcome')`)
  const before = await countUsers()
  const browser = createBrowser(app)
  const { status, body } = await browser.post('/auth/hub', login())
  await pool.query(`alter table ${table} drop constraint refuse`)
  expect([status, body.error]).toEqual([500, message])
  expect(await countUsers()).toEqual(before)
  expect(await browser.role()).toBeNull()
})

test('a signed-in user links the hub to their own account', async () => {
  const browser = createBrowser(app)
  await browser.post('/auth/hub', login())
  const first = (await browser.get('/auth/user')).body.user as { id: string }
  hub.members[`${userName}-other`] = { password: 'a password of the hub', user: { id: `other-${made}` } }
  const other = { ...login({ link: true }), userName: `${userName}-other` }
  expect((await browser.post('/auth/hub', other)).status).toBe(200)
  const again = createBrowser(app)
  await again.post('/auth/hub', { ...other, link: false })
  expect((await again.get('/auth/user')).body.user).toMatchObject({ id: first.id })
  expect((await createBrowser(app).post('/auth/hub', other)).status).toBe(401)
})

test('wrong hub passwords slow strangers down and do not lock the member out', async () => {
  pauses.length = 0
  for (let at = 0; at < 14; at++)
    expect((await createBrowser(app).post('/auth/hub', login({ password: `no ${at}` }))).status).toBe(401)
  expect(pauses).toEqual([1_000, 1_000, 1_000, 1_000])
  expect((await createBrowser(app).post('/auth/hub', login())).status).toBe(200)
})

test.each([{ role: 'admin' }, { permissions: ['all'] }, { profile_status: 'active' }, { provider: 'google' }])(
  'a role, permission or status in the request is refused: %o',
  async (more) => {
    expect((await createBrowser(app).post('/auth/hub', login(more))).status).toBe(422)
  },
)

test('without a hub, hub sign-in is not offered', async () => {
  const without = await accountApp(database)
  expect((await createBrowser(without).post('/auth/hub', login())).status).toBe(404)
  expect((await createBrowser(without).get('/auth/providers')).body).toMatchObject({ hub: false, google: false })
})
