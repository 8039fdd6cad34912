import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { bounceReport } from '#server/testing/mail-reports.ts'
import { startPushPeer } from '#server/testing/push.ts'
import { startMailPeer } from '#server/testing/smtp.ts'
import { startTwilioPeer, twilioError } from '#server/testing/twilio.ts'
import { createTestUser } from '#server/testing/users.ts'
import { startWhatsAppPeer, whatsAppError } from '#server/testing/whatsapp.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { createChannels } from './channels.ts'
import { createSending } from './dispatcher.ts'
import { hubSignature, twilioSignature } from './webhooks/signatures.ts'

const database = await testDatabase()
const [mail, twilio, whatsApp, push] = await Promise.all([
  startMailPeer(),
  startTwilioPeer(),
  startWhatsAppPeer(),
  startPushPeer(),
])
const TOKEN = 'auth token'
const settings = readSettings({
  DATABASE_URL: 'postgres://x',
  PUBLIC_URL: 'http://portal.test',
  MAIL_FROM: 'MFA <portal@church.example>',
  SMTP_URL: mail.url,
  MAIL_HOOK_TOKEN: 'a token that is long enough',
  SMS_URL: twilio.url,
  SMS_ACCOUNT: `AC${'a'.repeat(32)}`,
  SMS_TOKEN: TOKEN,
  SMS_FROM: '+15005550006',
  WHATSAPP_URL: whatsApp.url,
  WHATSAPP_PHONE_ID: '1063',
  WHATSAPP_TOKEN: 'token',
  WHATSAPP_APP_SECRET: 'app secret',
  PUSH_ALLOW_PRIVATE: 'true',
})
const channels = createChannels(settings, { database })
const publicUrl = settings.publicUrl
const log = createLog('silent')
const app = await testApp(database, { providers: settings, publicUrl })
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const NUMBER = '+639171234567'

afterAll(async () => {
  channels.close()
  await Promise.all([mail, twilio, whatsApp, push].map((peer) => peer.close()))
})
beforeEach(async () => {
  twilio.answer = whatsApp.answer = push.answer = () => 'accept'
  twilio.requests.length = whatsApp.requests.length = push.requests.length = mail.mails.length = 0
  await inside(async (db) => {
    for (const table of ['messages', 'stopped_addresses', 'early_receipts'] as const)
      await db.deleteFrom(table).execute()
  })
})

async function enqueue(channel: MessageChannel, to: { recipient?: string; user_id?: string }) {
  await inside((db) =>
    db
      .insertInto('messages')
      .values({
        message_key: randomUUID(),
        channel,
        recipient: null,
        user_id: null,
        template: 'welcome',
        subject: 'Leave Peru',
        body_text: 'Flights end tonight.',
        body_html: null,
        error: null,
        receipt: null,
        expires_at: null,
        sent_at: null,
        announcement_id: null,
        subscription_id: null,
        provider: null,
        delivered_at: null,
        ...to,
      })
      .execute(),
  )
}
const send = () => createSending({ database, channels, log, publicUrl, secret: 'a secret of the tests' }).sendDue()
const row = () => inside((db) => db.selectFrom('messages').selectAll().executeTakeFirstOrThrow())
const findSuppressions = () => inside((db) => db.selectFrom('stopped_addresses').selectAll().execute())

/** Tells as the provider would, at the address that it was given with the message. */
async function callBack(form: Record<string, string>, token = TOKEN) {
  const [text] = twilio.texts()
  const url = text!.StatusCallback!
  const fields = { MessageSid: (await row()).receipt ?? 'SM', To: text!.To!, ...form }
  const response = await app.request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': twilioSignature(token, url, fields),
    },
    body: new URLSearchParams(fields).toString(),
  })
  return response.status
}

test('a text message, from the outbox to the telephone; receipts come late, twice and forged', async () => {
  await enqueue('sms', { recipient: NUMBER })
  await send()
  expect(await row()).toMatchObject({ status: 'sent', provider: 'sms', receipt: expect.stringMatching(/^SM/) })
  expect(twilio.texts()).toMatchObject([{ To: NUMBER, Body: 'Flights end tonight.' }])
  expect(await callBack({ MessageStatus: 'delivered' }, 'guessed')).toBe(403)
  expect(await row()).toMatchObject({ status: 'sent' })
  expect(await callBack({ MessageStatus: 'delivered' })).toBe(200)
  expect(await callBack({ MessageStatus: 'delivered' })).toBe(200)
  expect(await callBack({ MessageStatus: 'sent' })).toBe(200)
  expect(await row()).toMatchObject({ status: 'delivered', delivered_at: expect.any(Date) })
  await send()
  expect(twilio.requests).toHaveLength(1)
})

test('a text message to a number that does not exist, and nothing more to it after that', async () => {
  twilio.answer = () => twilioError(400, 21211, 'The To number is not valid')
  await enqueue('sms', { recipient: NUMBER })
  await send()
  expect(await row()).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('SMS service error: 400 (21211'),
  })
  expect(await findSuppressions()).toMatchObject([{ channel: 'sms', address: NUMBER, reason: 'invalid' }])
  await inside((db) => db.deleteFrom('messages').execute())
  await enqueue('sms', { recipient: NUMBER })
  await send()
  expect([(await row()).status, twilio.requests.length]).toEqual(['failed', 1])
})

test('a text message that could not be delivered on its way', async () => {
  await enqueue('sms', { recipient: NUMBER })
  await send()
  await callBack({ MessageStatus: 'undelivered', ErrorCode: '30003' })
  expect(await row()).toMatchObject({ status: 'failed', error: 'undelivered (30003)' })
  expect(await findSuppressions()).toEqual([])
})

const postWhatsAppStatus = async (status: object) => {
  const value = { statuses: [{ id: (await row()).receipt, ...status }] }
  const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] })
  const signature = hubSignature('app secret', Buffer.from(body))
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  return (await app.request('/api/hooks/whatsapp', { method: 'POST', headers, body })).status
}

test('a WhatsApp message, from the outbox to the telephone', async () => {
  await enqueue('whatsapp', { recipient: NUMBER })
  await send()
  expect(whatsApp.messages()).toMatchObject([{ to: NUMBER, type: 'text' }])
  expect(await postWhatsAppStatus({ status: 'delivered' })).toBe(200)
  expect(await row()).toMatchObject({ status: 'delivered', provider: 'whatsapp' })
})

test('a WhatsApp message to somebody who is not there', async () => {
  whatsApp.answer = () => whatsAppError(400, 131026, 'Message undeliverable')
  await enqueue('whatsapp', { recipient: NUMBER })
  await send()
  expect(await row()).toMatchObject({ status: 'failed', error: expect.stringContaining('131026') })
})

test('a mail, from the outbox to the mailbox, and back from one that is gone', async () => {
  await enqueue('email', { recipient: 'ana@example.org' })
  await send()
  const [received] = mail.mailsTo('ana@example.org')
  expect(received).toMatchObject({ subject: 'Leave Peru', text: expect.stringContaining('Flights end tonight.') })
  const report = (action: string, status: string) =>
    app.request('/api/hooks/mail/bounce', {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822', authorization: 'Bearer a token that is long enough' },
      body: bounceReport({ messageId: received!.messageId!, action, status }),
    })
  await report('delayed', '4.4.1')
  expect(await row()).toMatchObject({ status: 'sent', provider: 'smtp' })
  await report('failed', '5.1.1')
  expect(await row()).toMatchObject({ status: 'failed', error: expect.stringContaining('No such user') })
  expect(await findSuppressions()).toMatchObject([{ channel: 'email', address: 'ana@example.org', reason: 'bounced' }])
})

test('a mailbox that the server refuses at once', async () => {
  mail.receive = () => 'refuse'
  await enqueue('email', { recipient: 'ana@example.org' })
  await send()
  mail.receive = () => 'accept'
  expect(await row()).toMatchObject({ status: 'failed', error: expect.stringContaining('No such mailbox') })
  expect(await findSuppressions()).toMatchObject([{ reason: 'bounced' }])
})

test('a push message, from the browser’s permission to what it shows, until it takes the permission back', async () => {
  const ana = await createTestUser(database, 'traveler')
  await app.request('/api/notifications/browsers', {
    method: 'POST',
    headers: { [AS]: ana.as, 'content-type': 'application/json' },
    body: JSON.stringify(push.newBrowser()),
  })
  await enqueue('push', { user_id: ana.id })
  await send()
  expect(await row()).toMatchObject({ status: 'sent', provider: 'push', receipt: '1 of 1 browsers' })
  expect(push.messages()).toMatchObject([{ payload: { title: 'Leave Peru', body: 'Flights end tonight.' } }])
  await inside((db) => db.deleteFrom('messages').execute())
  push.answer = () => ({ status: 410 })
  await enqueue('push', { user_id: ana.id })
  await send()
  expect(await row()).toMatchObject({ status: 'failed', error: 'No browser to tell' })
  expect(await inside((db) => db.selectFrom('push_subscriptions').selectAll().execute())).toEqual([])
})

test('what a provider does not take now goes later', async () => {
  twilio.answer = () => ({ ...twilioError(429, 20429, 'Too Many Requests'), headers: { 'retry-after': '90' } })
  await enqueue('sms', { recipient: NUMBER })
  await send()
  const waiting = await row()
  expect(waiting).toMatchObject({ status: 'pending', error: expect.stringContaining('429') })
  expect(waiting.not_before.valueOf() - Date.now()).toBeGreaterThan(60_000)
  twilio.answer = () => 'accept'
  await inside((db) =>
    db
      .updateTable('messages')
      .set({ not_before: new Date(0), in_hand_until: null })
      .execute(),
  )
  await send()
  expect(await row()).toMatchObject({ status: 'sent' })
})

test('without providers each channel says which one is missing, but for push, which needs none', async () => {
  const bare = createChannels(readSettings({ DATABASE_URL: 'postgres://x' }), { database })
  const sending = () =>
    createSending({ database, channels: bare, log, publicUrl, secret: 'a secret of the tests' }).sendDue()
  for (const [channel, error] of [
    ['sms', 'No SMS provider is configured'],
    ['whatsapp', 'No WhatsApp provider is configured'],
    ['push', 'No browser to tell'],
  ] as const) {
    await inside((db) => db.deleteFrom('messages').execute())
    const ana = await createTestUser(database, 'traveler')
    await enqueue(channel, channel === 'push' ? { user_id: ana.id } : { recipient: NUMBER })
    await sending()
    expect(await row()).toMatchObject({ status: 'failed', error })
  }
  bare.close()
})
