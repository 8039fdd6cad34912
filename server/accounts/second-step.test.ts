import { afterAll, beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import {
  accountApp,
  authenticatorCode,
  type Browser,
  createBrowser,
  createPasswordAccount,
  lastMessage,
  PASSWORD,
  tokenIn,
} from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { hubPeer } from '#server/testing/hub.ts'
import { openIdPeer } from '#server/testing/openid.ts'
import type { Role } from '#shared/roles.ts'

const database = await testDatabase()
const google = await openIdPeer({ redirectUri: 'http://portal.test/auth/callback' })
const hub = await hubPeer()
afterAll(() => Promise.all([google.close(), hub.close()]))
// Fixed, so that no code in these tests expires during a test.
const NOW = new Date()
const codeOf = (secret: string, steps = 0) => authenticatorCode(secret, steps, NOW)
const app = await accountApp(database, {
  now: () => NOW,
  google,
  hub: { url: hub.url, emailDomain: 'hub.example' },
  providers: { sms: [{ name: 'sms', url: 'https://sms.example', account: 'AC1', token: 'x', from: '+15005550006' }] },
})

let made = 0
beforeEach(() => database.requests.kysely.deleteFrom('rate_limits').execute())

async function newUser(role: Role = 'traveler') {
  made += 1
  const email = `person-${made}@example.org`
  await createPasswordAccount(database, { email, role })
  return email
}

async function signedIn(email: string): Promise<{ browser: Browser; next: unknown }> {
  const browser = createBrowser(app)
  const { body } = await browser.post('/auth/login', { email, password: PASSWORD })
  return { browser, next: body.next }
}

/** Sets up an authenticator as a user would; codes of past time steps count as used. */
async function enrolled(browser: Browser, current_password: string | undefined = PASSWORD) {
  const begun = await browser.post('/auth/factors', { current_password })
  expect(begun.status).toBe(200)
  const { secret, recovery_codes } = begun.body as { secret: string; recovery_codes: string[] }
  const done = await browser.post('/auth/factors/verify', { code: await codeOf(secret, -1) })
  expect(done.status).toBe(200)
  return { secret, recovery_codes }
}

test('an authenticator is set up with the password, by QR code or by typing, and counts after its first code', async () => {
  const { browser } = await signedIn(await newUser())
  // A session an hour old: an unattended device must not be enough.
  await database.requests.pool.query(`update auth_sessions set created_at = now() - interval '1 hour'`)
  expect(await browser.post('/auth/factors', {})).toMatchObject({
    status: 403,
    body: { code: 'confirm_first', fields: { current_password: 'This field is required' } },
  })
  expect((await browser.post('/auth/factors', { current_password: 'not the password' })).status).toBe(422)
  const { body } = await browser.post('/auth/factors', { current_password: PASSWORD })
  const uri = new URL(String(body.uri))
  expect([uri.protocol, uri.searchParams.get('secret'), uri.searchParams.get('issuer')]).toEqual([
    'otpauth:',
    body.secret,
    'MFA Portal',
  ])
  expect(String(body.qr_svg)).toMatch(/^<svg /)
  expect(new Set(body.recovery_codes as string[]).size).toBe(10)
  expect((await browser.get('/auth/factors')).body).toMatchObject({
    totp: false,
    has_password: true,
    is_required: false,
  })
  expect((await browser.post('/auth/factors/verify', { code: '000000' })).status).toBe(400)
  const code = await codeOf(String(body.secret))
  expect((await browser.post('/auth/factors/verify', { code })).status).toBe(200)
  expect((await browser.get('/auth/factors')).body).toMatchObject({ totp: true })
})

test('nothing in the database completes a second step by itself', async () => {
  const { browser } = await signedIn(await newUser())
  const { secret, recovery_codes } = await enrolled(browser)
  const { rows } = await database.requests.pool.query('select * from auth_two_factors')
  const rowsText = JSON.stringify(rows)
  for (const secretText of [secret, ...recovery_codes, recovery_codes[0]!.replace('-', '')])
    expect(rowsText).not.toContain(secretText)
})

test('a user with an authenticator is anonymous until its code is entered, and each code works once', async () => {
  const email = await newUser('admin')
  const { browser: first } = await signedIn(email)
  const { secret } = await enrolled(first)
  const { browser, next } = await signedIn(email)
  expect(next).toBe('/two-step')
  expect(await browser.role()).toBeNull()
  expect((await browser.get('/auth/sessions')).body.code).toBe('second_step')
  const code = await codeOf(secret)
  expect(await browser.post('/auth/factors/verify', { code, returnTo: '/admin/users' })).toMatchObject({
    status: 200,
    body: { next: '/admin/users' },
  })
  expect(await browser.role()).toBe('admin')
  const { browser: other } = await signedIn(email)
  expect((await other.post('/auth/factors/verify', { code })).status).toBe(400)
  expect(await other.role()).toBeNull()
})

test.each<[string, (email: string, secret: string) => Promise<{ browser: Browser; next: unknown }>]>([
  [
    'a code by mail',
    async (email) => {
      const browser = createBrowser(app)
      await browser.post('/auth/otp', { email })
      const code = /\b\d{6}\b/.exec(await lastMessage(database, email, 'sign-in-code'))![0]
      return { browser, next: (await browser.post('/auth/verify', { type: 'email', email, code })).body.next }
    },
  ],
  [
    'a link by mail',
    async (email) => {
      const browser = createBrowser(app)
      await browser.post('/auth/otp', { email, kind: 'link' })
      const token = tokenIn(await lastMessage(database, email, 'sign-in-link'))
      return { browser, next: (await browser.post('/auth/verify', { type: 'magiclink', token })).body.next }
    },
  ],
  [
    'a code by phone',
    async (email) => {
      const phone = `+63917123${1000 + made}`
      await database.requests.pool.query(
        'update auth_users set phone_number = $1, phone_number_verified = true where email = $2',
        [phone, email],
      )
      const browser = createBrowser(app)
      await browser.post('/auth/otp', { phone })
      const code = /\b\d{6}\b/.exec(await lastMessage(database, phone, 'sign-in-code'))![0]
      return { browser, next: (await browser.post('/auth/verify', { type: 'sms', phone, code })).body.next }
    },
  ],
  [
    'Google',
    async (email) => {
      google.user = { sub: `google ${email}`, email, email_verified: true, name: 'Ana' }
      const browser = createBrowser(app)
      const away = await browser.visit('/auth/google')
      const callback = await google.visit(away.headers.get('location')!)
      const back = await browser.visit(callback.replace('http://portal.test', ''))
      return { browser, next: back.headers.get('location') }
    },
  ],
  [
    'the hub',
    async (email) => {
      const id = `hub ${email}`
      hub.members[id] = { password: 'x', user: { id } }
      await database.requests.pool.query('update user_profiles set mcgi_hub_id = $1 where email = $2', [id, email])
      const browser = createBrowser(app)
      const { body } = await browser.post('/auth/hub', { action: 'login', userName: id, password: 'x' })
      return { browser, next: body.next }
    },
  ],
])('the second step is owed after %s as well', async (_method, signIn) => {
  const email = await newUser('admin')
  const { browser: first } = await signedIn(email)
  const { secret } = await enrolled(first)
  const { browser, next } = await signIn(email, secret)
  expect(next).toBe('/two-step')
  expect(await browser.role()).toBeNull()
  expect((await browser.post('/auth/factors/verify', { code: await codeOf(secret) })).status).toBe(200)
  expect(await browser.role()).toBe('admin')
})

test('roles with responsibility for others set up a second step before anything else', async () => {
  const { browser, next } = await signedIn(await newUser('mfa_coordinator'))
  expect(next).toBe('/two-step')
  expect(await browser.role()).toBeNull()
  expect((await browser.get('/auth/factors')).body).toMatchObject({ is_required: true, totp: false })
  await enrolled(browser, undefined)
  expect(await browser.role()).toBe('mfa_coordinator')
  expect(await browser.delete('/auth/factors', { current_password: PASSWORD })).toMatchObject({
    status: 403,
    body: { code: 'second_factor_required' },
  })
})

test('the password alone cannot replace an existing authenticator', async () => {
  const email = await newUser('admin')
  const { browser } = await signedIn(email)
  await enrolled(browser)
  const { browser: thief } = await signedIn(email)
  expect((await thief.post('/auth/factors', { current_password: PASSWORD })).status).toBe(401)
  expect((await thief.delete('/auth/factors', { current_password: PASSWORD })).status).toBe(401)
  expect((await thief.post('/auth/factors/recovery-codes', { current_password: PASSWORD })).status).toBe(401)
})

test('a new phone replaces the old one', async () => {
  const email = await newUser('admin')
  const { browser } = await signedIn(email)
  const old = await enrolled(browser)
  const fresh = await enrolled(browser)
  const { browser: again } = await signedIn(email)
  expect((await again.post('/auth/factors/verify', { code: await codeOf(old.secret) })).status).toBe(400)
  expect((await again.post('/auth/factors/verify', { code: await codeOf(fresh.secret) })).status).toBe(200)
})

test('codes cannot be guessed: not in one session, in many, or in many at once', async () => {
  const email = await newUser()
  const { browser } = await signedIn(email)
  const { secret } = await enrolled(browser)
  const answers: number[] = []
  for (let at = 0; at < 6; at++) {
    const { browser: thief } = await signedIn(email)
    answers.push((await thief.post('/auth/factors/verify', { code: `00000${at}` })).status)
  }
  expect(answers).toEqual([400, 400, 400, 400, 400, 429])
  // The right code has to wait now too.
  const { browser: mine } = await signedIn(email)
  const code = await codeOf(secret)
  expect((await mine.post('/auth/factors/verify', { code })).body.code).toBe('too_many_codes')
  await database.requests.kysely.deleteFrom('rate_limits').execute()
  const many = await Promise.all(
    Array.from({ length: 20 }, (_, at) => mine.post('/auth/factors/verify', { code: `1000${10 + at}` })),
  )
  expect(many.filter(({ status }) => status === 400)).toHaveLength(5)
  expect(many.filter(({ status }) => status === 429)).toHaveLength(15)
})

test('a recovery code replaces the authenticator, once', async () => {
  const email = await newUser('admin')
  const { browser } = await signedIn(email)
  const { recovery_codes } = await enrolled(browser)
  const recovery_code = recovery_codes[3]!.toUpperCase().replace('-', ' ')
  const { browser: second } = await signedIn(email)
  const both = await Promise.all([
    second.post('/auth/factors/verify', { recovery_code }),
    second.post('/auth/factors/verify', { recovery_code }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(await second.role()).toBe('admin')
  const renewed = await second.post('/auth/factors/recovery-codes', { current_password: PASSWORD })
  expect(renewed.status).toBe(200)
  const { browser: third } = await signedIn(email)
  expect((await third.post('/auth/factors/verify', { recovery_code: recovery_codes[4] })).status).toBe(400)
  const [fresh] = renewed.body.recovery_codes as string[]
  expect((await third.post('/auth/factors/verify', { recovery_code: fresh })).status).toBe(200)
})

test('a traveler may remove the authenticator again, with the password', async () => {
  const email = await newUser()
  const { browser } = await signedIn(email)
  await enrolled(browser)
  await database.requests.pool.query(
    `update auth_sessions set created_at = now() - interval '1 hour', second_factor_at = now() - interval '1 hour', confirmed_at = null`,
  )
  expect((await browser.delete('/auth/factors', {})).status).toBe(403)
  expect((await browser.delete('/auth/factors', { current_password: PASSWORD })).status).toBe(200)
  expect((await signedIn(email)).next).toBe('/dashboard')
})

test('a client with a bearer token completes its second step with the same endpoints and keeps its token', async () => {
  const email = await newUser('admin')
  const { browser } = await signedIn(email)
  const { secret } = await enrolled(browser)
  const granted = await createBrowser(app).post('/auth/token', { grant_type: 'password', email, password: PASSWORD })
  expect(granted.body.user).toBeNull()
  const program = createBrowser(app, String(granted.body.access_token))
  expect(await program.role()).toBeNull()
  expect((await program.post('/auth/factors/verify', { code: await codeOf(secret) })).status).toBe(200)
  expect(await program.role()).toBe('admin')
  expect((await program.post('/auth/factors/recovery-codes', { current_password: PASSWORD })).status).toBe(200)
})

test('changes are logged without any secret', async () => {
  const email = await newUser()
  const { browser } = await signedIn(email)
  const { secret, recovery_codes } = await enrolled(browser)
  await browser.delete('/auth/factors', { current_password: PASSWORD })
  const { id } = (await browser.get('/auth/user')).body.user as { id: string }
  const entries = await inBackground(database, 'test', (db) =>
    db.selectFrom('audit_log').selectAll().where('subject_id', '=', id).orderBy('id').execute(),
  )
  expect(entries.map(({ actor_id, action, after }) => [actor_id, action, after])).toEqual([
    [id, 'user.second_factor', { authenticator: true }],
    [id, 'user.second_factor', { authenticator: false }],
  ])
  for (const secretText of [secret, ...recovery_codes]) expect(JSON.stringify(entries)).not.toContain(secretText)
})

test("knowing a user's password does not lock them out of the second step", async () => {
  const email = await newUser('admin')
  const { browser: own } = await signedIn(email)
  const { secret, recovery_codes } = await enrolled(own)
  await own.post('/auth/logout', {})
  // Wrong codes from many places, until strangers are refused everywhere.
  const nodes = await accountApp(database, { trustedProxies: 1, pause: async () => {}, now: () => NOW })
  const at = (address: string) => createBrowser(nodes, { address })
  const statuses: number[] = []
  for (let place = 0; place < 6; place++) {
    const thief = at(`198.18.${place}.1`)
    await thief.post('/auth/login', { email, password: PASSWORD })
    for (let n = 0; n < 5; n++) statuses.push((await thief.post('/auth/factors/verify', { code: `90000${n}` })).status)
  }
  expect(statuses.filter((status) => status === 400)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  const give = async (browser: Browser, body: object) => (await browser.post('/auth/factors/verify', body)).status
  // On a new device with the password alone, the right code is refused; a recovery code is accepted.
  const fresh = at('192.0.2.1')
  await fresh.post('/auth/login', { email, password: PASSWORD })
  expect(await give(fresh, { code: await codeOf(secret) })).toBe(429)
  expect(await give(fresh, { recovery_code: recovery_codes[0] })).toBe(200)
  // Accepted where the first step was a link sent by mail.
  const mailed = at('192.0.2.2')
  await mailed.post('/auth/otp', { email, kind: 'link' })
  const token = tokenIn(await lastMessage(database, email, 'sign-in-link'))
  expect((await mailed.post('/auth/verify', { type: 'magiclink', token })).body.next).toBe('/two-step')
  expect(await give(mailed, { code: await codeOf(secret, 1) })).toBe(200)
  // And always on a known device.
  await database.requests.pool.query('update auth_two_factors set last_step = 0')
  const known = createBrowser(nodes, { address: '192.0.2.3', cookies: own.cookies })
  await known.post('/auth/login', { email, password: PASSWORD })
  expect(await give(known, { code: await codeOf(secret) })).toBe(200)
})

test('the password alone does not make a device known', async () => {
  const email = await newUser('admin')
  const { browser: own } = await signedIn(email)
  await enrolled(own)
  const { browser: thief } = await signedIn(email)
  expect(thief.cookies.has('mfa.device')).toBe(false)
  expect(own.cookies.has('mfa.device')).toBe(true)
})
