import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Session } from '#server/http/session.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'

const database = await testDatabase()
/** "local_servant <id> JP,SA": also names the scope of the role. */
const AS = 'x-test-as'
const app = await testApp(database, {
  readSession: (request, address): Session => {
    const [role, id, countries] = (request.headers.get(AS) ?? '').split(' ')
    const scope = countries ? { scope: { countries: countries.split(','), chapters: null } } : {}
    return { address, user: role && id ? { id, name: 'Test', role: role as never, ...scope } : null }
  },
})
async function call(by: TestUser | null, countries: string, method: string, path: string, body?: unknown) {
  const response = await app.request(`/api${path}`, {
    method,
    headers: {
      ...(by ? { [AS]: `${by.as} ${countries}`.trim() } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
}
const statusOf = async (who: TestUser) =>
  database.background.kysely
    .selectFrom('user_profiles')
    .select(['profile_status', 'is_flagged', 'status_reason', 'verified_by'])
    .where('id', '=', who.id)
    .executeTakeFirstOrThrow()
const notificationsOf = (who: TestUser) =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('notifications').select(['type', 'action_url']).where('user_id', '=', who.id).execute(),
  )

const servant = await createTestUser(database, 'local_servant')
const pending = (country_code: string) =>
  createTestUser(database, 'traveler', { profile_status: 'pending', country_code })
const inJapan = await pending('JP')
const inSpain = await pending('ES')
const accounts = async (by: TestUser, countries: string) =>
  ((await call(by, countries, 'GET', '/accounts/new')).answer.accounts as { id: string }[]).map(({ id }) => id)

test('a coordinator is shown the new accounts of their countries, the longest waiting first', async () => {
  expect(await accounts(servant, 'JP')).toEqual([inJapan.id])
  expect(await accounts(servant, 'JP,ES')).toEqual([inJapan.id, inSpain.id])
  expect(await accounts(await createTestUser(database, 'admin'), '')).toEqual([inJapan.id, inSpain.id])
})

test('a coordinator verifies them: audited under the coordinator, and the user is notified', async () => {
  const user = await pending('JP')
  expect((await call(servant, 'JP', 'POST', `/accounts/${user.id}/verify`)).status).toBe(200)
  expect(await statusOf(user)).toMatchObject({ profile_status: 'active', verified_by: servant.id })
  expect(await notificationsOf(user)).toEqual([{ type: 'account-verified', action_url: '/dashboard' }])
  const log = await inBackground(database, 'test', (db) =>
    db.selectFrom('audit_log').selectAll().where('subject_id', '=', user.id).execute(),
  )
  expect(log).toMatchObject([{ action: 'user.verify', actor_id: servant.id, actor_role: 'local_servant' }])
  const mails = await inBackground(database, 'test', (db) =>
    db.selectFrom('messages').selectAll().where('user_id', '=', user.id).execute(),
  )
  expect(mails).toMatchObject([{ template: 'account-verified', recipient: user.email }])
})

test('a coordinator flags one with a reason, for an administrator; the user is not notified', async () => {
  const user = await pending('JP')
  const path = `/accounts/${user.id}/flag`
  expect((await call(servant, 'JP', 'POST', path, {})).answer.fields).toEqual({ reason: 'This field is required' })
  await call(servant, 'JP', 'POST', path, { reason: 'Unknown in the chapter' })
  expect(await statusOf(user)).toMatchObject({ is_flagged: true, status_reason: 'Unknown in the chapter' })
  expect(await notificationsOf(user)).toEqual([])
  await call(servant, 'JP', 'POST', path, { is_flagged: false })
  expect(await statusOf(user)).toMatchObject({ is_flagged: false, status_reason: null })
})

test('users out of scope, other coordinators and the coordinator themselves are not found', async () => {
  const other = await createTestUser(database, 'mfa_coordinator', { country_code: 'JP', profile_status: 'pending' })
  for (const user of [inSpain, other])
    for (const [path, body] of [
      [`/accounts/${user.id}/verify`, undefined],
      [`/accounts/${user.id}/flag`, { reason: 'x' }],
    ] as const)
      expect((await call(servant, 'JP', 'POST', path, body)).status).toBe(404)
  expect(await statusOf(inSpain)).toMatchObject({ profile_status: 'pending', is_flagged: false })
  expect(await statusOf(other)).toMatchObject({ profile_status: 'pending', is_flagged: false })
  expect((await call(servant, 'JP', 'POST', `/accounts/${servant.id}/verify`)).status).toBe(409)
})

test('a coordinator cannot reactivate a suspended user', async () => {
  const user = await createTestUser(database, 'traveler', { profile_status: 'suspended', country_code: 'JP' })
  expect(await call(servant, 'JP', 'POST', `/accounts/${user.id}/verify`)).toMatchObject({
    status: 409,
    answer: { code: 'not_new' },
  })
})

test('travelers, members and group coordinators have no list of new accounts', async () => {
  for (const role of ['traveler', 'member', 'coordinator'] as const) {
    const who = await createTestUser(database, role)
    for (const [method, path, body] of [
      ['GET', '/accounts/new'],
      ['POST', `/accounts/${inJapan.id}/verify`],
      ['POST', `/accounts/${inJapan.id}/flag`, { reason: 'x' }],
    ] as const)
      expect((await call(who, '', method, path, body)).status).toBe(403)
  }
  expect((await call(null, '', 'GET', '/accounts/new')).status).toBe(401)
  expect(await statusOf(inJapan)).toMatchObject({ profile_status: 'pending' })
})
