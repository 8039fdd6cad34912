import { createHash, randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { accountApp, createBrowser, createPasswordAccount, PASSWORD } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import type { Role } from '#shared/roles.ts'

const database = await testDatabase()
const rules = { needsSecondStep: false }
const app = await accountApp(database, {}, rules)
const { kysely } = database.requests

beforeEach(async () => {
  rules.needsSecondStep = false
  await kysely.deleteFrom('rate_limits').execute()
})

let made = 0
async function signedIn(role: Role = 'traveler') {
  made += 1
  const email = `person-${made}@example.org`
  const id = await createPasswordAccount(database, { email, role })
  const browser = createBrowser(app)
  await browser.post('/auth/login', { email, password: PASSWORD })
  return { browser, id }
}

const REDIRECT = 'http://127.0.0.1:8123/callback'
/** A program's secret, and what it shows of it when it starts. */
function newVerifier() {
  const code_verifier = randomBytes(32).toString('base64url')
  return { code_verifier, code_challenge: createHash('sha256').update(code_verifier).digest('base64url') }
}
const program = createBrowser(app)
const redeem = (auth_code: unknown, code_verifier: unknown) =>
  program.post('/auth/token', { grant_type: 'pkce', auth_code, code_verifier })
const roleWith = (token: unknown) => createBrowser(app, { bearer: String(token) }).role()

test('a program signs in with the code from the browser and its own verifier', async () => {
  const { browser } = await signedIn('mfa_coordinator')
  const { code_verifier, code_challenge } = newVerifier()
  const request = { code_challenge, code_challenge_method: 'S256', redirect_uri: `${REDIRECT}?a=1`, state: 'xyz & ü' }
  const { status, body } = await browser.post('/auth/authorize', request)
  expect([status, body.expires_in]).toEqual([200, 120])
  const redirect = new URL(String(body.redirect_to))
  expect(redirect.origin + redirect.pathname).toBe('http://127.0.0.1:8123/callback')
  expect(Object.fromEntries(redirect.searchParams)).toEqual({ a: '1', code: body.auth_code, state: 'xyz & ü' })

  const granted = await redeem(body.auth_code, code_verifier)
  expect(granted).toMatchObject({ status: 200, body: { token_type: 'bearer', user: { role: 'mfa_coordinator' } } })
  expect(await roleWith(granted.body.access_token)).toBe('mfa_coordinator')
  const renewed = await program.post('/auth/token', {
    grant_type: 'refresh_token',
    refresh_token: granted.body.refresh_token,
  })
  expect(await roleWith(renewed.body.access_token)).toBe('mfa_coordinator')
  // Listed among the user's sessions, who ends it there.
  const { sessions } = (await browser.get('/auth/sessions')).body as { sessions: { id: string; is_current: boolean }[] }
  expect(sessions).toHaveLength(2)
  await browser.delete(`/auth/sessions/${sessions.find(({ is_current }) => !is_current)!.id}`)
  expect(await roleWith(renewed.body.access_token)).toBeNull()
  expect(await browser.role()).toBe('mfa_coordinator')
})

test('another verifier is refused and voids the code, which then helps nobody', async () => {
  const { browser } = await signedIn()
  const { code_verifier, code_challenge } = newVerifier()
  const { body } = await browser.post('/auth/authorize', { code_challenge, redirect_uri: REDIRECT })
  for (const verifier of [newVerifier().code_verifier, code_verifier])
    expect(await redeem(body.auth_code, verifier)).toMatchObject({ status: 400, body: { code: 'invalid_grant' } })
  expect((await browser.get('/auth/sessions')).body.sessions).toHaveLength(1)
})

test('a code counts once, also for two at the same instant', async () => {
  const { browser } = await signedIn()
  const { code_verifier, code_challenge } = newVerifier()
  const { body } = await browser.post('/auth/authorize', { code_challenge, redirect_uri: REDIRECT })
  const both = await Promise.all([redeem(body.auth_code, code_verifier), redeem(body.auth_code, code_verifier)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('a code ends after two minutes, with the session that gave it, and with the account', async () => {
  for (const end of ['time', 'sign-out', 'suspension', 'second step'] as const) {
    const { browser, id } = await signedIn('admin')
    const { code_verifier, code_challenge } = newVerifier()
    const { body } = await browser.post('/auth/authorize', { code_challenge, redirect_uri: REDIRECT })
    if (end === 'time') await kysely.updateTable('auth_verifications').set({ expires_at: new Date() }).execute()
    if (end === 'sign-out') await browser.post('/auth/logout')
    if (end === 'suspension')
      await kysely.updateTable('user_profiles').set({ profile_status: 'suspended' }).where('id', '=', id).execute()
    rules.needsSecondStep = end === 'second step'
    const { status, body: answer } = await redeem(body.auth_code, code_verifier)
    expect([end, status, answer.code, answer.access_token]).toEqual([end, 400, 'invalid_grant', undefined])
    rules.needsSecondStep = false
  }
})

test.each(['password', 'mcgi-hub'])(
  'a program’s session proves nothing anew and lives no longer: %s',
  async (sign_in_method) => {
    const { browser, id } = await signedIn('mfa_coordinator')
    const { auth_user_id } = await kysely
      .selectFrom('user_profiles')
      .select('auth_user_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const old = new Date(Date.now() - 6.5 * 86_400_000)
    const sessions = kysely.updateTable('auth_sessions').where('user_id', '=', auth_user_id)
    await sessions.set({ sign_in_method, created_at: old, second_factor_at: old, confirmed_at: old }).execute()
    const { code_verifier, code_challenge } = newVerifier()
    const { body } = await browser.post('/auth/authorize', { code_challenge, redirect_uri: REDIRECT })
    const { body: granted } = await redeem(body.auth_code, code_verifier)
    const [first, second, ...others] = await kysely
      .selectFrom('auth_sessions')
      .select(['created_at', 'second_factor_at', 'method_since', 'sign_in_method'])
      .where('user_id', '=', auth_user_id)
      .execute()
    expect([first, others]).toEqual([second, []])
    // A coordinator's, and one of the hub, ends seven days after the sign-in, also when it is renewed.
    const { refresh_token } = granted
    const { body: renewed } = await program.post('/auth/token', { grant_type: 'refresh_token', refresh_token })
    for (const { expires_in } of [granted, renewed]) expect(Number(expires_in)).toBeLessThanOrEqual(0.5 * 86_400 + 5)
  },
)

test('only someone signed in can let a program in; a code of anyone else or no code at all is refused', async () => {
  const { code_challenge, code_verifier } = newVerifier()
  const request = { code_challenge, redirect_uri: REDIRECT }
  expect((await createBrowser(app).post('/auth/authorize', request)).status).toBe(401)
  const { browser } = await signedIn('admin')
  rules.needsSecondStep = true
  expect((await browser.post('/auth/authorize', request)).body.code).toBe('second_step')
  rules.needsSecondStep = false
  for (const code of ['x', 'a'.repeat(43), "' or 1=1 --", 'é'.repeat(100)])
    expect(await redeem(code, code_verifier)).toMatchObject({ status: 400, body: { code: 'invalid_grant' } })
  expect((await redeem(undefined, code_verifier)).body.fields).toEqual({ auth_code: 'This field is required' })
  expect((await redeem('x', undefined)).body.fields).toEqual({ code_verifier: 'This field is required' })
})

test.each([
  'https://evil.example/callback',
  'http://evil.example/callback',
  'http://127.0.0.1.evil.example/',
  'http://127.0.0.1@evil.example/',
  'http://user:pass@127.0.0.1:8123/',
  'http://localhost:8123/',
  'http://127.0.0.1:8123/#hash',
  'javascript:alert(1)//127.0.0.1',
  '//127.0.0.1:8123/',
  '127.0.0.1:8123',
  '',
])('the code never leaves the device: %s', async (redirect_uri) => {
  const { browser } = await signedIn()
  const { status, body } = await browser.post('/auth/authorize', {
    code_challenge: newVerifier().code_challenge,
    redirect_uri,
  })
  expect([status, Object.keys(body.fields as object)]).toEqual([422, ['redirect_uri']])
})

test.each([
  ['code_challenge', ''],
  ['code_challenge', 'short'],
  ['code_challenge', `${'a'.repeat(42)}=`],
  ['code_challenge_method', 'plain'],
  ['state', 'x'.repeat(201)],
])('an incomplete %s is refused by its name: %s', async (field, value) => {
  const { browser } = await signedIn()
  const request = { code_challenge: newVerifier().code_challenge, redirect_uri: REDIRECT, [field]: value }
  expect(Object.keys((await browser.post('/auth/authorize', request)).body.fields as object)).toEqual([field])
})

test('the database holds no code that could be used', async () => {
  const { browser } = await signedIn()
  const { body } = await browser.post('/auth/authorize', {
    code_challenge: newVerifier().code_challenge,
    redirect_uri: REDIRECT,
  })
  const rows = await kysely.selectFrom('auth_verifications').selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(String(body.auth_code))
})
