import { afterAll, beforeEach, expect, test } from 'vitest'
import { CONTENT, outboundMessage, sendAll } from '#server/testing/outbound-message.ts'
import { startPushPeer } from '#server/testing/push.ts'
import type { Browser } from './push-subscriptions.ts'
import { makePushKeys } from './vapid.ts'
import { isAllowed, pushTransport } from './web-push.ts'

const peer = await startPushPeer()
const other = await startPushPeer()
const known: Browser[] = []
const keys = makePushKeys()
const forgotten: string[] = []
const deps = {
  browsers: {
    of: async (ids: string[]) =>
      Map.groupBy(
        known.filter(({ userId }) => ids.includes(userId)),
        ({ userId }) => userId,
      ),
    forget: async (ids: string[]) => void forgotten.push(...ids),
    used: async () => {},
  },
  keys: async () => keys,
  contact: 'mailto:portal@church.example',
  limits: { stepMs: 1_000, wholeMs: 2_000, responseBytes: 1_000 },
}
/** New for each test, because an unreachable service is skipped for a while. */
const transport = () => pushTransport({ ...deps, allowsPrivate: true })
afterAll(() => Promise.all([peer.close(), other.close()]))
beforeEach(() => {
  known.length = peer.requests.length = other.requests.length = forgotten.length = 0
  peer.answer = other.answer = () => 'accept'
})
function browserOf(userId: string, at = peer): Browser {
  const { endpoint, keys } = at.newBrowser()
  const browser = { id: `browser ${known.length}`, userId, endpoint, ...keys }
  known.push(browser)
  return browser
}
const sendTo = async (to: string, more = {}) => (await sendAll(transport(), [outboundMessage({ to, ...more })]))[0]!

test('every browser of a user gets the message, and only it can decrypt it', async () => {
  const [first, two] = [browserOf('ana'), browserOf('ana', other)]
  browserOf('ben')
  expect(await sendTo('ana', { isUrgent: true })).toMatchObject({
    status: 'sent',
    provider: 'push',
    providerMessageId: '2 of 2 browsers',
  })
  expect([...peer.messages(), ...other.messages()]).toMatchObject(
    [first, two].map(({ endpoint }) => ({
      endpoint,
      payload: CONTENT.push!,
      headers: {
        urgency: 'high',
        ttl: '86400',
        'content-encoding': 'aes128gcm',
        topic: expect.stringMatching(/^[\w-]{32}$/),
        authorization: expect.stringMatching(new RegExp(`^vapid t=[\\w.-]+, k=${keys.publicKey}$`)),
      },
    })),
  )
})

test('each recipient gets their own content, and a long text is cut to fit', async () => {
  browserOf('ana')
  const push = { title: 'Dear {{name}}', body: '🚨ع'.repeat(3_000), url: '/x', tag: 't' }
  await sendTo('ana', { content: { ...CONTENT, push }, personal: { name: 'Ana' } })
  const [pushMessage] = peer.messages()
  expect(pushMessage!.payload.title).toBe('Dear Ana')
  expect(pushMessage!.payload.body!.length).toBeGreaterThan(1_000)
  expect(peer.requests[0]!.body.length).toBeLessThanOrEqual(4_096)
})

test('deletes a subscription whose permission was revoked; with no other, the message fails', async () => {
  const gone = browserOf('ana')
  gone.endpoint += 'gone'
  expect(await sendTo('ana')).toMatchObject({ isFinal: true, message: 'No browser to tell' })
  expect(forgotten).toEqual([gone.id])
  expect(await sendTo('nobody')).toMatchObject({ isFinal: true, message: 'No browser to tell' })
  browserOf('ana')
  expect(await sendTo('ana')).toMatchObject({ status: 'sent', providerMessageId: '1 of 2 browsers' })
})

test('a rate-limited service is skipped until the time it names', async () => {
  for (let n = 0; n < 100; n++) browserOf(`reader ${n}`)
  browserOf('ben', other)
  peer.answer = () => ({ status: 429, headers: { 'retry-after': '40' } })
  const messages = [
    ...Array.from({ length: 100 }, (_, n) => outboundMessage({ to: `reader ${n}` })),
    outboundMessage({ to: 'ben' }),
  ]
  const results = await sendAll(transport(), messages)
  expect(results.at(-1)).toMatchObject({ status: 'sent' })
  for (const result of results.slice(0, -1))
    expect(result).toMatchObject({ isFinal: false, isPeerAway: false, retryAfter: 40 })
  expect(peer.requests.length).toBeLessThan(100)
})

test.each([
  ['hang', { isFinal: false, message: 'Push service error: no answer in time' }],
  ['reset', { isFinal: false, message: 'Push service error: the connection was cut' }],
  [{ status: 500 }, { isFinal: false, message: 'Push service error: 500' }],
  [
    { status: 403, body: 'VAPID' },
    { isFinal: true, message: 'Push service error: 403 ("VAPID")' },
  ],
  [{ status: 413 }, { isFinal: true, message: 'Push service error: 413' }],
] as const)('a service that responds with %j', async (answer, expected) => {
  browserOf('ana')
  peer.answer = () => answer
  expect(await sendTo('ana')).toMatchObject(expected)
  expect(forgotten).toEqual([])
})

test('content without a push form fails, other messages are sent', async () => {
  browserOf('ana')
  const results = await sendAll(transport(), [
    outboundMessage({ to: 'ana', content: { ...CONTENT, push: null } }),
    outboundMessage({ to: 'ana' }),
  ])
  expect(results).toMatchObject([{ isFinal: true }, { status: 'sent' }])
})

test('an unavailable database loses no message', async () => {
  const over = pushTransport({
    ...deps,
    allowsPrivate: true,
    browsers: { ...deps.browsers, of: () => Promise.reject(new Error('no database')) },
  })
  expect(await sendAll(over, [outboundMessage({ to: 'ana' }), outboundMessage({ to: 'ben' })])).toMatchObject([
    { isFinal: false, message: 'no database' },
    { isFinal: false },
  ])
})

test('never calls an address inside the internal network', async () => {
  const inside = browserOf('ana')
  expect(
    await sendAll(pushTransport({ ...deps, allowsPrivate: false }), [outboundMessage({ to: 'ana' })]),
  ).toMatchObject([{ message: 'No browser to tell' }])
  inside.endpoint = inside.endpoint.replace('http://127.0.0.1', 'https://localhost')
  await sendAll(pushTransport({ ...deps, allowsPrivate: false }), [outboundMessage({ to: 'ana' })])
  expect(peer.requests).toEqual([])
  for (const address of [
    'http://push.example/1',
    'https://127.0.0.1/1',
    'https://[::1]/1',
    'https://169.254.169.254/1',
    'https://0x7f000001/1',
    'https://a:b@push.example/1',
  ])
    expect(isAllowed(new URL(address), false)).toBe(false)
  expect(isAllowed(new URL('https://fcm.googleapis.com/fcm/send/1'), false)).toBe(true)
})
