import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { browsersIn } from '#server/delivery/providers/push/push-subscriptions.ts'
import { pushKeysOf } from '#server/delivery/providers/push/vapid.ts'
import { pushTransport } from '#server/delivery/providers/push/web-push.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { outboundMessage, sendAll } from '#server/testing/outbound-message.ts'
import { startPushPeer } from '#server/testing/push.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'

const database = await testDatabase()
const nobody = { sms: [], whatsapp: undefined, mailHookToken: undefined, pushKeys: undefined }
const app = await testApp(database, { providers: { ...nobody, allowsPrivatePush: false } })
const open = await testApp(database, { providers: { ...nobody, allowsPrivatePush: true } })
const [ana, ben] = [await createTestUser(database, 'traveler'), await createTestUser(database, 'traveler')]
const peer = await startPushPeer()

async function ask(method: string, path: string, by: TestUser | null, body?: unknown, over = app) {
  const response = await over.request(`/api${path}`, {
    method,
    headers: { ...(by ? { [AS]: by.as } : {}), 'content-type': 'application/json', 'user-agent': 'Firefox' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as any }
}
const shown = (endpoint?: string) => {
  const browser = peer.newBrowser()
  return { ...browser, endpoint: endpoint ?? browser.endpoint.replace('http://127.0.0.1', 'https://push.example') }
}
const add = (by: TestUser, browser: unknown, over = app) => ask('POST', '/notifications/browsers', by, browser, over)
const browsersOf = async (by: TestUser) =>
  (await ask('GET', '/notifications/browsers', by)).body.browsers as { id: string }[]

test('the key pair is created once and is the same on every node', async () => {
  const { body } = await ask('GET', '/public/push-key', null)
  expect(Buffer.from(body.public_key, 'base64url')).toHaveLength(65)
  expect((await ask('GET', '/public/push-key', null, undefined, open)).body.public_key).toBe(body.public_key)
  const keys = await Promise.all([1, 2, 3].map(() => pushKeysOf(database, undefined)))
  expect(new Set(keys.map(({ publicKey }) => publicKey))).toEqual(new Set([body.public_key]))
  const configured = { publicKey: 'a', privateKey: 'b' }
  expect(await pushKeysOf(database, configured)).toBe(configured)
})

test('a browser belongs to the user who registered it last, and users see and remove only their own', async () => {
  const browser = { ...shown(), expirationTime: null }
  expect((await add(ana, browser)).status).toBe(201)
  expect((await add(ana, browser)).status).toBe(201)
  expect(await browsersOf(ana)).toMatchObject([{ user_agent: 'Firefox', last_used_at: null }])
  const [{ id } = { id: '' }] = await browsersOf(ana)
  expect((await ask('DELETE', '/notifications/browsers', ben, { id })).body.removed).toBe(false)
  expect((await add(ben, browser)).status).toBe(201)
  expect([await browsersOf(ana), (await browsersOf(ben)).length]).toEqual([[], 1])
  expect((await ask('DELETE', '/notifications/browsers', ana, { endpoint: browser.endpoint })).body.removed).toBe(false)
  expect((await ask('DELETE', '/notifications/browsers', ben, { endpoint: browser.endpoint })).body.removed).toBe(true)
  expect(await browsersOf(ben)).toEqual([])
})

test('nobody is subscribed without signing in', async () => {
  for (const method of ['GET', 'POST', 'DELETE'])
    expect((await ask(method, '/notifications/browsers', null, method === 'GET' ? undefined : shown())).status).toBe(
      401,
    )
})

test.each([
  ['http://push.example/1'],
  ['https://127.0.0.1/1'],
  ['https://[::ffff:10.0.0.1]/1'],
  ['https://169.254.169.254/latest/meta-data'],
  ['https://user:pass@push.example/1'],
  ['file:///etc/passwd'],
])('%s is not a push service URL', async (endpoint) => {
  expect((await add(ana, shown(endpoint))).status).toBe(422)
  expect(await browsersOf(ana)).toEqual([])
})

test('rejects unusable encryption keys', async () => {
  const { endpoint, keys } = shown()
  for (const wrong of [
    { ...keys, auth: 'short' },
    { ...keys, p256dh: 'A'.repeat(87) },
    { ...keys, p256dh: '<script>' },
  ])
    expect((await add(ana, { endpoint, keys: wrong })).status).toBe(422)
})

test('a user has up to ten browsers; beyond that the least recently used is deleted', async () => {
  const first = shown()
  await add(ana, first)
  await inBackground(database, 'test', (db) =>
    db
      .updateTable('push_subscriptions')
      .set({ created_at: new Date(0) })
      .execute(),
  )
  await Promise.all(Array.from({ length: 12 }, () => add(ana, shown())))
  expect(await browsersOf(ana)).toHaveLength(10)
  expect((await ask('DELETE', '/notifications/browsers', ana, { endpoint: first.endpoint })).body.removed).toBe(false)
})

test('from granting the permission to showing a message, until it is revoked', async () => {
  const carla = await createTestUser(database, 'traveler')
  const transport = pushTransport({
    browsers: browsersIn(database),
    keys: () => pushKeysOf(database, undefined),
    contact: 'mailto:portal@church.example',
    allowsPrivate: true,
  })
  const [first, two] = [peer.newBrowser(), peer.newBrowser()]
  for (const browser of [first, two]) expect((await add(carla, browser, open)).status).toBe(201)
  expect(await sendAll(transport, [outboundMessage({ to: carla.id })])).toMatchObject([
    { status: 'sent', providerMessageId: '2 of 2 browsers' },
  ])
  expect(peer.messages().map(({ payload }) => payload.title)).toEqual(['Leave Peru', 'Leave Peru'])
  expect(await browsersOf(carla)).toMatchObject([
    { last_used_at: expect.any(String) },
    { last_used_at: expect.any(String) },
  ])
  peer.answer = () => ({ status: 410 })
  expect(await sendAll(transport, [outboundMessage({ to: carla.id })])).toMatchObject([
    { isFinal: true, message: 'No browser to tell' },
  ])
  expect(await browsersOf(carla)).toEqual([])
  transport.close()
  await peer.close()
})
