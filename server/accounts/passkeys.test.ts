import { beforeEach, expect, test } from 'vitest'
import {
  accountApp,
  ageAccount,
  type Browser,
  createBrowser,
  createPasswordAccount,
  lastMessage,
  PASSWORD,
} from '#server/testing/accounts.ts'
import { createAuthenticator } from '#server/testing/authenticator.ts'
import { testDatabase } from '#server/testing/database.ts'
import type { Role } from '#shared/roles.ts'

const database = await testDatabase()
const app = await accountApp(database)
const ORIGIN = 'http://portal.test'

let made = 0
beforeEach(() => database.requests.kysely.deleteFrom('rate_limits').execute())

async function signedIn(role: Role = 'traveler') {
  made += 1
  const email = `person-${made}@example.org`
  await createPasswordAccount(database, { email, role })
  const browser = createBrowser(app)
  await browser.post('/auth/login', { email, password: PASSWORD })
  return { browser, email }
}

type Device = ReturnType<typeof createAuthenticator>
const optionsOf = ({ body }: { body: Record<string, unknown> }) => body.options as never

async function added(browser: Browser, device: Device, name = 'My phone') {
  const options = optionsOf(await browser.post('/auth/passkeys/new', {}))
  return browser.post('/auth/passkeys', { response: device.create(options), name })
}

async function signInWith(device: Device, browser = createBrowser(app)) {
  const options = optionsOf(await browser.post('/auth/passkeys/options'))
  const answer = await browser.post('/auth/passkeys/sign-in', { response: device.get(options) })
  return { browser, answer }
}

test("a new passkey signs in by itself and appears in the user's own list", async () => {
  const { browser } = await signedIn()
  const device = createAuthenticator({ origin: ORIGIN })
  const { status, body } = await added(browser, device)
  expect(status).toBe(200)
  expect((await browser.get('/auth/factors')).body.passkeys).toMatchObject([{ id: body.id, name: 'My phone' }])
  const { browser: other, answer } = await signInWith(device)
  expect([answer.status, answer.body.next]).toEqual([200, '/dashboard'])
  expect(await other.role()).toBe('traveler')
  const { body: sessions } = await other.get('/auth/sessions')
  expect((sessions.sessions as { way: string; is_current: boolean }[]).find(({ is_current }) => is_current)?.way).toBe(
    'passkey',
  )
})

test('one added today is not fresh, one of last week is, and the owner undoes it by mail', async () => {
  const { browser, email } = await signedIn()
  await ageAccount(database, email)
  await browser.post('/auth/login', { email, password: PASSWORD })
  const old = createAuthenticator({ origin: ORIGIN })
  await added(browser, old)
  await database.requests.pool.query(`update auth_passkeys set since = now() - interval '7 days'`)
  const device = createAuthenticator({ origin: ORIGIN })
  await added(browser, device, "A thief's phone")
  expect((await (await signInWith(device)).browser.get('/account/export')).status).toBe(403)
  expect((await (await signInWith(old)).browser.get('/account/export')).status).toBe(200)
  const mail = await lastMessage(database, email, 'sign-in-changed')
  const [, link] = /undo-change\/([\w-]+)/.exec(mail)!
  expect((await browser.post(`/public/sign-in-changes/${link}`)).status).toBe(200)
  expect((await signInWith(device)).answer.body.code).toBe('unknown_passkey')
  expect((await signInWith(old)).answer.status).toBe(200)
})

test('it counts as both steps for roles that need two', async () => {
  const { browser, email } = await signedIn('admin')
  // Until a second step is set up, an administrator cannot add a passkey.
  expect((await browser.post('/auth/passkeys/new', {})).status).toBe(401)
  await database.requests.pool.query('update auth_sessions set second_factor_at = now()')
  const device = createAuthenticator({ origin: ORIGIN })
  await added(browser, device)
  const { browser: other, answer } = await signInWith(device)
  expect(answer.body.next).toBe('/admin')
  expect(await other.role()).toBe('admin')
  // The password alone cannot set up an authenticator to bypass the passkey.
  const thief = createBrowser(app)
  await thief.post('/auth/login', { email, password: PASSWORD })
  expect(await thief.post('/auth/factors', { current_password: PASSWORD })).toMatchObject({
    status: 403,
    body: { code: 'use_passkey' },
  })
})

test('a device without user verification is refused, on registration and on use', async () => {
  const { browser } = await signedIn()
  expect((await added(browser, createAuthenticator({ origin: ORIGIN, verifiesUser: false }))).body.code).toBe(
    'passkey_unlocked',
  )
  expect((await browser.get('/auth/factors')).body.passkeys).toEqual([])
  const device = createAuthenticator({ origin: ORIGIN })
  await added(browser, device)
  device.verifiesUser = false
  const { browser: other, answer } = await signInWith(device)
  expect(answer.body.code).toBe('passkey_unlocked')
  expect(await other.role()).toBeNull()
})

test('a response for another site, from another device, or used twice signs nobody in', async () => {
  const { browser } = await signedIn()
  const device = createAuthenticator({ origin: ORIGIN })
  await added(browser, device)
  const elsewhere = createAuthenticator({ origin: 'https://evil.example' })
  expect((await added(browser, elsewhere)).status).toBe(400)
  expect((await signInWith(createAuthenticator({ origin: ORIGIN }))).answer.body.code).toBe('unknown_passkey')
  const caller = createBrowser(app)
  const options = optionsOf(await caller.post('/auth/passkeys/options'))
  const response = device.get(options)
  const cookies = new Map(caller.cookies)
  expect((await caller.post('/auth/passkeys/sign-in', { response })).status).toBe(200)
  const again = createBrowser(app)
  for (const [name, value] of cookies) again.cookies.set(name, value)
  expect((await again.post('/auth/passkeys/sign-in', { response })).status).toBe(400)
  expect(await again.role()).toBeNull()
})

test.each([{}, { id: 7 }, { id: 'x', response: {} }, { id: 'x', response: null, type: 'public-key' }])(
  'a malformed response is refused: %o',
  async (response) => {
    const { browser } = await signedIn()
    await browser.post('/auth/passkeys/options')
    const used = await browser.post('/auth/passkeys/sign-in', { response })
    expect([400, 401, 422]).toContain(used.status)
    await browser.post('/auth/passkeys/new', {})
    const registration = await browser.post('/auth/passkeys', { response })
    expect([400, 401, 422]).toContain(registration.status)
  },
)

test('only the owner removes a passkey, and not while it is the last method', async () => {
  const { browser, email } = await signedIn()
  const { body } = await added(browser, createAuthenticator({ origin: ORIGIN }))
  const { browser: stranger } = await signedIn()
  expect((await stranger.delete(`/auth/passkeys/${body.id}`)).status).toBe(404)
  const { body: list } = await browser.get('/auth/identities')
  const [password] = list.identities as { id: string }[]
  expect((await browser.delete(`/auth/identities/${password!.id}`)).status).toBe(200)
  expect(await browser.delete(`/auth/passkeys/${body.id}`)).toMatchObject({ status: 409, body: { code: 'last_way' } })
  await browser.put('/auth/user', { password: 'eleven quiet rivers' })
  expect((await browser.delete(`/auth/passkeys/${body.id}`)).status).toBe(200)
  expect((await browser.post('/auth/login', { email, password: 'eleven quiet rivers' })).status).toBe(200)
})

test('a client with a bearer token adds a passkey as well', async () => {
  const { email } = await signedIn()
  const granted = await createBrowser(app).post('/auth/token', { grant_type: 'password', email, password: PASSWORD })
  const program = createBrowser(app, String(granted.body.access_token))
  expect((await added(program, createAuthenticator({ origin: ORIGIN }))).status).toBe(200)
})
