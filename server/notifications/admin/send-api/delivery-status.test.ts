import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testDispatcher } from '#server/testing/dispatcher.ts'
import { recordingTransports } from '#server/testing/recording-transports.ts'
import { createTestUser } from '#server/testing/users.ts'
import { fanOutDue } from '../../announcements/fan-out.ts'
import { sendDueReminders } from '../../reminders/due-reminders.ts'
import { recordDeliveryStatus } from './delivery-status.ts'

const database = await testDatabase()
const app = await testApp(database)
const ask = createApiClient(app, 'admin-operations/')
const recorder = recordingTransports()
const log = createLog('silent')
const { sendDue } = testDispatcher({ database, channels: recorder.channels })
const admin = await createTestUser(database, 'admin')
const ana = await createTestUser(database, 'traveler')

async function notify(more: object) {
  const body = { user_id: ana.id, type: 'visa', title: 'Visa', message: 'It ends.', ...more }
  const { status, body: made } = await ask(admin.as, 'POST', 'notifications', body)
  expect(status).toBe(201)
  return String(made.notificationId)
}
const statusOf = async (id: string) => {
  const { body } = await ask(admin.as, 'GET', 'notifications?limit=200')
  const { status, sent_at } = (body.notifications as { id: string; status: string; sent_at: string | null }[]).find(
    (row) => row.id === id,
  )!
  return [status, sent_at !== null]
}
const inboxOf = async ({ id, as }: { id: string; as: string }) =>
  ((await ask(as, 'GET', `users/${id}/notifications`)).body.notifications as { id: string }[]).map((row) => row.id)

test('a notification by mail alone is pending until the first mail is sent', async () => {
  const id = await notify({ delivery_method: ['email'] })
  expect(await statusOf(id)).toEqual(['pending', false])
  await recordDeliveryStatus(database)
  await fanOutDue(database)
  await recordDeliveryStatus(database)
  expect(await statusOf(id)).toEqual(['pending', false])
  await sendDue()
  await recordDeliveryStatus(database)
  expect(await statusOf(id)).toEqual(['sent', true])
  // Sent by mail, and not shown in the portal, for which it was not meant.
  expect(await inboxOf(ana)).not.toContain(id)
  expect((await ask(ana.as, 'GET', `users/${ana.id}/notifications/stats`)).body).toMatchObject({ total: 0, unread: 0 })
})

test('a planned one is scheduled, then pending, then sent', async () => {
  const soon = new Date(Date.now() + 3_600_000)
  const id = await notify({ delivery_method: ['email'], scheduled_for: soon.toISOString() })
  expect(await statusOf(id)).toEqual(['scheduled', false])
  await sendDueReminders({ database, log }, soon)
  expect(await statusOf(id)).toEqual(['pending', false])
  await fanOutDue(database)
  await sendDue()
  await recordDeliveryStatus(database)
  expect(await statusOf(id)).toEqual(['sent', true])
})

test('one that reaches nobody has failed: refused by the other side, or unwanted by its only reader', async () => {
  const refused = await notify({ delivery_method: ['email'] })
  await fanOutDue(database)
  await inBackground(database, 'test', (db) =>
    db.updateTable('messages').set({ status: 'failed' }).where('status', '=', 'pending').execute(),
  )
  const ben = await createTestUser(database, 'traveler')
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('notification_preferences')
      .values({
        user_id: ben.id,
        channels: { announcement: { email: false } } as never,
        quiet_from: null,
        quiet_until: null,
      })
      .execute(),
  )
  const unwanted = await notify({ user_id: ben.id, delivery_method: ['email'] })
  await fanOutDue(database)
  await sendDue()
  await recordDeliveryStatus(database)
  expect([await statusOf(refused), await statusOf(unwanted)]).toEqual([
    ['failed', false],
    ['failed', false],
  ])
})

test('one of several readers is enough; in the portal it is sent at once', async () => {
  const first = await createTestUser(database, 'pdos_coordinator')
  const other = await createTestUser(database, 'pdos_coordinator')
  const group = await notify({ user_id: undefined, recipient_role: 'pdos_coordinator', delivery_method: ['email'] })
  await fanOutDue(database)
  await inBackground(database, 'test', (db) =>
    db.updateTable('messages').set({ status: 'failed' }).where('user_id', '=', first.id).execute(),
  )
  await recordDeliveryStatus(database)
  expect(await statusOf(group)).toEqual(['pending', false])
  await sendDue()
  await recordDeliveryStatus(database)
  expect(await statusOf(group)).toEqual(['sent', true])
  expect(await inboxOf(other)).not.toContain(group)
  const both = await notify({ delivery_method: ['in-app', 'email'] })
  expect(await statusOf(both)).toEqual(['sent', true])
  expect(await inboxOf(ana)).toContain(both)
})

test('what an administrator recorded manually stays', async () => {
  const id = await notify({ delivery_method: ['email'] })
  await ask(admin.as, 'PUT', `notifications/${id}`, { status: 'failed' })
  await fanOutDue(database)
  await sendDue()
  await recordDeliveryStatus(database)
  expect(await statusOf(id)).toEqual(['failed', false])
  const marked = await notify({ delivery_method: ['sms'] })
  await ask(admin.as, 'PUT', `notifications/${marked}`, { status: 'sent' })
  expect(await inboxOf(ana)).not.toContain(marked)
})
