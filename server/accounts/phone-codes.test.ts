import { afterAll, expect, test } from 'vitest'
import { createChannels } from '#server/delivery/channels.ts'
import { readSettings } from '#server/env.ts'
import { accountApp, createBrowser, createPasswordAccount, messagesTo, PASSWORD } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testDispatcher } from '#server/testing/dispatcher.ts'
import { startTwilioPeer, twilioError } from '#server/testing/twilio.ts'

// As in production: a provider, no sample content, and no open outbox to read a code from.
const database = await testDatabase()
const twilio = await startTwilioPeer()
const settings = readSettings({
  DATABASE_URL: 'postgres://x',
  PUBLIC_URL: 'http://portal.test',
  SMS_URL: twilio.url,
  SMS_ACCOUNT: `AC${'a'.repeat(32)}`,
  SMS_TOKEN: 'auth token',
  SMS_FROM: '+15005550006',
})
const channels = createChannels(settings, { database })
const app = await accountApp(database, { providers: settings })
const send = () => testDispatcher({ database, channels, publicUrl: settings.publicUrl }).sendDue()
afterAll(async () => {
  channels.close()
  await twilio.close()
})

const email = 'ana@example.org'
const phone = '+639175550001'

/** The latest text message received, once `count` messages were sent. */
async function textOf(count: number): Promise<string> {
  await expect.poll(async () => (await messagesTo(database, phone)).length).toBe(count)
  await send()
  const text = twilio.texts().at(-1)!
  expect(text).toMatchObject({ To: phone, From: '+15005550006' })
  return text.Body!
}
const codeIn = (text: string) => /\b\d{6}\b/.exec(text)![0]

test('a number is confirmed and signs in with codes sent by the SMS provider', async () => {
  await createPasswordAccount(database, { email })
  const browser = createBrowser(app)
  await browser.post('/auth/login', { email, password: PASSWORD })
  expect((await browser.get('/auth/providers')).body).toMatchObject({ phone: true })
  expect((await browser.put('/auth/phone', { phone })).status).toBe(202)
  const code = codeIn(await textOf(1))
  expect((await browser.post('/auth/phone/confirm', { phone, code })).status).toBe(200)
  const other = createBrowser(app)
  expect((await other.post('/auth/otp', { phone })).status).toBe(202)
  const second = codeIn(await textOf(2))
  // The earlier code does not work; five wrong ones void the right one.
  expect((await other.post('/auth/verify', { type: 'sms', phone, code })).status).toBe(code === second ? 200 : 400)
  expect((await other.post('/auth/verify', { type: 'sms', phone, code: second })).status).toBe(200)
  expect(await other.role()).toBe('traveler')
  // Sent, and therefore wiped from the database.
  for (const { body_text } of await messagesTo(database, phone)) expect(body_text).not.toMatch(/\d{6}/)
})

test('after five wrong codes the right one is refused from the same caller', async () => {
  const browser = createBrowser(app)
  await browser.post('/auth/otp', { phone })
  const code = codeIn(await textOf(3))
  const wrong = code === '111111' ? '222222' : '111111'
  for (let tries = 0; tries < 5; tries += 1)
    expect([400, 429]).toContain((await browser.post('/auth/verify', { type: 'sms', phone, code: wrong })).status)
  expect((await browser.post('/auth/verify', { type: 'sms', phone, code })).status).not.toBe(200)
  expect(await browser.role()).toBeNull()
})

test('a number that no account has confirmed costs no message, and the response is the same', async () => {
  const sent = twilio.requests.length
  const known = await createBrowser(app).post('/auth/otp', { phone })
  const unknown = await createBrowser(app).post('/auth/otp', { phone: '+639175550002' })
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
  expect(await messagesTo(database, '+639175550002')).toEqual([])
  expect(twilio.requests.length).toBe(sent)
})

test('a provider error signs nobody in and the response is unchanged', async () => {
  twilio.answer = () => twilioError(400, 21211, 'The To number is not valid')
  // Queued after the response, so poll for it.
  const failed = async () => {
    await send()
    return (await messagesTo(database, phone)).filter(({ status }) => status === 'failed').length
  }
  await expect.poll(failed).toBe(1)
})

test('without a provider no code is offered, neither to sign in nor to confirm a number', async () => {
  const silent = createBrowser(await accountApp(database, { providers: { sms: [] } }))
  expect((await silent.get('/auth/providers')).body).toMatchObject({ phone: false })
  expect((await silent.post('/auth/otp', { phone })).body.code).toBe('phone_unavailable')
  await silent.post('/auth/login', { email, password: PASSWORD })
  expect((await silent.put('/auth/phone', { phone: '+639175550003' })).body.code).toBe('phone_unavailable')
})
