import { beforeEach, expect, test } from 'vitest'
import {
  accountApp,
  accountOf,
  type Browser,
  createBrowser,
  createPasswordAccount,
  lastMessage,
  messagesTo,
  PASSWORD,
  tokenIn,
} from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createAccount } from './create-account.ts'

const database = await testDatabase()
const SMS = { name: 'sms', url: 'https://sms.example', account: 'AC1', token: 'x', from: '+15005550006' }
const app = await accountApp(database, { providers: { sms: [SMS] } })

let made = 0
beforeEach(() => database.requests.kysely.deleteFrom('rate_limits').execute())

async function signedIn() {
  made += 1
  const email = `person-${made}@example.org`
  await createPasswordAccount(database, { email, preferred_language: 'ar' })
  const browser = createBrowser(app)
  await browser.post('/auth/login', { email, password: PASSWORD })
  return { browser, email }
}

const verifyEmail = async (browser: Browser, to: string) =>
  browser.post('/auth/verify', { type: 'signup', token: tokenIn(await lastMessage(database, to, 'change-email')) })

test('a new address takes effect once its link is opened, and the old address is notified', async () => {
  const { browser, email } = await signedIn()
  const next = `new-${email}`
  expect((await browser.put('/auth/email', { email: next })).status).toBe(202)
  const [mail] = await messagesTo(database, next)
  expect(mail).toMatchObject({ template: 'change-email', language: 'ar', is_secret: true })
  expect((await browser.get('/auth/user')).body.user).toMatchObject({ email })
  expect((await verifyEmail(browser, next)).status).toBe(200)
  expect((await browser.get('/auth/user')).body.user).toMatchObject({ email: next, email_verified: true })
  expect((await messagesTo(database, email)).map(({ template }) => template)).toEqual(['sign-in-changed'])
  expect((await messagesTo(database, next)).map(({ template }) => template)).toEqual(['change-email', 'email-changed'])
  expect((await createBrowser(app).post('/auth/login', { email: next, password: PASSWORD })).status).toBe(200)
  expect((await createBrowser(app).post('/auth/login', { email, password: PASSWORD })).status).toBe(401)
  // Single use.
  expect((await verifyEmail(browser, next)).status).toBe(400)
})

test('a link mailed to the wrong recipient does not work for them', async () => {
  const { browser, email } = await signedIn()
  const { browser: stranger } = await signedIn()
  const next = `slip-${email}`
  await browser.put('/auth/email', { email: next })
  expect(await verifyEmail(createBrowser(app), next)).toMatchObject({
    status: 401,
    body: { error: 'Please sign in, then open the link in the email again.' },
  })
  expect((await verifyEmail(stranger, next)).status).toBe(401)
  expect((await verifyEmail(browser, next)).status).toBe(200)
})

test('requesting an address that another account has gets the same response and changes nothing', async () => {
  const { browser, email } = await signedIn()
  const { email: taken } = await signedIn()
  const free = await browser.put('/auth/email', { email: `free-${email}` })
  const other = await browser.put('/auth/email', { email: taken })
  expect([other.status, other.body]).toEqual([free.status, free.body])
  expect((await messagesTo(database, taken)).map(({ template }) => template)).toEqual(['already-registered'])
})

test('an address that another account took in the meantime stays with that account', async () => {
  const { browser, email } = await signedIn()
  const next = `wanted-${email}`
  await browser.put('/auth/email', { email: next })
  await createAccount(database, { email: next, first_name: 'Quick', last_name: 'One', role: 'traveler' })
  expect((await verifyEmail(browser, next)).status).toBe(409)
  expect((await accountOf(database, next))!.profile.display_name).toBe('Quick One')
})

test('an old session needs the password for it', async () => {
  const { browser, email } = await signedIn()
  await database.requests.pool.query(`update auth_sessions set created_at = now() - interval '1 hour'`)
  expect((await browser.put('/auth/email', { email: `late-${email}` })).status).toBe(403)
  const wrong = await browser.put('/auth/email', { email: `late-${email}`, current_password: 'wrong' })
  expect(wrong).toMatchObject({ status: 422, body: { fields: { current_password: expect.any(String) } } })
  const right = await browser.put('/auth/email', { email: `late-${email}`, current_password: PASSWORD })
  expect(right.status).toBe(202)
})

test('a phone number takes effect once its code is confirmed, and then signs in', async () => {
  const { browser, email } = await signedIn()
  const phone = `+63 917 555 ${1000 + made}`
  const number = phone.replaceAll(' ', '')
  expect((await browser.put('/auth/phone', { phone })).status).toBe(202)
  const code = /\b\d{6}\b/.exec(await lastMessage(database, number, 'sign-in-code'))![0]
  const wrong = code === '111111' ? '222222' : '111111'
  expect((await browser.post('/auth/phone/confirm', { phone, code: wrong })).body.code).toBe('invalid_code')
  expect((await browser.post('/auth/phone/confirm', { phone, code })).body).toMatchObject({ phone: number })
  expect((await accountOf(database, email))!.profile).toMatchObject({ phone_number: number, phone_verified: true })
  expect((await createBrowser(app).post('/auth/login', { phone, password: PASSWORD })).status).toBe(200)
  // One account's number does not work for another.
  const { browser: other } = await signedIn()
  await other.put('/auth/phone', { phone })
  await expect.poll(async () => (await messagesTo(database, number)).length).toBe(2)
  const second = /\b\d{6}\b/.exec((await messagesTo(database, number)).at(-1)!.body_text!)![0]
  expect(await other.post('/auth/phone/confirm', { phone, code: second })).toMatchObject({
    status: 409,
    body: { code: 'phone_taken' },
  })
})

test.each([{ phone: '+63 917 555 0000', role: 'admin' }, { phone: '0917 555 0000' }, { phone: '+1 000' }])(
  'an impossible number, or extra fields, are refused: %o',
  async (body) => {
    const { browser } = await signedIn()
    expect((await browser.put('/auth/phone', body)).status).toBe(422)
  },
)

test('of two sign-in methods removed at the same moment, one stays', async () => {
  const { browser, email } = await signedIn()
  const { rows } = await database.requests.pool.query(
    `insert into auth_accounts (id, user_id, provider_id, account_id)
     select gen_random_uuid(), id, 'google', 'two-' || email from auth_users where email = $1 returning id`,
    [email],
  )
  const { body } = await browser.get('/auth/identities')
  const list = body.identities as { id: string; provider: string }[]
  expect(list.map(({ provider }) => provider)).toEqual(['supabase', 'google'])
  const both = await Promise.all(list.map(({ id }) => browser.delete(`/auth/identities/${id}`)))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const { browser: stranger } = await signedIn()
  expect((await stranger.delete(`/auth/identities/${rows[0].id}`)).status).toBe(404)
})

test.each([
  ['an SMS provider, without sample content', { providers: { sms: [SMS] } }, true],
  ['codes that the own outbox shows', { hasSampleContent: true, hasOpenOutbox: true }, true],
  ['sample content on a machine that others reach', { hasSampleContent: true, hasOpenOutbox: false }, false],
  ['no provider', {}, false],
] as const)('phone codes depend on the SMS provider: %s', async (_, options, isOffered) => {
  const portal = await accountApp(database, {
    ...options,
    providers: { sms: [], ...('providers' in options ? { sms: [SMS] } : {}) },
  })
  const browser = createBrowser(portal)
  expect((await browser.get('/auth/providers')).body).toMatchObject({ phone: isOffered })
  const response = await browser.post('/auth/otp', { phone: '+63 917 555 7777' })
  if (isOffered) expect(response.status).toBeLessThan(300)
  else
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'phone_unavailable', error: expect.stringContaining('Text messages are not available') },
    })
})

test('a suppressed number receives messages again once its owner, and nobody else, confirms it', async () => {
  const { browser } = await signedIn()
  const phone = `+639175552${100 + made}`
  const stop = () =>
    database.requests.pool.query(
      `insert into suppressions (channel, address, reason) values ('sms', $1, 'invalid'), ('whatsapp', $1, 'opted_out')`,
      [phone],
    )
  const suppressions = async () =>
    (await database.requests.pool.query('select channel from suppressions where address = $1', [phone])).rows
  await stop()
  await browser.put('/auth/phone', { phone })
  const code = /\b\d{6}\b/.exec(await lastMessage(database, phone, 'sign-in-code'))![0]
  const { browser: stranger } = await signedIn()
  expect(
    (await stranger.post('/auth/phone/confirm', { phone, code: code === '111111' ? '222222' : '111111' })).status,
  ).toBe(400)
  expect(await suppressions()).toHaveLength(2)
  expect((await browser.post('/auth/phone/confirm', { phone, code })).status).toBe(200)
  expect(await suppressions()).toEqual([])
  // The same number again, after it was suppressed again.
  await stop()
  await browser.put('/auth/phone', { phone })
  await expect.poll(async () => (await messagesTo(database, phone)).length).toBe(2)
  const second = /\b\d{6}\b/.exec((await messagesTo(database, phone)).at(-1)!.body_text!)![0]
  expect((await browser.post('/auth/phone/confirm', { phone, code: second })).status).toBe(200)
  expect(await suppressions()).toEqual([])
})
