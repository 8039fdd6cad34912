import { afterAll, beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import {
  accountApp,
  type Browser,
  createBrowser,
  createPasswordAccount,
  lastMessage,
  PASSWORD,
  tokenIn,
} from '#server/testing/accounts.ts'
import { createAuthenticator } from '#server/testing/authenticator.ts'
import { testDatabase } from '#server/testing/database.ts'
import { hubPeer } from '#server/testing/hub.ts'
import { openIdPeer } from '#server/testing/openid.ts'
import type { Role } from '#shared/roles.ts'

const database = await testDatabase()
const { pool } = database.requests
const google = await openIdPeer({ redirectUri: 'http://portal.test/auth/callback' })
const hub = await hubPeer()
afterAll(() => Promise.all([google.close(), hub.close()]))
const app = await accountApp(database, {
  google,
  hub: { url: hub.url, emailDomain: 'hub.example' },
  providers: { sms: [{ name: 'sms', url: 'https://sms.example', account: 'AC1', token: 'x', from: '+15005550006' }] },
})

beforeEach(() => database.requests.kysely.deleteFrom('rate_limits').execute())

let made = 0
async function createUser(role: Role = 'traveler') {
  made += 1
  const email = `user-${made}@example.org`
  const phone = `+6391755${String(60_000 + made).slice(-5)}`
  const id = await createPasswordAccount(database, { email, role })
  await pool.query('update auth_users set phone_number = $2, phone_number_verified = true where email = $1', [
    email,
    phone,
  ])
  return { email, phone, id }
}
type TestUser = Awaited<ReturnType<typeof createUser>>

async function signedIn({ email }: TestUser) {
  const browser = createBrowser(app)
  expect((await browser.post('/auth/login', { email, password: PASSWORD })).status).toBe(200)
  return browser
}
const idIn = async (browser: Browser) =>
  ((await browser.get('/auth/user')).body.user as { id: string } | undefined)?.id ?? null
const codeIn = (text: string) => /\b\d{6}\b/.exec(text)![0]

/** Audit entries about the sessions of a user. */
const auditOf = ({ id }: TestUser) =>
  inBackground(database, 'test', (db) =>
    db
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'after'])
      .where('subject_id', '=', id)
      .where('action', '=', 'user.sessions')
      .execute(),
  )

/** Each prepares a sign-in for a user outside the browser and returns the step done in the browser. */
const METHODS: Record<string, (user: TestUser) => Promise<(browser: Browser) => Promise<unknown>>> = {
  password:
    async ({ email }) =>
    (browser) =>
      browser.post('/auth/login', { email, password: PASSWORD }),
  'number and password':
    async ({ phone }) =>
    (browser) =>
      browser.post('/auth/login', { phone, password: PASSWORD }),
  'code by text message': async ({ phone }) => {
    await createBrowser(app).post('/auth/otp', { phone })
    const code = codeIn(await lastMessage(database, phone, 'sign-in-code'))
    return (browser) => browser.post('/auth/verify', { type: 'sms', phone, code })
  },
  'code by mail': async ({ email }) => {
    await createBrowser(app).post('/auth/otp', { email })
    const code = codeIn(await lastMessage(database, email, 'sign-in-code'))
    return (browser) => browser.post('/auth/verify', { type: 'email', email, code })
  },
  'link by mail': async ({ email }) => {
    await createBrowser(app).post('/auth/otp', { email, kind: 'link' })
    const token = tokenIn(await lastMessage(database, email, 'sign-in-link'))
    return (browser) => browser.post('/auth/verify', { type: 'magiclink', token })
  },
  'link to confirm an address': async ({ email }) => {
    await pool.query('update auth_users set email_verified = false where email = $1', [email])
    await createBrowser(app).post('/auth/resend', { email })
    const token = tokenIn(await lastMessage(database, email, 'verify-email'))
    return (browser) => browser.post('/auth/verify', { type: 'signup', token })
  },
  'new password': async ({ email }) => {
    await createBrowser(app).post('/auth/recover', { email })
    const token = tokenIn(await lastMessage(database, email, 'reset-password'))
    return async (browser) => {
      const password = 'eleven quiet rivers'
      expect((await browser.post('/auth/reset', { token, password })).status).toBe(200)
      await browser.post('/auth/login', { email, password })
    }
  },
  passkey: async (user) => {
    const own = await signedIn(user)
    const device = createAuthenticator({ origin: 'http://portal.test' })
    const { body } = await own.post('/auth/passkeys/new', {})
    await own.post('/auth/passkeys', { response: device.create(body.options as never), name: '' })
    return async (browser) => {
      const options = (await browser.post('/auth/passkeys/options')).body.options as never
      await browser.post('/auth/passkeys/sign-in', { response: device.get(options) })
    }
  },
  Google:
    async ({ email }) =>
    async (browser) => {
      google.user = { sub: `google ${email}`, email, email_verified: true, given_name: 'Ana', family_name: 'Cruz' }
      const away = await browser.visit('/auth/google')
      const callback = await google.visit(away.headers.get('location')!)
      await browser.visit(callback.replace('http://portal.test', ''))
    },
  'member hub': async ({ email, id }) => {
    const userName = `hub ${email}`
    hub.members[userName] = { password: 'x', user: { id: userName, firstName: 'Ana', lastName: 'Cruz' } }
    await pool.query('update user_profiles set mcgi_hub_id = $2 where id = $1', [id, userName])
    return (browser) => browser.post('/auth/hub', { action: 'login', userName, password: 'x' })
  },
}

test.each(Object.keys(METHODS))("signing in by %s ends another user's session in that browser", async (method) => {
  const first = await createUser()
  const second = await createUser()
  const enter = await METHODS[method]!(second)
  const browser = await signedIn(first)
  const elsewhere = await signedIn(first)
  const copied = createBrowser(app, { cookies: browser.cookies })
  await enter(browser)
  expect(await idIn(browser)).toBe(second.id)
  expect(await idIn(copied)).toBeNull()
  expect(await idIn(elsewhere)).toBe(first.id)
  expect(await auditOf(first)).toEqual([
    { actor_id: first.id, action: 'user.sessions', after: { ended: 1, by: 'another_sign_in' } },
  ])
  expect(await auditOf(second)).toEqual([])
})

test.each(Object.keys(METHODS))('signing in again by %s keeps the user signed in', async (method) => {
  const user = await createUser()
  const browser = await signedIn(user)
  const enter = await METHODS[method]!(user)
  await enter(browser)
  expect(await idIn(browser)).toBe(user.id)
  expect(await auditOf(user)).toEqual([])
})

test('a failed attempt leaves the current user signed in', async () => {
  const first = await createUser()
  const { email, phone } = await createUser()
  const browser = await signedIn(first)
  const suspended = await createUser()
  await pool.query(`update user_profiles set profile_status = 'suspended' where id = $1`, [suspended.id])
  for (const [path, body] of [
    ['/auth/login', { email, password: 'not the password' }],
    ['/auth/login', { email: 'nobody@example.org', password: PASSWORD }],
    ['/auth/login', { email: suspended.email, password: PASSWORD }],
    ['/auth/verify', { type: 'sms', phone, code: '123456' }],
    ['/auth/verify', { type: 'magiclink', token: 'x' }],
    ['/auth/reset', { token: 'x', password: 'eleven quiet rivers' }],
    ['/auth/hub', { action: 'login', userName: 'nobody', password: 'x' }],
    ['/auth/passkeys/sign-in', { response: { id: 'x' } }],
  ] as const)
    expect((await browser.post(path, body)).status, path).toBeGreaterThanOrEqual(400)
  await browser.visit('/auth/callback?code=x&state=y')
  expect(await idIn(browser)).toBe(first.id)
  expect(await auditOf(first)).toEqual([])
})

test('a sign-in that still owes the second step ends the session before, and is ended by the next', async () => {
  const first = await createUser()
  const admin = await createUser('admin')
  const third = await createUser()
  const browser = await signedIn(first)
  const copied = createBrowser(app, { cookies: browser.cookies })
  expect((await browser.post('/auth/login', { email: admin.email, password: PASSWORD })).body.next).toBe('/two-step')
  expect(await idIn(copied)).toBeNull()
  const waiting = createBrowser(app, { cookies: browser.cookies })
  expect((await waiting.get('/auth/factors')).status).toBe(200)
  await browser.post('/auth/login', { email: third.email, password: PASSWORD })
  expect((await waiting.get('/auth/factors')).status).toBe(401)
  expect(await idIn(browser)).toBe(third.id)
  expect(await auditOf(admin)).toHaveLength(1)
})

test('a client that gets a token, and one that signs in beside its token, end no session', async () => {
  const first = await createUser()
  const { email } = await createUser()
  const browser = await signedIn(first)
  const granted = await browser.post('/auth/token', { grant_type: 'password', email, password: PASSWORD })
  expect(granted.status).toBe(200)
  expect(await idIn(browser)).toBe(first.id)
  const program = createBrowser(app, { bearer: String(granted.body.access_token) })
  await program.post('/auth/login', { email: first.email, password: PASSWORD })
  expect((await program.get('/auth/user')).body.user).toMatchObject({ email })
})

test('signing out is written to the audit log', async () => {
  const user = await createUser()
  const browser = await signedIn(user)
  await signedIn(user)
  await browser.post('/auth/logout', { scope: 'others' })
  await browser.post('/auth/logout')
  await browser.post('/auth/logout')
  expect(await auditOf(user)).toEqual([
    { actor_id: user.id, action: 'user.sessions', after: { ended: 1 } },
    { actor_id: user.id, action: 'user.sessions', after: { ended: 1 } },
  ])
})
