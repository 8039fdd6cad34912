import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { bounceReport, complaintReport } from '#server/testing/mail-reports.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'
import { hubSignature, twilioSignature } from './signatures.ts'

const database = await testDatabase()
const TOKEN = 'auth token of twilio'
const sms = ['sms', 'sms-2'].map((name) => ({
  name,
  url: 'https://api.twilio.com',
  account: 'AC1',
  token: name === 'sms' ? TOKEN : 'another',
  from: '+15005550006',
}))
const whatsapp = {
  url: 'https://graph.facebook.com',
  phoneId: '1',
  token: 't',
  appSecret: 'app secret',
  verifyToken: 'verify me',
  template: undefined,
}
const MAIL_TOKEN = 'a token that is long enough'
const push = { pushKeys: undefined, allowsPrivatePush: false }
const app = await testApp(database, { providers: { sms, whatsapp, mailHookToken: MAIL_TOKEN, ...push } })
const bare = await testApp(database)
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const NUMBER = '+639171234567'

beforeEach(() =>
  inside(async (db) => {
    for (const table of ['messages', 'unmatched_delivery_events', 'suppressions', 'inbound_texts'] as const)
      await db.deleteFrom(table).execute()
  }),
)

async function insertSent(more: {
  provider_message_id: string
  provider: string
  channel?: 'sms' | 'email' | 'whatsapp'
  recipient?: string
}) {
  await inside((db) =>
    db
      .insertInto('messages')
      .values({
        message_key: more.provider_message_id,
        channel: 'sms',
        recipient: NUMBER,
        template: 'welcome',
        body_text: 'Text',
        body_html: null,
        status: 'sent',
        user_id: null,
        error: null,
        expires_at: null,
        sent_at: new Date(),
        announcement_id: null,
        subscription_id: null,
        delivered_at: null,
        ...more,
      })
      .execute(),
  )
}
const message = () => inside((db) => db.selectFrom('messages').selectAll().executeTakeFirstOrThrow())
const findSuppressions = () => inside((db) => db.selectFrom('suppressions').selectAll().execute())

function postForm(path: string, form: Record<string, string>, token = TOKEN, over = app) {
  return over.request(`http://10.0.0.7:3000/api${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': twilioSignature(token, `http://portal.test/api${path}`, form),
    },
    body: new URLSearchParams(form).toString(),
  })
}
const postSmsStatus = (form: Record<string, string>) =>
  postForm('/hooks/sms/sms/status', { MessageSid: 'SM1', To: NUMBER, ...form })
const text = (Body: string, From = NUMBER) => postForm('/hooks/sms/sms/inbound', { From, Body, MessageSid: 'SM9' })

test('computes the signature of Twilio’s own example', () => {
  const vector = JSON.parse(
    readFileSync(new URL('../../../fixtures/contracts/twilio-webhook-signature-vector.json', import.meta.url), 'utf8'),
  )
  expect(twilioSignature(vector.auth_token, vector.url, vector.params)).toBe(vector.signature)
})

test('an arrived text is delivered, whatever statuses came before, and repeats count once', async () => {
  await insertSent({ provider_message_id: 'SM1', provider: 'sms' })
  for (const MessageStatus of ['queued', 'sent']) expect((await postSmsStatus({ MessageStatus })).status).toBe(200)
  expect(await message()).toMatchObject({ status: 'sent' })
  for (let n = 0; n < 2; n++) expect((await postSmsStatus({ MessageStatus: 'delivered' })).status).toBe(200)
  await postSmsStatus({ MessageStatus: 'undelivered', ErrorCode: '30003' })
  expect(await message()).toMatchObject({ status: 'delivered', delivered_at: expect.any(Date) })
})

test('an undelivered text fails with the code, and an unreachable number is suppressed', async () => {
  await insertSent({ provider_message_id: 'SM1', provider: 'sms' })
  await postSmsStatus({ MessageStatus: 'undelivered', ErrorCode: '30006' })
  expect(await message()).toMatchObject({ status: 'failed', error: 'undelivered (30006)' })
  expect(await findSuppressions()).toMatchObject([{ channel: 'sms', address: NUMBER, reason: 'invalid' }])
})

test('a phone that is not found may be switched off: it gets the next text', async () => {
  await insertSent({ provider_message_id: 'SM1', provider: 'sms' })
  await postSmsStatus({ MessageStatus: 'undelivered', ErrorCode: '30005' })
  expect(await message()).toMatchObject({ status: 'failed' })
  expect(await findSuppressions()).toEqual([])
})

test('rejects delivery reports from anyone else', async () => {
  await insertSent({ provider_message_id: 'SM1', provider: 'sms' })
  const form = { MessageSid: 'SM1', MessageStatus: 'delivered' }
  const path = '/hooks/sms/sms/status'
  const signedFor = async (signature: string, body = new URLSearchParams(form).toString()) =>
    app.request(`/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
      body,
    })
  expect((await signedFor('')).status).toBe(403)
  expect((await signedFor(twilioSignature('guessed', `http://portal.test/api${path}`, form))).status).toBe(403)
  const right = twilioSignature(TOKEN, `http://portal.test/api${path}`, form)
  expect((await signedFor(right, new URLSearchParams({ ...form, MessageStatus: 'failed' }).toString())).status).toBe(
    403,
  )
  expect((await signedFor(right, `${new URLSearchParams(form)}&MessageSid=SM2`)).status).toBe(400)
  expect((await postForm('/hooks/sms/sms-2/status', form)).status).toBe(403)
  expect((await postForm('/hooks/sms/other/status', form)).status).toBe(404)
  expect((await postForm(path, form, TOKEN, bare)).status).toBe(404)
  expect(await message()).toMatchObject({ status: 'sent' })
  expect((await signedFor(right)).status).toBe(200)
  expect(await message()).toMatchObject({ status: 'delivered' })
})

const optedOut = (user: TestUser) =>
  inside((db) =>
    db.selectFrom('notification_preferences').select('sms_opt_out').where('user_id', '=', user.id).executeTakeFirst(),
  )

test('STOP ends text messages and START resumes them', async () => {
  const ana = await createTestUser(database, 'traveler', { phone_number: NUMBER })
  for (const keyword of ['Stop', ' unsubscribe. ', 'إيقاف', 'الغاء', 'Itigil']) {
    expect((await text('start')).status).toBe(200)
    expect(await findSuppressions()).toEqual([])
    const answer = await text(keyword)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8'])
    expect(await findSuppressions()).toMatchObject([{ channel: 'sms', address: NUMBER, reason: 'opted_out' }])
    expect(await optedOut(ana)).toEqual({ sms_opt_out: true })
  }
  for (const keyword of ['START', 'Simulan']) {
    await text('STOP')
    await text(keyword)
    expect([await findSuppressions(), await optedOut(ana)], keyword).toEqual([[], { sms_opt_out: false }])
  }
  const auditLog = await inside((db) =>
    db.selectFrom('audit_log').select(['action', 'actor_id']).where('subject_id', '=', ana.id).execute(),
  )
  expect(auditLog).toContainEqual({ action: 'account.unsubscribe', actor_id: null })
})

test('START does not lift the suppression of an invalid number, and STOP inside a sentence does nothing', async () => {
  await inside((db) =>
    db
      .insertInto('suppressions')
      .values({ channel: 'sms', address: NUMBER, reason: 'invalid', detail: null })
      .execute(),
  )
  await text('START')
  expect(await findSuppressions()).toMatchObject([{ reason: 'invalid' }])
  await text('Please do not stop the bus', '+639170000001')
  expect(await findSuppressions()).toHaveLength(1)
})

test('an unrelated text gets the emergency numbers as reply, and a forged one does nothing', async () => {
  const answer = await text('Hello?')
  expect(await answer.text()).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Message>.*\/emergency\/PH<\/Message><\/Response>$/,
  )
  expect((await postForm('/hooks/sms/sms/inbound', { From: NUMBER, Body: 'STOP' }, 'guessed')).status).toBe(403)
  expect(await findSuppressions()).toEqual([])
})

function postWhatsApp(value: object, secret = 'app secret') {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ changes: [{ field: 'messages', value }] }],
  })
  return app.request('/api/hooks/whatsapp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': hubSignature(secret, Buffer.from(body)) },
    body,
  })
}

test('WhatsApp reports need the app’s signature', async () => {
  await insertSent({ provider_message_id: 'wamid.1', provider: 'whatsapp', channel: 'whatsapp' })
  const status = (status: string, more = {}) => ({ statuses: [{ id: 'wamid.1', status, ...more }] })
  expect((await postWhatsApp(status('delivered'), 'guessed')).status).toBe(403)
  expect(await message()).toMatchObject({ status: 'sent' })
  await postWhatsApp(status('failed', { errors: [{ code: 131026, title: 'Message undeliverable' }] }))
  expect(await message()).toMatchObject({ status: 'failed', error: 'failed (131026 Message undeliverable)' })
  expect((await postWhatsApp(status('read'))).status).toBe(200)
  expect(await message()).toMatchObject({ status: 'delivered' })
  expect(
    (await postWhatsApp({ messages: [{ from: '639171234567', type: 'text', text: { body: 'Stop' } }] })).status,
  ).toBe(200)
  expect(await findSuppressions()).toMatchObject([{ channel: 'whatsapp', address: NUMBER, reason: 'opted_out' }])
})

test('WhatsApp verifies the webhook with the agreed token', async () => {
  const ask = (token: string, over = app) =>
    over.request(
      `/api/hooks/whatsapp?hub.mode=subscribe&hub.verify_token=${encodeURIComponent(token)}&hub.challenge=1158201444`,
    )
  const found = await ask('verify me')
  expect([found.status, await found.text()]).toEqual([200, '1158201444'])
  expect((await ask('guessed')).status).toBe(403)
  expect((await ask('verify me', bare)).status).toBe(404)
})

const MAIL = '<0123456789abcdef0123456789abcdef01234567@church.example>'
function postMailReport(body: string | object, { token = MAIL_TOKEN, over = app } = {}) {
  const isText = typeof body === 'string'
  return over.request('/api/hooks/mail/bounce', {
    method: 'POST',
    headers: { 'content-type': isText ? 'message/rfc822' : 'application/json', authorization: `Bearer ${token}` },
    body: isText ? body : JSON.stringify(body),
  })
}
const insertMail = () =>
  insertSent({ provider_message_id: MAIL, provider: 'smtp-2', channel: 'email', recipient: 'Ana@example.org' })

test.each([
  ['5.1.1', 'bounced'],
  ['5.0.0', 'bounced'],
  ['5.4.4', 'bounced'],
  ['5.2.2', undefined],
  ['5.7.1', undefined],
  ['4.4.7', undefined],
])('mail that bounced with %s has failed, and its address is %s', async (status, reason) => {
  await insertMail()
  expect((await postMailReport(bounceReport({ messageId: MAIL, action: 'failed', status }))).status).toBe(200)
  expect(await message()).toMatchObject({ status: 'failed', error: `${status} 550 No such user "ana"` })
  expect(await findSuppressions()).toMatchObject(
    reason ? [{ channel: 'email', address: 'ana@example.org', reason }] : [],
  )
})

test('delayed mail is noted, and arrived mail is delivered', async () => {
  await insertMail()
  await postMailReport(bounceReport({ messageId: MAIL, action: 'delayed', status: '4.4.1' }))
  const attempts = await inside((db) => db.selectFrom('message_attempts').selectAll().execute())
  expect(attempts).toMatchObject([{ result: 'deferred', provider: 'smtp-2', detail: expect.stringContaining('4.4.1') }])
  expect(await message()).toMatchObject({ status: 'sent' })
  await postMailReport(bounceReport({ messageId: MAIL, action: 'delivered', status: '2.0.0' }))
  expect(await message()).toMatchObject({ status: 'delivered' })
})

test('a complaint suppresses further mail', async () => {
  await insertMail()
  await postMailReport(complaintReport(MAIL))
  expect(await findSuppressions()).toMatchObject([{ reason: 'complained', address: 'ana@example.org' }])
})

test('a provider may report the same as JSON, one or several', async () => {
  await insertMail()
  const response = await postMailReport([
    { message_id: MAIL.slice(1, -1), type: 'bounce', status: '5.1.1', recipient: 'ana@example.org' },
    { message_id: '<unknown@church.example>', type: 'bounce', status: '5.1.1' },
  ])
  expect(await response.json()).toMatchObject({ told: 2 })
  expect(await message()).toMatchObject({ status: 'failed' })
  expect(await findSuppressions()).toHaveLength(1)
  expect((await postMailReport({ message_id: MAIL, type: 'other' })).status).toBe(422)
})

test('mail that is not a report, or comes from another sender, changes nothing', async () => {
  await insertMail()
  const report = bounceReport({ messageId: MAIL, action: 'failed', status: '5.1.1' })
  expect((await postMailReport(report, { token: 'guessed' })).status).toBe(401)
  expect((await postMailReport(report, { over: bare })).status).toBe(404)
  expect(
    await (await postMailReport('From: a@example.org\r\nSubject: Away until Monday\r\n\r\nHello')).json(),
  ).toMatchObject({ told: 0 })
  expect((await postMailReport('\0\xff')).status).toBe(200)
  expect(await message()).toMatchObject({ status: 'sent' })
})
