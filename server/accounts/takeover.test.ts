import { beforeEach, expect, test } from 'vitest'
import {
  accountApp,
  ageAccount,
  type Browser,
  createBrowser,
  createPasswordAccount,
  lastMessage,
  messagesTo,
  PASSWORD,
  tokenIn,
} from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'

const database = await testDatabase()
const SMS = { name: 'sms', url: 'https://sms.example', account: 'AC1', token: 'x', from: '+15005550006' }
const app = await accountApp(database, { providers: { sms: [SMS] } })
const run = (sql: string, values: unknown[] = []) => database.requests.pool.query(sql, values)

let made = 0
beforeEach(() => database.requests.kysely.deleteFrom('rate_limits').execute())

/** A user whose account is a month old, signed in just now. */
async function victim() {
  made += 1
  const email = `victim-${made}@example.org`
  await createPasswordAccount(database, { email })
  await ageAccount(database, email)
  const browser = createBrowser(app)
  await browser.post('/auth/login', { email, password: PASSWORD })
  return { browser, email, phone: `+63917555${String(3000 + made)}` }
}
const leaveOpen = () =>
  run(`update auth_sessions set created_at = now() - interval '1 hour', confirmed_at = null, second_factor_at = null`)
const codesTo = async (recipient: string) =>
  (await messagesTo(database, recipient))
    .filter(({ template }) => template === 'sign-in-code')
    .map(({ body_text }) => /\b\d{6}\b/.exec(body_text!)![0])
/** The code sent last, once `count` of them were. */
async function codeTo(recipient: string, count = 1): Promise<string> {
  await expect.poll(async () => (await codesTo(recipient)).length).toBe(count)
  return (await codesTo(recipient)).at(-1)!
}
async function addPhone(browser: Browser, phone: string) {
  await browser.put('/auth/phone', { phone })
  return browser.post('/auth/phone/confirm', { phone, code: await codeTo(phone) })
}
async function moveTo(browser: Browser, email: string) {
  await browser.put('/auth/email', { email })
  const token = tokenIn(await lastMessage(database, email, 'change-email'))
  return browser.post('/auth/verify', { type: 'signup', token })
}

/** Every endpoint that changes sign-in methods, or exports or erases all of a user's data. */
const GUARDED: [string, 'get' | 'post' | 'put' | 'delete', string, object?][] = [
  ['a phone number', 'put', '/auth/phone', { phone: '+639175559999' }],
  ['the code of a number', 'post', '/auth/phone/confirm', { phone: '+639175559999', code: '123456' }],
  ['a number removed', 'delete', '/auth/phone', {}],
  ['an address', 'put', '/auth/email', { email: 'thief@example.org' }],
  ['a passkey begun', 'post', '/auth/passkeys/new', {}],
  ['a passkey added', 'post', '/auth/passkeys', { response: {} }],
  ['a passkey removed', 'delete', '/auth/passkeys/00000000-0000-4000-8000-000000000000', {}],
  ['a link removed', 'delete', '/auth/identities/00000000-0000-4000-8000-000000000000', {}],
  ['Google', 'post', '/auth/google/start', { link: true }],
  ['an authenticator', 'post', '/auth/factors', {}],
  ['no authenticator', 'delete', '/auth/factors', {}],
  ['recovery codes', 'post', '/auth/factors/recovery-codes', {}],
  ['the own data', 'get', '/account/export'],
]

test.each(GUARDED)(
  'an unattended session changes nothing without the password: %s',
  async (_what, method, path, body) => {
    const { browser } = await victim()
    await leaveOpen()
    expect(await browser[method](path, body)).toMatchObject({ status: 403, body: { code: 'confirm_first' } })
    if (method === 'get') return
    const wrong = await browser[method](path, { ...body, current_password: 'a wrong password' })
    // Google is linked by a page, not by a call, so it takes no password.
    expect([422, 403]).toContain(wrong.status)
  },
)

test('erasing needs the password as well', async () => {
  const { browser, email } = await victim()
  await leaveOpen()
  expect((await browser.delete('/account', { email })).status).toBe(403)
})

/** Neither the export nor another method, which a thief would try next. */
async function expectShut(thief: Browser, email: string) {
  for (const [what, method, path, body] of GUARDED) {
    const { status, body: answer } = await thief[method](path, body)
    expect([what, status, answer.code]).toEqual([what, 403, expect.stringMatching(/^(older_method|confirm_first)$/)])
  }
  expect((await thief.delete('/account', { email })).status).toBe(403)
  expect((await thief.get('/account/confirm')).body).toMatchObject({ is_fresh: false })
}

test('takeover by phone: a number added today signs in but is not fresh', async () => {
  const { browser, phone, email } = await victim()
  expect((await addPhone(browser, phone)).status).toBe(200)
  const thief = createBrowser(app)
  await thief.post('/auth/otp', { phone })
  expect((await thief.post('/auth/verify', { type: 'sms', phone, code: await codeTo(phone, 2) })).status).toBe(200)
  await expectShut(thief, email)
  // The same session, once the number is older than a day and the session is not.
  await ageAccount(database, email)
  await thief.post('/auth/otp', { phone })
  await thief.post('/auth/verify', { type: 'sms', phone, code: await codeTo(phone, 3) })
  expect((await thief.get('/account/export')).status).toBe(200)
})

test('takeover by mail: an address taken over today is not fresh, nor is a password chosen through it', async () => {
  const { browser, email } = await victim()
  const next = `thief-${email}`
  expect((await moveTo(browser, next)).status).toBe(200)
  const byCode = createBrowser(app)
  await byCode.post('/auth/otp', { email: next })
  await byCode.post('/auth/verify', { type: 'email', email: next, code: await codeTo(next) })
  await expectShut(byCode, next)
  await byCode.post('/auth/recover', { email: next })
  const token = tokenIn(await lastMessage(database, next, 'reset-password'))
  const password = 'eleven quiet rivers'
  expect((await byCode.post('/auth/reset', { token, password })).status).toBe(200)
  const byPassword = createBrowser(app)
  await byPassword.post('/auth/login', { email: next, password })
  await expectShut(byPassword, next)
  expect(await byPassword.post('/account/confirm', { current_password: password })).toMatchObject({
    status: 403,
    body: { code: 'older_method' },
  })
})

test('a password set or changed today is not fresh; one chosen through an old address is', async () => {
  const { browser, email } = await victim()
  const password = 'eleven quiet rivers'
  expect((await browser.put('/auth/user', { current_password: PASSWORD, password })).status).toBe(200)
  await leaveOpen()
  const other = createBrowser(app)
  await other.post('/auth/login', { email, password })
  await expectShut(other, email)
  await other.post('/auth/recover', { email })
  const token = tokenIn(await lastMessage(database, email, 'reset-password'))
  await other.post('/auth/reset', { token, password: 'twelve silent harbours' })
  await other.post('/auth/login', { email, password: 'twelve silent harbours' })
  expect((await other.get('/account/export')).status).toBe(200)
})

test('recovery codes and an authenticator of today make no session fresh', async () => {
  const { browser, email } = await victim()
  await leaveOpen()
  await run(
    `insert into auth_two_factors (id, user_id, secret, backup_codes) select gen_random_uuid(), id, 'x', '[]' from auth_users where email = $1`,
    [email],
  )
  await run(`update auth_users set two_factor_enabled = true where email = $1`, [email])
  await run(`update auth_sessions set second_factor_at = now()`)
  expect((await browser.get('/account/export')).status).toBe(403)
  await run(`update auth_two_factors set since = now() - interval '2 days'`)
  expect((await browser.get('/account/export')).status).toBe(200)
})

test.each([
  ['google', `(select gen_random_uuid(), id, 'google', 'g-' || email from auth_users where email = $1)`],
  ['mcgi-hub', `(select gen_random_uuid(), id, 'mcgi-hub', 'h-' || email from auth_users where email = $1)`],
])('a session by %s, linked today, is not fresh', async (method, values) => {
  const { browser, email } = await victim()
  await run(`insert into auth_accounts (id, user_id, provider_id, account_id) ${values}`, [email])
  await run(
    `update auth_sessions s set sign_in_method = $1, method_since = (select max(since) from auth_accounts a
    where a.user_id = s.user_id and a.provider_id = $1)`,
    [method],
  )
  expect((await browser.get('/account/export')).status).toBe(403)
})

test('on the first day of an account its only methods count', async () => {
  made += 1
  const email = `new-${made}@example.org`
  await createPasswordAccount(database, { email })
  const browser = createBrowser(app)
  await browser.post('/auth/login', { email, password: PASSWORD })
  expect((await browser.get('/account/export')).status).toBe(200)
})
