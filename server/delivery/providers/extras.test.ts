import PostalMime from 'postal-mime'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { CONTENT, outboundMessage, sendAll } from '#server/testing/outbound-message.ts'
import { startPushPeer } from '#server/testing/push.ts'
import { startTwilioPeer } from '#server/testing/twilio.ts'
import { startWhatsAppPeer } from '#server/testing/whatsapp.ts'
import { mailWriter } from './email/mime.ts'
import { makePushKeys } from './push/vapid.ts'
import { pushTransport } from './push/web-push.ts'
import { smsTransport } from './sms/twilio.ts'
import { whatsAppTransport } from './whatsapp/cloud-api.ts'

const [twilio, whatsApp, push] = await Promise.all([startTwilioPeer(), startWhatsAppPeer(), startPushPeer()])
afterAll(() => Promise.all([twilio.close(), whatsApp.close(), push.close()]))
beforeEach(() => {
  twilio.requests.length = whatsApp.requests.length = push.requests.length = 0
})

const to = '+14155552345'
const content = { ...CONTENT, short: { title: '', message: 'The way out', link: null } }
const map = 'https://files.example/map.png'

test('a mail has the sender and headers of the API call; the envelope sender stays the configured one', async () => {
  const write = mailWriter('MFA Portal <portal@church.example>')
  const extras = {
    from: 'PDOS Desk <pdos@church.example>',
    headers: { 'X-Priority': '1', 'X-Portal-Case': 'y'.repeat(300) },
  }
  const bytes = await write(outboundMessage({ extras }), 'ana@example.org', '<1@church.example>', new Date())
  const mail = await PostalMime.parse(bytes)
  expect(mail.from).toEqual({ name: 'PDOS Desk', address: 'pdos@church.example' })
  expect(mail.headers).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ key: 'x-priority', value: '1' }),
      expect.objectContaining({ key: 'x-portal-case', value: 'y'.repeat(300) }),
    ]),
  )
  expect(
    Math.max(
      ...bytes
        .toString()
        .split('\r\n')
        .map((line) => line.length),
    ),
  ).toBeLessThan(998)
})

test('a text message includes the picture and uses the provider that owns the sender number', async () => {
  const provider = { url: twilio.url, account: `AC${'a'.repeat(32)}`, token: 'x' }
  const transport = smsTransport([
    { ...provider, name: 'sms', from: '+15005550006' },
    { ...provider, name: 'sms-2', from: '+15005550009' },
  ])
  const sent = await sendAll(transport, [
    outboundMessage({ to, content, extras: { media_url: map } }),
    outboundMessage({ to, content, extras: { from: '+15005550009' } }),
    outboundMessage({ to, content, extras: { from: '+15005550001' } }),
  ])
  expect(sent).toMatchObject([
    { status: 'sent', provider: 'sms' },
    { status: 'sent', provider: 'sms-2' },
    { isFinal: true, message: 'No provider sends as this sender' },
  ])
  expect(twilio.texts()).toMatchObject([{ From: '+15005550006', MediaUrl: map }, { From: '+15005550009' }])
  transport.close()
})

test('WhatsApp shows a picture, video or document with the text as caption', async () => {
  const settings = { url: whatsApp.url, phoneId: '1063', token: 'x', appSecret: undefined, verifyToken: undefined }
  const transport = whatsAppTransport({ ...settings, template: undefined })
  for (const media_url of [map, 'https://files.example/film.MP4', 'https://files.example/list.pdf?v=2'])
    await sendAll(transport, [outboundMessage({ to, content, extras: { media_url } })])
  expect(whatsApp.messages()).toMatchObject([
    { type: 'image', image: { link: map, caption: 'The way out' } },
    { type: 'video', video: { link: 'https://files.example/film.MP4' } },
    { type: 'document', document: { link: 'https://files.example/list.pdf?v=2' } },
  ])
  transport.close()
})

test('a push includes its data, and a duplicate has the same topic, tag and id', async () => {
  const { endpoint, keys } = push.newBrowser()
  const pushKeys = makePushKeys()
  const browser = { id: 'one', userId: 'ana', endpoint, ...keys }
  const transport = pushTransport({
    browsers: { of: async () => new Map([['ana', [browser]]]), forget: async () => {}, used: async () => {} },
    keys: async () => pushKeys,
    contact: 'mailto:portal@church.example',
    allowsPrivate: true,
  })
  const pushContent = {
    title: 'Now',
    body: 'Read',
    url: 'https://portal.example/dashboard',
    tag: 'raw 1',
    id: 'raw 1',
    data: { type: 'x' },
  }
  const copy = () =>
    outboundMessage({ to: 'ana', key: 'raw 1', isUrgent: true, content: { ...CONTENT, push: pushContent } })
  await sendAll(transport, [copy()])
  await sendAll(transport, [copy()])
  const [first, second] = push.messages()
  expect(first!.payload).toEqual({ ...pushContent, isUrgent: true })
  expect(second!.payload).toEqual(first!.payload)
  expect(second!.headers.topic).toBe(first!.headers.topic)
  transport.close()
})
