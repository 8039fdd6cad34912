import { beforeEach, expect, test } from 'vitest'
import { accountApp, createBrowser, lastMessage, messagesTo, PASSWORD } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createAccount } from './creating.ts'

const database = await testDatabase()
const SMS = { name: 'sms', url: 'https://sms.example', account: 'AC1', token: 'x', from: '+15005550006' }
const app = await accountApp(database, { providers: { sms: [SMS] } })
const run = (sql: string, values: unknown[] = []) => database.requests.pool.query(sql, values)

let made = 0
beforeEach(() => database.requests.kysely.deleteFrom('rate_limits').execute())

async function victim() {
  made += 1
  const email = `victim-${made}@example.org`
  await createAccount(database, { email, first_name: 'Ana', last_name: 'Cruz', role: 'traveler', password: PASSWORD })
  await run(`update auth_users set created_at = now() - interval '30 days' where email = $1`, [email])
  const browser = createBrowser(app)
  await browser.post('/auth/login', { email, password: PASSWORD })
  return { browser, email, phone: `+63917555${String(3000 + made)}` }
}
const codeTo = async (phone: string) => /\b\d{6}\b/.exec(await lastMessage(database, phone, 'sign-in-code'))![0]

test('a session of long ago adds no phone number', async () => {
  const { browser, phone } = await victim()
  await run(`update auth_sessions set created_at = now() - interval '1 hour'`)
  expect(await browser.put('/auth/phone', { phone })).toMatchObject({ status: 403, body: { code: 'confirm_first' } })
  expect(await messagesTo(database, phone)).toEqual([])
})

test('a session opened by a phone number added today opens neither the export nor another change', async () => {
  const { browser, phone, email } = await victim()
  await browser.put('/auth/phone', { phone })
  expect((await browser.post('/auth/phone/confirm', { phone, code: await codeTo(phone) })).status).toBe(200)
  expect((await messagesTo(database, email)).map(({ template }) => template)).toEqual(['sign-in-changed'])
  const thief = createBrowser(app)
  await thief.post('/auth/otp', { phone })
  await expect.poll(async () => (await messagesTo(database, phone)).length).toBe(2)
  const code = /\b\d{6}\b/.exec((await messagesTo(database, phone)).at(-1)!.body_text!)![0]
  expect((await thief.post('/auth/verify', { type: 'sms', phone, code })).status).toBe(200)
  expect((await thief.get('/account/export')).status).toBe(403)
  expect((await thief.put('/auth/email', { email: `thief-${made}@example.org` })).status).toBe(403)
})
