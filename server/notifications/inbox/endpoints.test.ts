import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import type { NotificationsTable } from '#server/db/tables-notifications.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'

const database = await testDatabase()
const app = await testApp(database)

async function insertItem(to: TestUser | string, more: Partial<Insertable<NotificationsTable>> = {}): Promise<string> {
  const { id } = await inBackground(database, 'test', (db) =>
    db
      .insertInto('notifications')
      .values({
        user_id: typeof to === 'string' ? null : to.id,
        recipient_role: typeof to === 'string' ? to : null,
        type: 'announcement',
        title: 'The office is closed on Friday',
        message: 'Call the duty number instead.',
        data: '{}',
        delivery_method: ['in-app'],
        status: 'sent',
        action_url: '/dashboard',
        event_key: null,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}

async function ask(as: TestUser, method: string, path: string) {
  const response = await app.request(`/api${path}`, { method, headers: { [AS]: as.as } })
  return { status: response.status, body: (await response.json()) as any }
}
const listOf = async (as: TestUser, query = '', of = as) =>
  (await ask(as, 'GET', `/admin-operations/users/${of.id}/notifications${query}`)).body
const titles = (body: any) => body.notifications.map(({ title }: { title: string }) => title)
/** A new user without the welcome notification. */
async function newcomer(role: Parameters<typeof createTestUser>[1]) {
  const user = await createTestUser(database, role)
  await inBackground(database, 'test', (db) => db.deleteFrom('notifications').execute())
  return user
}

test('a user reads what they and their groups received, newest first, and nothing from before they joined', async () => {
  const mfa = await newcomer('mfa_coordinator')
  await insertItem('coordinator', { title: 'Long ago', created_at: new Date('2020-01-01') })
  await insertItem('coordinator', { title: 'To all coordinators' })
  await insertItem('mfa_coordinator', { title: 'To MFA coordinators' })
  await insertItem('admin', { title: 'To administrators' })
  await insertItem(mfa, { title: 'To me' })
  await insertItem(mfa, { title: 'Not yet', status: 'scheduled' })
  const body = await listOf(mfa)
  expect(titles(body)).toEqual(['To me', 'To MFA coordinators', 'To all coordinators'])
  expect(body).toMatchObject({ success: true, total: 3, unreadCount: 3 })
  expect(body.notifications[0]).toMatchObject({ user_id: mfa.id, action_url: '/dashboard', read_at: null })
})

test('lists twenty at a time by default, filtered by type or to unread ones', async () => {
  const ana = await newcomer('traveler')
  for (let i = 0; i < 22; i++)
    await insertItem(ana, {
      title: `${i}`,
      type: i === 3 ? 'reminder' : 'announcement',
      created_at: new Date(Date.now() - 60_000 + i * 1000),
    })
  expect((await listOf(ana)).notifications).toHaveLength(20)
  expect(titles(await listOf(ana, '?limit=5&offset=20'))).toEqual(['1', '0'])
  const { notifications, total } = await listOf(ana, '?type=reminder')
  expect([notifications.length, total]).toEqual([1, 1])
  await ask(ana, 'PUT', `/admin-operations/notifications/${notifications[0].id}/read`)
  expect(await listOf(ana, '?unreadOnly=true&type=reminder')).toMatchObject({ notifications: [], unreadCount: 21 })
  for (const wrong of ['?limit=0', '?limit=101', '?offset=-1', '?unreadOnly=perhaps', '?page=2'])
    expect((await ask(ana, 'GET', `/admin-operations/users/${ana.id}/notifications${wrong}`)).status).toBe(422)
})

test('reading or archiving a group notification leaves it new for the others', async () => {
  const [first, second] = [await newcomer('pdos_coordinator'), await newcomer('local_servant')]
  const id = await insertItem('coordinator')
  expect((await ask(first, 'PUT', `/admin-operations/notifications/${id}/read`)).body).toMatchObject({ unreadCount: 0 })
  expect((await listOf(first)).notifications[0].read_at).not.toBeNull()
  expect((await ask(first, 'DELETE', `/admin-operations/notifications/${id}`)).status).toBe(200)
  expect(await listOf(first)).toMatchObject({ notifications: [], total: 0 })
  expect(await listOf(second)).toMatchObject({ total: 1, unreadCount: 1 })
  // Reading an archived notification does not restore it.
  expect((await ask(first, 'PUT', `/admin-operations/notifications/${id}/read`)).status).toBe(404)
})

test('marks all as read, and an archived notification is gone', async () => {
  const admin = await newcomer('admin')
  const id = await insertItem(admin)
  await insertItem('admin')
  expect((await ask(admin, 'GET', '/notifications/unread')).body).toMatchObject({ unreadCount: 2, arrived: [] })
  const path = `/admin-operations/users/${admin.id}/notifications/read-all`
  expect((await ask(admin, 'PUT', path)).body).toMatchObject({ unreadCount: 0 })
  expect((await ask(admin, 'PUT', path)).body).toMatchObject({ unreadCount: 0 })
  await ask(admin, 'DELETE', `/admin-operations/notifications/${id}`)
  expect(await listOf(admin)).toMatchObject({ total: 1, unreadCount: 0 })
})

test('statistics count by type and priority, in the user’s days and weeks', async () => {
  const ana = await newcomer('traveler')
  await insertItem(ana, { priority: 'urgent' })
  await insertItem(ana, { type: 'reminder', read_at: new Date() })
  await insertItem(ana, { type: 'reminder', created_at: new Date(Date.now() - 9 * 86_400_000) })
  const expected = {
    success: true,
    total: 3,
    unread: 2,
    today: 2,
    thisWeek: 2,
    byType: { announcement: 1, reminder: 2 },
    byPriority: { urgent: 1, medium: 2 },
  }
  expect((await ask(ana, 'GET', `/admin-operations/users/${ana.id}/notifications/stats`)).body).toEqual(expected)
  expect((await ask(ana, 'GET', '/admin-operations/notification-stats')).body).toEqual(expected)
})

test('what the browser shall show comes with the unread count while it is new', async () => {
  const ana = await newcomer('traveler')
  await insertItem(ana, { title: 'Now', delivery_method: ['browser', 'in-app'], priority: 'urgent' })
  await insertItem(ana, {
    title: 'An hour ago',
    delivery_method: ['browser'],
    created_at: new Date(Date.now() - 3_600_000),
  })
  await insertItem(ana, { title: 'In the list alone' })
  const { unreadCount, arrived } = (await ask(ana, 'GET', '/notifications/unread')).body
  expect(unreadCount).toBe(3)
  expect(arrived).toMatchObject([{ title: 'Now', priority: 'urgent', action_url: '/dashboard' }])
})

test('other users’ notifications are not found; an administrator reads, counts and removes them', async () => {
  const [ana, ben] = [await newcomer('traveler'), await newcomer('mfa_coordinator')]
  const admin = await newcomer('admin')
  const id = await insertItem(ana, { title: 'Private' })
  for (const [method, path] of [
    ['GET', `/admin-operations/users/${ana.id}/notifications`],
    ['GET', `/admin-operations/users/${ana.id}/notifications/stats`],
    ['PUT', `/admin-operations/users/${ana.id}/notifications/read-all`],
    ['PUT', `/admin-operations/notifications/${id}/read`],
    ['DELETE', `/admin-operations/notifications/${id}`],
  ] as const) {
    expect([path, (await ask(ben, method, path)).status]).toEqual([path, 404])
    const nobody = await app.request(`/api${path}`, { method })
    expect(nobody.status).toBe(401)
  }
  expect(titles(await listOf(admin, '', ana))).toEqual(['Private'])
  expect((await ask(admin, 'GET', `/admin-operations/users/${randomUUID()}/notifications`)).status).toBe(404)
  // Only the user marks them as read.
  expect((await ask(admin, 'PUT', `/admin-operations/notifications/${id}/read`)).status).toBe(404)
  expect(await listOf(admin)).toMatchObject({ total: 0 })
  expect((await ask(admin, 'PUT', `/admin-operations/users/${ana.id}/notifications/read-all`)).body).toMatchObject({
    unreadCount: 0,
  })
  expect((await ask(admin, 'DELETE', `/admin-operations/notifications/${id}`)).status).toBe(200)
  expect(await listOf(ana)).toMatchObject({ total: 0 })
  const { rows } = await database.background.pool.query(
    `select action from audit_log where actor_id = $1 order by id`,
    [admin.id],
  )
  expect(rows.map(({ action }: { action: string }) => action)).toEqual(['notification.read_all', 'notification.remove'])
})

test('the database itself hides and protects other users’ notifications, whatever a handler omits', async () => {
  const [ana, ben] = [await newcomer('traveler'), await newcomer('mfa_coordinator')]
  const own = await insertItem(ana)
  const group = await insertItem('admin')
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('notification_preferences')
      .values({ user_id: ana.id, channels: '{}', quiet_from: null, quiet_until: null })
      .execute(),
  )
  const as = <T>(user: TestUser, fn: Parameters<typeof withClaims<T>>[2]) =>
    withClaims(database, { as: 'user', userId: user.id, role: user.as.split(' ')[0] as 'traveler' }, fn)
  expect(await as(ben, (db) => db.selectFrom('notifications').select('id').execute())).toEqual([])
  expect(await as(ben, (db) => db.selectFrom('notification_preferences').selectAll().execute())).toEqual([])
  const touched = await as(ben, (db) =>
    db.updateTable('notifications').set({ read_at: new Date() }).where('id', '=', own).executeTakeFirst(),
  )
  expect(Number(touched.numUpdatedRows)).toBe(0)
  const read = (user: TestUser, notification_id: string, of = user) =>
    as(user, (db) => db.insertInto('notification_reads').values({ notification_id, user_id: of.id }).execute())
  await expect(read(ben, group)).rejects.toMatchObject({ code: '42501' })
  await expect(read(ben, own, ana)).rejects.toMatchObject({ code: '42501' })
})
