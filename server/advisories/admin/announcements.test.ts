import { expect, test } from 'vitest'
import { fanOutDue } from '#server/notifications/announcements/fan-out.ts'
import { AS } from '#server/testing/app.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { Channel } from '#shared/delivery/kinds.ts'
import { administration, haiti } from './testing.ts'

const { app, ask, audits, create, database, inside } = await administration()

const subscribe = (userId: string, channels: Channel[]) =>
  inside((db) =>
    db
      .insertInto('advisory_subscriptions')
      .values({ user_id: userId, channels, countries: ['HT'] })
      .execute(),
  )
const listOf = async (id: string, as: string) =>
  (await ask('GET', `/admin/travel-advisories/${id}/announcements`, undefined, as)).body

test('an administrator sees the recipients, announces repeatedly, and sees the delivery results', async () => {
  const admin = await createTestUser(database, 'admin')
  const [ana, ben] = [await createTestUser(database, 'traveler'), await createTestUser(database, 'traveler')]
  await subscribe(ana.id, ['in-app', 'email'])
  await subscribe(ben.id, ['email', 'sms'])
  const { id } = await create({ auto_notify: false })
  expect(await listOf(id, admin.as)).toMatchObject({
    announcements: [],
    // No user has a phone number.
    readers: { people: 2, channels: { 'in-app': 1, email: 2 } },
    may_notify: true,
    times: 0,
  })
  const notify = (times: number) =>
    ask('POST', `/travel-advisories/${id}/notify`, { times, reason: 'Once more' }, admin.as)
  const first = await notify(0)
  expect(first.status).toBe(201)
  expect((await notify(0)).body.announcement_id).toBe(first.body.announcement_id)
  await fanOutDue(database)
  await inside((db) => db.updateTable('messages').set({ status: 'delivered' }).where('user_id', '=', ana.id).execute())
  expect(await listOf(id, admin.as)).toMatchObject({
    times: 1,
    announcements: [
      {
        reason: 'manual',
        version: 1,
        status: 'sent',
        by: expect.stringMatching(/^Ana/),
        people: 2,
        bells: 1,
        deliveries: { email: { waiting: 1, sent: 0, delivered: 1, failed: 0, dropped: 0 } },
      },
    ],
  })
  expect((await notify(1)).body.announcement_id).not.toBe(first.body.announcement_id)
  expect((await audits()).filter(({ action }) => action === 'advisory.notify')).toMatchObject([
    { actor_id: admin.id, subject_id: id, reason: 'Once more' },
    { after: { times: 2 } },
  ])
})

test('a preview says how many subscribers publishing would notify, also for countries changed since', async () => {
  const admin = await createTestUser(database, 'admin')
  const subscriber = await createTestUser(database, 'traveler')
  await inside((db) =>
    db
      .insertInto('advisory_subscriptions')
      .values({
        user_id: subscriber.id,
        channels: ['in-app', 'email'],
        countries: ['FJ'],
        severity_levels: ['critical'],
      })
      .execute(),
  )
  const readers = async (change: Record<string, unknown>) =>
    (await ask('POST', '/admin/travel-advisories/preview', haiti(change), admin.as)).body.readers
  const fiji = { countries: ['Fiji'], national_alert_level: null, original_wording: 'Leave' }
  expect(await readers({ ...fiji, severity_level: 'critical' })).toEqual({
    people: 1,
    channels: { 'in-app': 1, email: 1 },
  })
  expect(await readers({ ...fiji, severity_level: 'info' })).toMatchObject({ people: 0 })
  expect(await readers({ ...fiji, countries: ['Peru'], severity_level: 'critical' })).toMatchObject({ people: 0 })
})

test('an advisory that is not in force is not announced, and only administrators may announce', async () => {
  const { id } = await create({ is_draft: true })
  const admin = await createTestUser(database, 'admin')
  expect((await ask('POST', `/travel-advisories/${id}/notify`, { times: 0 }, admin.as)).body.code).toBe('not_in_force')
  const path = `/api/admin/travel-advisories/${id}/announcements`
  for (const role of ['traveler', 'mfa_coordinator'] as const) {
    const { as } = await createTestUser(database, role)
    expect((await app.request(`http://portal.test${path}`, { headers: { [AS]: as } })).status).toBe(403)
    expect((await ask('POST', `/travel-advisories/${id}/notify`, { times: 0 }, as)).status).toBe(403)
  }
})
