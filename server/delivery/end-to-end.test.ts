import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { readSettings } from '#server/env.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testDispatcher } from '#server/testing/dispatcher.ts'
import { bounceReport } from '#server/testing/mail-reports.ts'
import { startPushPeer } from '#server/testing/push.ts'
import { startMailPeer } from '#server/testing/smtp.ts'
import { startTwilioPeer, twilioError } from '#server/testing/twilio.ts'
import { createTestUser } from '#server/testing/users.ts'
import { startWhatsAppPeer, whatsAppError } from '#server/testing/whatsapp.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { createChannels } from './channels.ts'
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
    for (const table of ['messages', 'suppressions', 'unmatched_delivery_events'] as const)
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
        provider_message_id: null,
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
const send = () => testDispatcher({ database, channels, publicUrl }).sendDue()
const row = () => inside((db) => db.selectFrom('messages').selectAll().executeTakeFirstOrThrow())
const findSuppressions = () => inside((db) => db.selectFrom('suppressions').selectAll().execute())

/** Posts a delivery report as the provider would, to the callback address of the message. */
async function callBack(form: Record<string, string>, token = TOKEN) {
  const [text] = twilio.texts()
  const url = text!.StatusCallback!
  const fields = { MessageSid: (await row()).provider_message_id ?? 'SM', To: text!.To!, ...form }
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

test('a text message from outbox to phone, with late, repeated and forged delivery reports', async () => {
  await enqueue('sms', { recipient: NUMBER })
  await send()
  expect(await row()).toMatchObject({
    status: 'sent',
    provider: 'sms',
    provider_message_id: expect.stringMatching(/^SM/),
  })
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

test('a text message to a nonexistent number suppresses further ones', async () => {
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

test('a text message that fails after the provider accepted it', async () => {
  await enqueue('sms', { recipient: NUMBER })
  await send()
  await callBack({ MessageStatus: 'undelivered', ErrorCode: '30003' })
  expect(await row()).toMatchObject({ status: 'failed', error: 'undelivered (30003)' })
  expect(await findSuppressions()).toEqual([])
})

const postWhatsAppStatus = async (status: object) => {
  const value = { statuses: [{ id: (await row()).provider_message_id, ...status }] }
  const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] })
  const signature = hubSignature('app secret', Buffer.from(body))
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  return (await app.request('/api/hooks/whatsapp', { method: 'POST', headers, body })).status
}

test('a WhatsApp message from outbox to phone', async () => {
  await enqueue('whatsapp', { recipient: NUMBER })
  await send()
  expect(whatsApp.messages()).toMatchObject([{ to: NUMBER, type: 'text' }])
  expect(await postWhatsAppStatus({ status: 'delivered' })).toBe(200)
  expect(await row()).toMatchObject({ status: 'delivered', provider: 'whatsapp' })
})

test('a WhatsApp message to a number without an account', async () => {
  whatsApp.answer = () => whatsAppError(400, 131026, 'Message undeliverable')
  await enqueue('whatsapp', { recipient: NUMBER })
  await send()
  expect(await row()).toMatchObject({ status: 'failed', error: expect.stringContaining('131026') })
})

test('an email from outbox to mailbox, and a bounce from a mailbox that no longer exists', async () => {
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

test('a mailbox that the server rejects at once', async () => {
  mail.receive = () => 'refuse'
  await enqueue('email', { recipient: 'ana@example.org' })
  await send()
  mail.receive = () => 'accept'
  expect(await row()).toMatchObject({ status: 'failed', error: expect.stringContaining('No such mailbox') })
  expect(await findSuppressions()).toMatchObject([{ reason: 'bounced' }])
})

test('a push message, from granting the permission to showing it, until the permission is revoked', async () => {
  const ana = await createTestUser(database, 'traveler')
  await app.request('/api/notifications/browsers', {
    method: 'POST',
    headers: { [AS]: ana.as, 'content-type': 'application/json' },
    body: JSON.stringify(push.newBrowser()),
  })
  await enqueue('push', { user_id: ana.id })
  await send()
  expect(await row()).toMatchObject({ status: 'sent', provider: 'push', provider_message_id: '1 of 1 browsers' })
  expect(push.messages()).toMatchObject([{ payload: { title: 'Leave Peru', body: 'Flights end tonight.' } }])
  await inside((db) => db.deleteFrom('messages').execute())
  push.answer = () => ({ status: 410 })
  await enqueue('push', { user_id: ana.id })
  await send()
  expect(await row()).toMatchObject({ status: 'failed', error: 'No browser to tell' })
  expect(await inside((db) => db.selectFrom('push_subscriptions').selectAll().execute())).toEqual([])
})

test('a message that a provider does not accept now is retried later', async () => {
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
      .set({ not_before: new Date(0), leased_until: null })
      .execute(),
  )
  await send()
  expect(await row()).toMatchObject({ status: 'sent' })
})

test('without providers each channel names the missing one, except push, which needs none', async () => {
  const bare = createChannels(readSettings({ DATABASE_URL: 'postgres://x' }), { database })
  const sending = () => testDispatcher({ database, channels: bare, publicUrl }).sendDue()
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
