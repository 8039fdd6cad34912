import { afterAll, beforeEach, expect, test } from 'vitest'
import { readSettings } from '#server/env.ts'
import { CONTENT, outboundMessage, sendAll } from '#server/testing/outbound-message.ts'
import { startResendPeer } from '#server/testing/resend.ts'
import { startMailPeer } from '#server/testing/smtp.ts'
import { createChannels } from '../../channels.ts'
import { mailTransport } from './smtp.ts'

const peer = await startResendPeer()
const from = 'MFA <portal@church.example>'
const resend = { url: peer.url, key: 're_secret', from }
const transport = mailTransport([resend])
afterAll(async () => {
  transport.close()
  await peer.close()
})
beforeEach(() => {
  peer.answer = () => 'accept'
  peer.requests.length = 0
})
const sendMessage = async (more = {}, by = transport) => (await sendAll(by, [outboundMessage(more)]))[0]!

test('posts a mail with its content, unsubscribe headers and an idempotency key', async () => {
  const content = { ...CONTENT, subject: 'Leave, {{name}}', text: 'Dear {{name}}', html: '<p>{{name}}</p>' }
  const message = {
    to: 'ana@example.org',
    key: 'advisory 1 ana email',
    replyTo: 'desk@example.org',
    content,
    personal: { name: 'Ana <b>' },
    unsubscribeUrl: 'https://portal.example/u/abc',
  }
  const result = await sendMessage(message)
  expect(result).toMatchObject({
    status: 'sent',
    provider: 'resend',
    providerMessageId: expect.stringMatching(/^[\da-f-]{36}$/),
  })
  expect(peer.requests).toMatchObject([
    {
      path: '/emails',
      headers: { authorization: 'Bearer re_secret', 'idempotency-key': expect.stringMatching(/^[\da-f]{64}$/) },
    },
  ])
  expect(peer.mails().at(-1)).toEqual({
    from,
    to: ['ana@example.org'],
    subject: 'Leave, Ana <b>',
    text: 'Dear Ana <b>',
    html: '<p>Ana &lt;b&gt;</p>',
    reply_to: 'desk@example.org',
    headers: {
      'Auto-Submitted': 'auto-generated',
      'Content-Language': 'en',
      'List-Unsubscribe': '<https://portal.example/u/abc>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  })
})

test('a message submitted twice is accepted once, even if its content changed in between', async () => {
  const before = peer.mails().length
  const first = await sendMessage({ key: 'twice', to: 'ana@example.org' })
  expect(await sendMessage({ key: 'twice', to: 'ana@example.org' })).toEqual(first)
  const changed = { ...CONTENT, text: 'Other words' }
  expect(await sendMessage({ key: 'twice', to: 'ana@example.org', content: changed })).toMatchObject({ status: 'sent' })
  expect(peer.mails().length - before).toBe(1)
  await sendMessage({ key: 'twice again 1', to: 'ana@example.org' })
  expect(peer.mails().length - before).toBe(2)
})

test.each([
  [429, 'rate_limit_exceeded', 'Too many requests.', { isFinal: false, isPeerAway: true, retryAfter: 7 }],
  [500, 'application_error', 'Something went wrong.', { isFinal: false, isPeerAway: true }],
  [403, 'invalid_api_key', 'API key is invalid.', { isFinal: false, isPeerAway: true }],
  [422, 'invalid_from_address', 'Invalid `from` field.', { isFinal: false, isPeerAway: true }],
  [409, 'concurrent_idempotent_requests', 'In progress.', { isFinal: false, isPeerAway: false, mayHaveArrived: true }],
  [422, 'validation_error', 'Invalid `to` field.', { isFinal: true, suppression: 'invalid' }],
  [400, 'validation_error', 'The subject is too long.', { isFinal: true, suppression: undefined }],
] as const)('%i %s: %s', async (status, name, message, expected) => {
  peer.answer = () => ({
    status,
    body: { name, message },
    ...(status === 429 ? { headers: { 'retry-after': '7' } } : {}),
  })
  expect(await sendMessage({}, mailTransport([resend]))).toMatchObject({
    ...expected,
    message: `Email service error: ${status} (${name}: ${message})`,
  })
})

test('an unreadable or missing response may mean acceptance: retried under the same key', async () => {
  for (const answer of ['malformed', 'reset'] as const) {
    peer.answer = () => answer
    expect(await sendMessage({}, mailTransport([resend]))).toMatchObject({ isFinal: false, mayHaveArrived: true })
  }
})

test('works alongside a mail server, as primary or secondary provider', async () => {
  const server = await startMailPeer()
  const names = (environment: Record<string, string>) => {
    const settings = readSettings({ RESEND_API_KEY: 're_secret', RESEND_URL: peer.url, ...environment })
    const channels = createChannels(settings)
    return { channels, send: () => sendAll(channels.transports.email, [outboundMessage()]) }
  }
  const alone = names({})
  expect(alone.channels.sendsEmail).toBe(true)
  expect(await alone.send()).toMatchObject([{ provider: 'resend' }])
  const second = names({ SMTP_URL: 'smtp://127.0.0.1:1' })
  expect(await second.send()).toMatchObject([{ status: 'sent', provider: 'resend' }])
  peer.answer = () => ({ status: 503 })
  const first = names({ SMTP_URL_2: server.url })
  expect(await first.send()).toMatchObject([{ status: 'sent', provider: 'smtp-2' }])
  for (const { channels } of [alone, second, first]) channels.close()
  await server.close()
})
