import { afterAll, beforeEach, expect, test } from 'vitest'
import { accountApp, accountOf, ageAccount, type Browser, createBrowser, messagesTo } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { openIdPeer } from '#server/testing/openid.ts'
import { createAccount } from './create-account.ts'

const database = await testDatabase()
const google = await openIdPeer({ redirectUri: 'http://portal.test/auth/callback' })
afterAll(() => google.close())
const app = await accountApp(database, { google })

let made = 0
beforeEach(() => {
  made += 1
  google.intercept = () => false
  google.user = {
    sub: `google-${made}`,
    email: `Person-${made}@Example.org`,
    email_verified: true,
    given_name: 'Ana María',
    family_name: 'de la Cruz',
    name: 'Ana María de la Cruz',
  }
})
const email = () => google.user!.email!.toLowerCase()

const pathOf = (address: string) => address.replace('http://portal.test', '')

/** Goes to Google and back; returns where the portal then redirects the browser. */
async function signIn(browser: Browser, query = '', change: (callback: string) => string = (callback) => callback) {
  const away = await browser.visit(`/auth/google${query}`, { headers: { 'sec-fetch-site': 'same-origin' } })
  const callback = await google.visit(away.headers.get('location')!)
  const back = await browser.visit(pathOf(change(callback)))
  expect(back.status).toBe(303)
  return back.headers.get('location')
}

test('the redirect to Google requests a code with PKCE, offline access and account selection', async () => {
  const { body } = await createBrowser(app).post('/auth/google/start', {})
  const query = new URL(String(body.url)).searchParams
  expect(Object.fromEntries(query)).toMatchObject({
    response_type: 'code',
    redirect_uri: 'http://portal.test/auth/callback',
    code_challenge_method: 'S256',
    access_type: 'offline',
    prompt: 'consent select_account',
    scope: 'openid email profile',
  })
  for (const name of ['state', 'nonce', 'code_challenge']) expect(query.get(name)!.length).toBeGreaterThan(30)
})

test('the state cookie is out of reach for scripts, other sites and other hosts', async () => {
  const secure = await accountApp(database, { google, publicUrl: 'https://portal.example' })
  const { headers } = await createBrowser(secure).post('/auth/google/start', {})
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-mfa\.away=[\w-]{32}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ])
})

test('a first-time user becomes a traveler with user record and profile, and is the same user next time', async () => {
  const browser = createBrowser(app)
  expect(await signIn(browser, '?returnTo=/travel-advisories?page=2')).toBe('/travel-advisories?page=2')
  expect(await browser.role()).toBe('traveler')
  const account = await accountOf(database, email())
  expect(account).toMatchObject({
    profile: {
      display_name: 'Ana María de la Cruz',
      auth_provider: 'google',
      registration_method: 'google_oauth',
      profile_status: 'pending',
      email_verified: true,
    },
    person: { first_name: 'Ana María', last_name: 'de la Cruz' },
    signInMethods: [{ provider_id: 'google', access_token: null, refresh_token: null, id_token: null }],
  })
  // The address may change at Google; the user stays the same.
  google.user = { ...google.user!, email: 'new-address@example.org' }
  const again = createBrowser(app)
  expect(await signIn(again)).toBe('/dashboard')
  const { body } = await again.get('/auth/user')
  expect(body.user).toMatchObject({ id: account!.profile.id })
})

test('two concurrent first sign-ins create one account', async () => {
  const browsers = [createBrowser(app), createBrowser(app), createBrowser(app)]
  const callbacks: string[] = []
  for (const browser of browsers) {
    const away = await browser.visit('/auth/google')
    callbacks.push(pathOf(await google.visit(away.headers.get('location')!)))
  }
  const backs = await Promise.all(browsers.map((browser, at) => browser.visit(callbacks[at]!)))
  expect(backs.map((back) => back.headers.get('location'))).toEqual(['/dashboard', '/dashboard', '/dashboard'])
  const { signInMethods } = (await accountOf(database, email()))!
  expect(signInMethods).toHaveLength(1)
})

test.each([
  'returnTo=//evil.example',
  'returnTo=/\\evil.example',
  'returnTo=https://evil.example',
  'returnTo=javascript:alert(1)',
])('the sign-in never redirects to another site: %s', async (query) => {
  expect(await signIn(createBrowser(app), `?${query}`)).toBe('/dashboard')
})

test('an address confirmed on both sides links to the existing account', async () => {
  await createAccount(database, { email: email(), first_name: 'Ana', last_name: 'Cruz', role: 'member' })
  const browser = createBrowser(app)
  expect(await signIn(browser)).toBe('/dashboard')
  expect(await browser.role()).toBe('member')
  // Google was linked to an existing account: its owner is notified.
  expect((await messagesTo(database, email())).map(({ template }) => template)).toContain('sign-in-changed')
  expect((await browser.get('/account/sign-in-changes')).body.changes).toMatchObject([{ kind: 'google_linked' }])
})

test('a Google link made today on an account of last month does not make a session fresh', async () => {
  await createAccount(database, { email: email(), first_name: 'Ana', last_name: 'Cruz', role: 'member' })
  await ageAccount(database, email())
  const browser = createBrowser(app)
  await signIn(browser)
  expect(await browser.get('/account/export')).toMatchObject({ status: 403, body: { code: 'older_method' } })
  await ageAccount(database, email())
  await signIn(browser)
  expect((await browser.get('/account/export')).status).toBe(200)
})

test('an account with an unconfirmed address is not linked', async () => {
  await createAccount(database, { email: email(), first_name: 'Somebody', last_name: 'Else', role: 'admin' })
  await database.requests.kysely
    .updateTable('auth_users')
    .set({ email_verified: false })
    .where('email', '=', email())
    .execute()
  const browser = createBrowser(app)
  expect(await signIn(browser)).toBe('/login?error=google&reason=email_taken')
  expect(await browser.role()).toBeNull()
})

test('an address that Google has not confirmed creates and opens no account', async () => {
  google.user = { ...google.user!, email_verified: false }
  const browser = createBrowser(app)
  expect(await signIn(browser)).toBe('/login?error=google&reason=google_email')
  expect(await browser.role()).toBeNull()
  expect(await accountOf(database, email())).toBeUndefined()
})

test('a user who declines at Google gets an error and stays signed out', async () => {
  google.user = null
  const browser = createBrowser(app)
  expect(await signIn(browser)).toBe('/login?error=google&reason=google_refused')
  expect(await browser.role()).toBeNull()
})

const withParam = (name: string, value: string) => (callback: string) => {
  const url = new URL(callback)
  url.searchParams.set(name, value)
  return url.href
}

test.each([
  ['another state', withParam('state', 'made-up'), 'google_callback'],
  ['another code', withParam('code', 'made-up'), 'google_processing'],
  ['another issuer', withParam('iss', 'https://evil.example'), 'google_processing'],
])('a callback with %s starts no session', async (_what, change, reason) => {
  const browser = createBrowser(app)
  expect(await signIn(browser, '', change)).toBe(`/login?error=google&reason=${reason}`)
  expect(await browser.role()).toBeNull()
})

test('a callback works once, and only in the browser that started it', async () => {
  const browser = createBrowser(app)
  const away = await browser.visit('/auth/google')
  const callback = pathOf(await google.visit(away.headers.get('location')!))
  const other = await createBrowser(app).visit(callback)
  expect(other.headers.get('location')).toBe('/login?error=google&reason=google_callback')
  expect((await browser.visit(callback)).headers.get('location')).toBe('/dashboard')
  expect((await browser.visit(callback)).headers.get('location')).toBe('/login?error=google&reason=google_callback')
})

test('the code of one sign-in is worthless in another of the same browser', async () => {
  const browser = createBrowser(app)
  const callbacks: URL[] = []
  for (let at = 0; at < 2; at++) {
    const away = await browser.visit('/auth/google')
    callbacks.push(new URL(await google.visit(away.headers.get('location')!)))
  }
  callbacks[0]!.searchParams.set('code', callbacks[1]!.searchParams.get('code')!)
  const back = await browser.visit(pathOf(callbacks[0]!.href))
  expect(back.headers.get('location')).toBe('/login?error=google&reason=google_processing')
})

test.each([
  ['fails', (path: string) => path === '/token'],
  ['hides its keys', (path: string) => path === '/jwks'],
])('a Google that %s on the callback starts no session', async (_what, matches) => {
  // A new portal instance: keys are cached for as long as they are known.
  const fresh = await accountApp(database, { google })
  const browser = createBrowser(fresh)
  const away = await browser.visit('/auth/google')
  const callback = await google.visit(away.headers.get('location')!)
  google.intercept = (request, response) => {
    if (!matches(request.url ?? '')) return false
    response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Error</h1>')
    return true
  }
  const back = await browser.visit(pathOf(callback))
  expect(back.headers.get('location')).toBe('/login?error=google&reason=google_processing')
  expect(await browser.role()).toBeNull()
})

test('a Google that is down at start-up is used once it is up', async () => {
  const gone = await openIdPeer({ redirectUri: 'http://portal.test/auth/callback' })
  const port = Number(new URL(gone.issuer).port)
  await gone.close()
  const late = await accountApp(database, { google: gone })
  const browser = createBrowser(late)
  const away = await browser.visit('/auth/google')
  expect(away.headers.get('location')).toBe('/login?error=google&reason=google_start')
  expect(await browser.post('/auth/google/start', {})).toMatchObject({
    status: 503,
    body: { error: 'Google OAuth initialization failed' },
  })
  const up = await openIdPeer({ redirectUri: 'http://portal.test/auth/callback', port })
  up.user = google.user
  const later = await browser.visit('/auth/google')
  const callback = await up.visit(later.headers.get('location')!)
  expect((await browser.visit(pathOf(callback))).headers.get('location')).toBe('/dashboard')
  await up.close()
})

test('an unreadable profile signs nobody in, and never grants more than traveler', async () => {
  const browser = createBrowser(app)
  await signIn(browser)
  await browser.post('/auth/logout', {})
  // The profile is gone: there is no role to derive.
  await database.requests.kysely
    .updateTable('user_profiles')
    .set({ auth_user_id: null })
    .where('email', '=', email())
    .execute()
  expect(await signIn(browser)).toBe('/login?error=google&reason=no_profile')
  expect(await browser.role()).toBeNull()
  expect([...browser.cookies.keys()]).not.toContain('mfa.session_token')
})

test('a suspended user cannot sign in by Google either', async () => {
  const browser = createBrowser(app)
  await signIn(browser)
  await database.requests.kysely
    .updateTable('user_profiles')
    .set({ profile_status: 'suspended' })
    .where('email', '=', email())
    .execute()
  expect(await browser.role()).toBeNull()
  expect(await signIn(browser)).toBe('/login?error=google&reason=suspended')
})

test("Google can be linked to one's own account, and not to another's", async () => {
  const mine = createBrowser(app)
  await signIn(mine)
  const owner = email()
  google.user = { sub: `second-${made}`, email: 'another@example.net', email_verified: true, name: 'Ana' }
  expect(await signIn(mine, '?link=1&returnTo=/dashboard/profile')).toBe('/dashboard/profile')
  expect((await accountOf(database, owner))!.signInMethods).toHaveLength(2)
  // The linked identity opens the same account.
  const again = createBrowser(app)
  await signIn(again)
  expect((await again.get('/auth/user')).body.user).toMatchObject({ email: owner })
  // An identity linked to one account cannot be linked to another.
  const other = createBrowser(app)
  google.user = { sub: `third-${made}`, email: `third-${made}@example.org`, email_verified: true, name: 'Berto' }
  await signIn(other)
  google.user = { ...google.user, sub: `second-${made}` }
  expect(await signIn(other, '?link=1')).toBe('/login?error=google&reason=identity_taken')
  // Linking needs a session, and not a page of another site.
  expect((await createBrowser(app).post('/auth/google/start', { link: true })).status).toBe(401)
})
