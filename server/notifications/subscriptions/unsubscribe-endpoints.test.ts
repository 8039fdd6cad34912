import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'
import type { Channel } from '#shared/delivery/kinds.ts'
import { createUnsubscribeLinks, type UnsubscribePayload } from './unsubscribe-link.ts'

const database = await testDatabase()
const SECRET = 'a secret that only tests may know of'
const app = await testApp(database, { secret: SECRET })
const links = createUnsubscribeLinks(SECRET)

const ONE_CLICK = {
  body: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' },
}
async function ask(method: string, payload: UnsubscribePayload | string, end = '', init: RequestInit = {}) {
  const token = typeof payload === 'string' ? payload : links.sign(payload)
  const response = await app.request(`/api/public/unsubscribe/${token}${end}`, { method, ...init })
  return { status: response.status, body: (await response.json()) as any }
}
const subscribe = async ({ id: user_id }: TestUser, channels: Channel[]) =>
  (
    await inBackground(database, 'test', (db) =>
      db
        .insertInto('advisory_subscriptions')
        .values({ user_id, channels, countries: ['PE'] })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  ).id
const subscription = (id: string) =>
  inBackground(database, 'test', (db) =>
    db
      .selectFrom('advisory_subscriptions')
      .select(['channels', 'active'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )
const chosen = ({ id }: TestUser) =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('notification_preferences').select('channels').where('user_id', '=', id).executeTakeFirst(),
  )

test('one click in a mail program ends only this kind of mail, and opening the link ends nothing', async () => {
  const ana = await createTestUser(database, 'traveler')
  const payload = { userId: ana.id, kind: 'announcement' } as const
  expect((await ask('GET', payload)).body).toMatchObject({
    kind: 'announcement',
    subscription: null,
    is_kind_ended: false,
  })
  expect(await chosen(ana)).toBeUndefined()
  for (let i = 0; i < 2; i++)
    expect(await ask('POST', payload, '', ONE_CLICK)).toMatchObject({ status: 200, body: { is_kind_ended: true } })
  expect(await chosen(ana)).toEqual({ channels: { announcement: { email: false } } })
  await ask('POST', { userId: ana.id, kind: 'reminder' }, '', ONE_CLICK)
  expect(await chosen(ana)).toEqual({ channels: { announcement: { email: false }, reminder: { email: false } } })
  expect((await ask('POST', payload, '/undo')).body).toMatchObject({ is_kind_ended: false })
  expect(await chosen(ana)).toEqual({ channels: { announcement: { email: true }, reminder: { email: false } } })
})

test('ending a subscription’s mail keeps its other channels, and one with mail alone is paused', async () => {
  const ana = await createTestUser(database, 'traveler')
  const both = { userId: ana.id, kind: 'advisory', subscriptionId: await subscribe(ana, ['email', 'sms']) } as const
  expect((await ask('POST', both, '', ONE_CLICK)).body).toMatchObject({
    subscription: { countries: ['PE'], is_ended: true },
    is_kind_ended: false,
  })
  expect(await subscription(both.subscriptionId)).toEqual({ channels: ['sms'], active: true })
  await ask('POST', both, '/undo')
  expect(await subscription(both.subscriptionId)).toEqual({ channels: ['sms', 'email'], active: true })

  const ben = await createTestUser(database, 'traveler')
  const alone = { userId: ben.id, kind: 'advisory', subscriptionId: await subscribe(ben, ['email']) } as const
  for (let i = 0; i < 2; i++) await ask('POST', alone, '', ONE_CLICK)
  expect(await subscription(alone.subscriptionId)).toEqual({ channels: ['email'], active: false })
  await ask('POST', alone, '/undo')
  expect(await subscription(alone.subscriptionId)).toEqual({ channels: ['email'], active: true })
})

test('ends all advisory mail on request, or if the subscription no longer exists', async () => {
  const ana = await createTestUser(database, 'traveler')
  const id = await subscribe(ana, ['email'])
  const payload = { userId: ana.id, kind: 'advisory', subscriptionId: id } as const
  expect((await ask('POST', payload, '?scope=kind')).body).toMatchObject({
    subscription: { is_ended: false },
    is_kind_ended: true,
  })
  await ask('POST', payload, '/undo?scope=kind')
  const gone = { ...payload, subscriptionId: randomUUID() }
  expect((await ask('POST', gone, '', ONE_CLICK)).body).toMatchObject({ subscription: null, is_kind_ended: true })
})

test('other users’ subscriptions are never changed, whatever a link contains', async () => {
  const [ana, ben] = [await createTestUser(database, 'traveler'), await createTestUser(database, 'traveler')]
  const id = await subscribe(ana, ['email'])
  await ask('POST', { userId: ben.id, kind: 'advisory', subscriptionId: id })
  expect(await subscription(id)).toEqual({ channels: ['email'], active: true })
})

test('a forged link and one of a deleted account are distinguished, and change nothing', async () => {
  const ana = await createTestUser(database, 'traveler', { profile_status: 'deleted' })
  for (const method of ['GET', 'POST']) {
    expect(await ask(method, `${links.sign({ userId: ana.id, kind: 'announcement' })}A`)).toMatchObject({
      status: 404,
      body: { code: 'unknown_link' },
    })
    for (const userId of [ana.id, randomUUID()])
      expect(await ask(method, { userId, kind: 'announcement' })).toMatchObject({
        status: 404,
        body: { code: 'no_account' },
      })
  }
})

test('only the one-click request is accepted cross-site', async () => {
  const ana = await createTestUser(database, 'traveler')
  const foreign = { headers: { origin: 'https://evil.example' } }
  expect((await ask('POST', { userId: ana.id, kind: 'announcement' }, '/undo', foreign)).status).toBe(403)
  expect((await app.request('/api/auth/logout', { method: 'POST', ...foreign })).status).toBe(403)
})
