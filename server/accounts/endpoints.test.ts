import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createReadSession } from './sessions.ts'

const database = await testDatabase()
const app = await testApp(database, {
  readSession: createReadSession({
    database,
    settings: { get: () => true } as never,
    isSecure: false,
    log: createLog('silent'),
  }),
})

const PASSWORD = 'seven purple lanterns'
let made = 0
const newEmail = () => `person-${++made}@example.org`

async function post(path: string, body: unknown, cookie = '') {
  const response = await app.request(`/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie ? { cookie } : {}) },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, unknown>
  const set = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return { status: response.status, answer, cookie: set.join('; '), headers: response.headers }
}

const messagesTo = (email: string) =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('messages').selectAll().where('recipient', '=', email).orderBy('created_at').execute(),
  )

async function signUp(email: string) {
  return post('/auth/signup', {
    first_name: 'Ana',
    last_name: 'de la Cruz',
    email,
    password: PASSWORD,
    country_code: 'PH',
    accept_terms: true,
  })
}

const tokenOf = (text: string) => /token=([^\s&"]+)/.exec(text)![1]!

test('who signs up confirms the address and is in, as a traveler', async () => {
  const email = newEmail()
  expect((await signUp(email)).status).toBe(202)
  const early = await post('/auth/login', { email, password: PASSWORD })
  expect([early.status, early.answer.code]).toEqual([403, 'email_not_verified'])
  await expect.poll(() => messagesTo(email)).toHaveLength(1)
  const [mail] = await messagesTo(email)
  const verified = await post('/auth/verify', { type: 'signup', token: tokenOf(mail!.body_text) })
  expect(verified).toMatchObject({ status: 200, answer: { next: '/dashboard' } })
  const user = await app.request('/api/auth/user', { headers: { cookie: verified.cookie } })
  expect(await user.json()).toMatchObject({
    user: { email, role: 'traveler', email_verified: true, profile_status: 'pending' },
  })
  const again = await post('/auth/login', { email, password: PASSWORD, returnTo: '/travel-advisories?page=2' })
  expect(again).toMatchObject({ status: 200, answer: { next: '/travel-advisories?page=2' } })
})
