import { afterAll, beforeEach, expect, test } from 'vitest'
import { CONTENT, outboundMessage, sendAll } from '#server/testing/outbound-message.ts'
import { startTwilioPeer, twilioError } from '#server/testing/twilio.ts'
import { smsTransport } from './twilio.ts'

const peer = await startTwilioPeer()
const ACCOUNT = `AC${'a'.repeat(32)}`
const settings = { name: 'twilio', url: peer.url, account: ACCOUNT, token: 'secret', from: '+15005550006' }
const callback = 'https://portal.example/api/hooks/sms/twilio/status'
const limits = { stepMs: 1_000, wholeMs: 2_000, responseBytes: 1_000 }
const transport = smsTransport([settings], () => callback, limits)
afterAll(async () => {
  transport.close()
  await peer.close()
})
beforeEach(() => {
  peer.answer = () => 'accept'
  peer.requests.length = 0
})
const to = '+639171234567'
const sendMessage = async (more = {}) => (await sendAll(transport, [outboundMessage({ to, ...more })]))[0]!

test('posts a text in Twilio’s format, with the status callback', async () => {
  expect(await sendMessage()).toMatchObject({
    status: 'sent',
    provider: 'twilio',
    providerMessageId: expect.stringMatching(/^SM/),
  })
  expect(peer.requests).toMatchObject([
    {
      path: `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`,
      headers: {
        authorization: `Basic ${Buffer.from(`${ACCOUNT}:secret`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    },
  ])
  expect(peer.texts()).toEqual([
    {
      To: to,
      From: '+15005550006',
      Body: 'Leave Peru\nFlights end tonight.\nhttps://portal.example/a/1',
      StatusCallback: callback,
    },
  ])
})

test('a messaging service replaces the number, and each recipient gets their own content', async () => {
  const service = smsTransport([{ ...settings, from: `MG${'b'.repeat(32)}` }])
  const content = {
    ...CONTENT,
    short: { title: 'Dear {{name}}', message: 'م & +', link: 'https://portal.example/{{token}}' },
  }
  await sendAll(service, [outboundMessage({ to, content, personal: { name: 'ريم', token: 'a=1' } })])
  expect(peer.texts()).toEqual([
    { To: to, MessagingServiceSid: `MG${'b'.repeat(32)}`, Body: 'Dear ريم\nم & +\nhttps://portal.example/a=1' },
  ])
  service.close()
})

test('a composed text is cut to 160 characters, a raw text is sent whole up to 1600', async () => {
  const long = (title: string, length: number) => ({
    ...CONTENT,
    short: { title, message: 'x'.repeat(length), link: null },
  })
  await sendMessage({ content: long('Title', 900) })
  await sendMessage({ content: long('', 1_600) })
  expect(peer.texts().map(({ Body }) => Body!.length)).toEqual([160, 1_600])
  expect(await sendMessage({ content: long('', 1_601) })).toMatchObject({
    isFinal: true,
    message: 'SMS message too long (max 1600 characters)',
    suppression: undefined,
  })
})

test('an invalid number is not sent to and is suppressed', async () => {
  expect(await sendMessage({ to: '0917 123 4567' })).toMatchObject({
    isFinal: true,
    suppression: 'invalid',
    message: 'Invalid phone number format',
  })
  expect(peer.requests).toEqual([])
})

test.each([
  [400, 21211, { isFinal: true, suppression: 'invalid' }],
  [400, 21614, { isFinal: true, suppression: 'invalid' }],
  [400, 21610, { isFinal: true, suppression: 'opted_out' }],
  [400, 21408, { isFinal: true, suppression: undefined, isPeerAway: false }],
  [400, 21611, { isFinal: false, suppression: undefined }],
  [401, 20003, { isFinal: false, isPeerAway: true }],
  [500, 20500, { isFinal: false, isPeerAway: false, mayHaveArrived: false }],
  [503, 20503, { isFinal: false, isPeerAway: true }],
])('a response of %i with code %i', async (status, code, expected) => {
  peer.answer = () => twilioError(status, code, 'Why')
  expect(await sendMessage()).toMatchObject({ ...expected, message: `SMS service error: ${status} (${code} Why)` })
})

test('a rate limit sets the retry time, and the rest of the batch is not attempted', async () => {
  peer.answer = () => ({ ...twilioError(429, 20429, 'Too Many Requests'), headers: { 'retry-after': '7' } })
  const results = await sendAll(
    transport,
    Array.from({ length: 100 }, () => outboundMessage({ to })),
  )
  expect(results).toHaveLength(100)
  for (const result of results) expect(result).toMatchObject({ isFinal: false, isPeerAway: true, retryAfter: 7 })
  expect(peer.requests.length).toBeLessThanOrEqual(20)
})

test.each([
  ['hang', { message: 'SMS service error: no answer in time', isPeerAway: true, mayHaveArrived: true }],
  ['reset', { message: 'SMS service error: the connection was cut', isPeerAway: true, mayHaveArrived: true }],
  ['malformed', { message: expect.stringContaining('cannot be read'), mayHaveArrived: true }],
] as const)('a response with %s is retried later', async (answer, expected) => {
  peer.answer = () => answer
  expect(await sendMessage()).toMatchObject({ isFinal: false, ...expected })
})

test('an unreachable provider counts as away, and nothing was transmitted', async () => {
  const away = await startTwilioPeer()
  await away.close()
  const over = smsTransport([{ ...settings, url: away.url }])
  expect(await sendAll(over, [outboundMessage({ to })])).toMatchObject([
    {
      isFinal: false,
      isPeerAway: true,
      mayHaveArrived: false,
      message: 'SMS service error: the connection was refused',
    },
  ])
  over.close()
})

test('a message the first provider rejects goes to the second at once, one it may have accepted does not', async () => {
  const second = await startTwilioPeer()
  const both = () =>
    smsTransport(
      [
        { ...settings, name: 'sms' },
        { ...settings, name: 'sms-2', url: second.url },
      ],
      undefined,
      limits,
    )
  peer.answer = () => twilioError(503, 20503, 'Out of service')
  expect(await sendAll(both(), [outboundMessage({ to })])).toMatchObject([{ status: 'sent', provider: 'sms-2' }])
  peer.answer = () => 'reset'
  expect(await sendAll(both(), [outboundMessage({ to })])).toMatchObject([{ isFinal: false, provider: 'sms' }])
  peer.answer = () => twilioError(400, 21211, 'The To number is not valid')
  expect(await sendAll(both(), [outboundMessage({ to })])).toMatchObject([{ isFinal: true, suppression: 'invalid' }])
  expect(second.requests).toHaveLength(1)
  await second.close()
})
