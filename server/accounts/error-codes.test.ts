import { APIError } from 'better-auth/api'
import { beforeEach, expect, test } from 'vitest'
import { type Answer, accountApp, createBrowser, createPasswordAccount, PASSWORD } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { expected } from './start-session.ts'
import { hashToken } from './token-hash.ts'

const database = await testDatabase()
const app = await accountApp(database, {}, { needsSecondStep: false })
const email = 'ana@example.org'
await createPasswordAccount(database, { email })

beforeEach(() => database.requests.kysely.deleteFrom('rate_limits').execute())

const errorIn = ({ status, body }: Answer) => [status, body.code, body.error]
const program = (bearer: string) => createBrowser(app, { bearer })

test('no session, a wrong password, a weak password and an unknown token each have their own code', async () => {
  const stranger = createBrowser(app)
  expect(errorIn(await stranger.post('/auth/refresh'))).toEqual([401, 'no_session', 'No active session'])
  expect(errorIn(await stranger.post('/auth/login', { email, password: 'wrong' }))).toEqual([
    401,
    'invalid_credentials',
    'Wrong email address or password. Check both and try again.',
  ])
  const weak = await stranger.post('/auth/signup', {
    ...{ first_name: 'Ben', last_name: 'Cruz', email: 'ben@example.org', accept_terms: true },
    password: '123456',
  })
  expect(errorIn(weak).slice(0, 2)).toEqual([422, 'weak_password'])
  // Every reason, not only the first.
  expect(weak.body.fields).toEqual({
    password: 'Must be at least 10 characters. This password is on a list of common or leaked passwords.',
  })
  const invalid = [401, 'invalid_access_token', 'This access token is not valid. Please sign in again.']
  for (const token of ['a'.repeat(32), 'short', 'eyJhbGciOiJub25lIn0.e30.', 'x'.repeat(5_000), "' or 1=1 --"])
    expect([token, errorIn(await program(token).get('/auth/user'))]).toEqual([token, invalid])
})

test('an expired token is not reported as one that was never issued', async () => {
  const { body } = await createBrowser(app).post('/auth/token', { grant_type: 'password', email, password: PASSWORD })
  const token = String(body.access_token)
  expect((await program(token).get('/auth/user')).status).toBe(200)
  await database.requests.kysely
    .updateTable('auth_sessions')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('token', '=', hashToken(token))
    .execute()
  expect(errorIn(await program(token).get('/auth/user'))).toEqual([401, 'session_expired', 'User session has expired'])
})

test('a cookie of an ended session is an ended session, and a public page ignores an invalid token', async () => {
  const browser = createBrowser(app)
  browser.cookies.set('mfa.session_token', `${'a'.repeat(32)}.b`)
  expect(errorIn(await browser.get('/auth/user')).slice(0, 2)).toEqual([401, 'session_expired'])
  expect((await program('a'.repeat(32)).get('/auth/providers')).status).toBe(200)
})

test.each([
  ['sign_in_failed', 'Sign in failed'],
  ['sign_up_failed', 'Sign up failed'],
  ['auth_failed', 'Authentication failed: please try again.'],
] as const)('an error of the library without a text of its own: %s', async (code, message) => {
  const unknown = () => Promise.reject(new APIError('BAD_REQUEST', { code: 'SOMETHING_NEW', message: 'secret detail' }))
  await expect(expected(unknown(), code)).rejects.toMatchObject({ status: 400, code, message })
})
