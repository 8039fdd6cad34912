import { beforeEach, expect, test } from 'vitest'
import {
  accountApp,
  accountOf,
  createBrowser,
  lastMessage,
  messagesTo,
  PASSWORD,
  tokenIn,
} from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createAccount } from './create-account.ts'

const database = await testDatabase()
const app = await accountApp(database)

let made = 0
let email = ''
beforeEach(async () => {
  made += 1
  email = `person-${made}@example.org`
  await database.requests.kysely.deleteFrom('rate_limits').execute()
})

const form = (more: object = {}) => ({
  first_name: 'Ana',
  last_name: 'de la Cruz',
  email,
  password: PASSWORD,
  country_code: 'PH',
  accept_terms: true,
  ...more,
})

test('a new user confirms the address and is signed in, as a traveler', async () => {
  const browser = createBrowser(app)
  expect((await browser.post('/auth/signup', form())).status).toBe(202)
  const unconfirmed = await browser.post('/auth/login', { email, password: PASSWORD })
  expect([unconfirmed.status, unconfirmed.body.code]).toEqual([403, 'email_not_verified'])
  const token = tokenIn(await lastMessage(database, email, 'verify-email'))
  const verified = await browser.post('/auth/verify', { type: 'signup', token })
  expect(verified).toMatchObject({ status: 200, body: { next: '/dashboard' } })
  expect((await browser.get('/auth/user')).body).toMatchObject({
    user: { email, role: 'traveler', email_verified: true, profile_status: 'pending' },
  })
  const again = await createBrowser(app).post('/auth/login', {
    email: email.toUpperCase(),
    password: PASSWORD,
    returnTo: '/travel-advisories?page=2',
  })
  expect(again).toMatchObject({ status: 200, body: { next: '/travel-advisories?page=2' } })
})

test.each([
  ['Asia/Riyadh', 'Asia/Riyadh'],
  ['asia/riyadh', 'Asia/Riyadh'],
  // Browsers that hide their location, invalid values, and no script: the country is used later.
  ['UTC', null],
  ['Etc/UTC', null],
  ['Mars/Olympus', null],
  ['+03:00', null],
  [undefined, null],
])('a browser that says %s gives a new profile the time zone %s', async (time_zone, expected) => {
  expect((await createBrowser(app).post('/auth/signup', form(time_zone ? { time_zone } : {}))).status).toBe(202)
  const profile = await database.requests.kysely
    .selectFrom('user_profiles')
    .select(['time_zone', 'country_code'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  expect(profile).toEqual({ time_zone: expected, country_code: 'PH' })
})

test('the session cookie is out of reach for scripts and for other sites', async () => {
  await createAccount(database, { ...form(), role: 'traveler' } as never)
  const { headers } = await createBrowser(app).post('/auth/login', { email, password: PASSWORD })
  const cookie = headers.getSetCookie().find((line) => line.startsWith('mfa.session_token='))!
  expect(cookie).toMatch(/; HttpOnly/)
  expect(cookie).toMatch(/; SameSite=Lax/)
  expect(cookie).toMatch(/; Path=\//)
})

test('over TLS its name ensures that it is never sent in the clear', async () => {
  await createAccount(database, { ...form(), role: 'traveler' } as never)
  const secure = createBrowser(await accountApp(database, { publicUrl: 'https://portal.example' }))
  const { headers } = await secure.post('/auth/login', { email, password: PASSWORD })
  expect(headers.getSetCookie().join()).toMatch(/^__Host-mfa\.session_token=.*; Path=\/; HttpOnly; Secure/)
  expect(await secure.role()).toBe('traveler')
  expect((await secure.post('/auth/refresh')).status).toBe(200)
  expect(await secure.role()).toBe('traveler')
  const { headers: out } = await secure.post('/auth/logout', {})
  expect(out.getSetCookie().join()).toMatch(/^__Host-mfa\.session_token=; Max-Age=0/)
})

test('a used link says so and does not sign in again', async () => {
  const browser = createBrowser(app)
  await browser.post('/auth/signup', form())
  const token = tokenIn(await lastMessage(database, email, 'verify-email'))
  await browser.post('/auth/verify', { type: 'signup', token })
  const second = createBrowser(app)
  expect(await second.post('/auth/verify', { type: 'signup', token })).toMatchObject({
    status: 400,
    body: { error: 'This link has already been used. Please sign in.' },
  })
  expect(await second.role()).toBeNull()
})

test.each([
  { type: 'signup', token: 'made-up' },
  { type: 'signup', token: 'change-made-up' },
  { type: 'magiclink', token: 'made-up' },
  { type: 'email', email: 'nobody@example.org', code: '123456' },
])('a token that was never sent does nothing: %o', async (body) => {
  const { status } = await createBrowser(app).post('/auth/verify', body)
  expect([400, 401]).toContain(status)
})

test('a sign-in link works once', async () => {
  await createAccount(database, { ...form(), role: 'traveler' } as never)
  const browser = createBrowser(app)
  await browser.post('/auth/otp', { email, kind: 'link' })
  const token = tokenIn(await lastMessage(database, email, 'sign-in-link'))
  expect((await browser.post('/auth/verify', { type: 'magiclink', token })).status).toBe(200)
  expect(await createBrowser(app).post('/auth/verify', { type: 'magiclink', token })).toMatchObject({
    status: 400,
    body: { error: 'This link is no longer valid. Request a new one.' },
  })
})

test('five concurrent sign-ups with one address create one account and get the same response', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => createBrowser(app).post('/auth/signup', form())))
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
  expect(answers[0]!.status).toBe(202)
  const { rows } = await database.requests.pool.query(
    `select (select count(*) from auth_users where email = $1) as users, (select count(*) from user_profiles where email = $1) as profiles,
      (select count(*) from persons where email = $1) as persons`,
    [email],
  )
  expect(rows).toEqual([{ users: 1, profiles: 1, persons: 1 }])
})

test.each(['signup', 'recover', 'resend', 'otp code', 'otp link'])(
  '%s does not reveal whether an address has an account',
  async (what) => {
    const known = `known-${email}`
    const unconfirmed = `unconfirmed-${email}`
    await createAccount(database, { ...form(), email: known, role: 'traveler' } as never)
    await createBrowser(app).post('/auth/signup', form({ email: unconfirmed }))
    const ask = (to: string) => {
      const browser = createBrowser(app)
      if (what === 'signup') return browser.post('/auth/signup', form({ email: to }))
      const [path, kind] = what.split(' ')
      return browser.post(`/auth/${path}`, { email: to, ...(kind ? { kind } : {}) })
    }
    const answers = [await ask(known), await ask(unconfirmed), await ask(`unknown-${email}`)]
    for (const { status, body } of answers) expect([status, body]).toEqual([202, answers[0]!.body])
    for (const { headers } of answers) expect(headers.getSetCookie()).toEqual([])
  },
)

test('a sign-up with a registered address creates no second account, and its owner is notified', async () => {
  await createAccount(database, { ...form(), role: 'member', password: 'eleven quiet rivers' } as never)
  await createBrowser(app).post('/auth/signup', form({ first_name: 'Somebody', last_name: 'Else' }))
  await lastMessage(database, email, 'already-registered')
  expect((await accountOf(database, email))!.profile).toMatchObject({ display_name: 'Ana de la Cruz', role: 'member' })
  expect((await createBrowser(app).post('/auth/login', { email, password: PASSWORD })).status).toBe(401)
})

test.each([
  ['José', 'Ñúñez-García'],
  ['محمد', 'عبد الرحمن'],
  ['明', '王'],
  ['Nguyễn', 'Thị Ánh'],
  ['Ольга', 'Ким'],
  ['ทองดี', 'ศรีสุข'],
  ['आरती', 'शर्मा'],
  ["D'Angelo", 'O’Brien'],
  ['Ma. Teresa', 'Dela Cruz Jr.'],
])('a name in any script is stored as written: %s %s', async (first_name, last_name) => {
  expect((await createBrowser(app).post('/auth/signup', form({ first_name, last_name }))).status).toBe(202)
  expect(await accountOf(database, email)).toMatchObject({
    person: { first_name, last_name },
    profile: { display_name: `${first_name} ${last_name}` },
  })
})

test.each([
  { first_name: '<script>alert(1)</script>' },
  { first_name: 'https://evil.example' },
  { last_name: 'x'.repeat(101) },
  { first_name: '   ' },
  { email: 'nobody' },
  { email: 'a b@example.org' },
  { password: 'short' },
  { password: 'password123' },
  { password: 'AnadelaCruz1' },
  { country_code: 'Philippines' },
  { accept_terms: false },
])('invalid input is named, and nothing is written: %o', async (more) => {
  const { status, body } = await createBrowser(app).post('/auth/signup', form(more))
  expect(status).toBe(422)
  expect(Object.keys(body.fields as object)).toEqual(Object.keys(more))
  expect(await accountOf(database, email)).toBeUndefined()
})

test.each(['mfa-portal-2026', 'MCGI church 1980', 'Coordinator.123', 'brethren overseas'])(
  'a password made of words anyone here would try is refused: %s',
  async (password) => {
    const { status, body } = await createBrowser(app).post('/auth/signup', form({ password }))
    expect([status, body.fields]).toEqual([422, { password: 'Do not use the name of the portal or the church in it.' }])
  },
)

test('one of those words among others is no reason to refuse a password', async () => {
  const { status } = await createBrowser(app).post('/auth/signup', form({ password: 'church of seven lanterns' }))
  expect(status).toBe(202)
})

test('a password keeps every letter, space and case, and may be long', async () => {
  const password = `  Ünïcode Ωμέγα 世界 ${'lantern harbour '.repeat(4)}`
  await createAccount(database, { ...form(), password, role: 'traveler' } as never)
  const login = async (candidate: string) =>
    (await createBrowser(app).post('/auth/login', { email, password: candidate })).status
  expect([await login(password), await login(password.trim()), await login(password.toLowerCase())]).toEqual([
    200, 401, 401,
  ])
})

test('a forgotten password is reset by mail, once, which ends every session', async () => {
  await createAccount(database, { ...form(), role: 'traveler' } as never)
  const old = createBrowser(app)
  await old.post('/auth/login', { email, password: PASSWORD })
  const browser = createBrowser(app)
  await browser.post('/auth/recover', { email })
  const token = tokenIn(await lastMessage(database, email, 'reset-password'))
  expect((await browser.post('/auth/reset', { token, password: 'qwertyuiop' })).body.code).toBe('weak_password')
  expect((await browser.post('/auth/reset', { token, password: 'eleven quiet rivers' })).status).toBe(200)
  expect(await old.role()).toBeNull()
  expect((await browser.post('/auth/reset', { token, password: 'twelve quiet rivers' })).status).toBe(400)
  expect((await browser.post('/auth/login', { email, password: 'eleven quiet rivers' })).status).toBe(200)
  await lastMessage(database, email, 'sign-in-changed')
  expect((await messagesTo(database, email)).every(({ is_secret }) => is_secret)).toBe(true)
})

test("a password set with another's address is dropped once its owner signs up too", async () => {
  const [stranger, owner] = [createBrowser(app), createBrowser(app)]
  await stranger.post('/auth/signup', form({ password: 'the stranger knows this 1' }))
  const answer = await owner.post('/auth/signup', form({ password: 'the owner chose this one 2' }))
  expect(answer.status).toBe(202)
  const token = tokenIn(await lastMessage(database, email, 'verify-email'))
  expect((await owner.post('/auth/verify', { type: 'signup', token })).status).toBe(200)
  expect(await owner.role()).toBe('traveler')
  for (const password of ['the stranger knows this 1', 'the owner chose this one 2'])
    expect((await createBrowser(app).post('/auth/login', { email, password })).status).toBe(401)
})
