import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { pruneMessages } from '#server/delivery/retention.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { testApp } from '#server/testing/app.ts'
import { emptyTables, testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { createTestUser } from '#server/testing/users.ts'
import { advisoryAnnouncement } from '../advisory-changes/announce.ts'
import { announce } from '../announcements/create.ts'
import { fanOutDue } from '../announcements/fan-out.ts'
import { measureDeliveries } from '../announcements/stats.ts'
import { monitorDelivery } from './check.ts'

const database = await testDatabase()
const app = await testApp(database)
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const check = () => monitorDelivery({ database, publicUrl: 'http://portal.test' })
const countries = app.models.countries.countries()

beforeEach(async () => {
  await emptyTables(database)
  const { kysely } = database.background
  await sql`truncate messages, announcements, notifications, delivery_monitor_alarms, delivery_stats,
    advisory_subscriptions cascade`.execute(kysely)
  await inside((db) => writeSetting(db, 'notifications.canary_email', 'canary@example.org'))
})

async function announced(more: object = {}) {
  return inside(async (db) => {
    const after = await insertAdvisory(db, { title: 'Leave Peru', country_codes: ['PE'], is_urgent: true, ...more })
    const { id } = after
    const input = { id, before: null, after, reason: 'new', key: `advisory ${id} v1` } as const
    return announce(db, advisoryAnnouncement(input, countries))
  })
}
const later = (table: 'announcements' | 'messages', minutes: number) =>
  inside((db) =>
    sql`update ${sql.table(table)} set created_at = created_at - make_interval(mins => ${minutes})`.execute(db),
  )
const canaries = () =>
  inside((db) =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('template', 'in', ['canary', 'admin-alert'])
      .orderBy('created_at')
      .execute(),
  )
const alarms = () => inside((db) => db.selectFrom('delivery_monitor_alarms').selectAll().orderBy('raised_at').execute())
const adminAlertTitles = async () =>
  (await inside((db) => db.selectFrom('notifications').selectAll().where('recipient_role', '=', 'admin').execute()))
    .map(({ title }) => title)
    .sort()

test('an urgent advisory is also sent to each canary address, others are not', async () => {
  await announced({ is_urgent: false, severity_level: 'critical' })
  expect(await canaries()).toEqual([])
  await inside((db) => writeSetting(db, 'notifications.canary_phone', '+639171234567'))
  await announced()
  expect((await canaries()).sort((a, b) => (a.channel < b.channel ? -1 : 1))).toMatchObject([
    { channel: 'email', recipient: 'canary@example.org', user_id: null, queue_priority: 0, announcement_id: null },
    { channel: 'sms', recipient: '+639171234567', body_text: 'Canary: Leave Peru' },
  ])
})

test('a successful delivery raises no alarm and is recorded as proof', async () => {
  await announced()
  await fanOutDue(database)
  await inside((db) => db.updateTable('messages').set({ status: 'sent', sent_at: new Date() }).execute())
  await later('announcements', 10)
  await check()
  expect(await alarms()).toEqual([])
  const [proof] = await inside((db) => db.selectFrom('delivery_monitor_checks').selectAll().execute())
  expect(proof!.sent_at).toBeInstanceOf(Date)
})

test('a stalled fan-out and unsent mail raise one alarm each, in administrators’ inbox and mail', async () => {
  const admin = await createTestUser(database, 'admin', { preferred_language: 'ar' })
  await announced()
  await check()
  expect(await alarms()).toEqual([])
  await later('announcements', 6)
  await check()
  await check()
  expect((await alarms()).map(({ cause, count, detail }) => [cause, count, detail])).toEqual([
    ['not_fanned_out', 1, 'Leave Peru'],
    ['not_sent_email', 1, 'Leave Peru'],
  ])
  expect(await adminAlertTitles()).toEqual(['Urgent advisory not sent', 'Urgent email is not being sent'])
  const mails = (await canaries()).filter(({ user_id }) => user_id === admin.id)
  expect(mails).toHaveLength(2)
  expect(mails[0]).toMatchObject({ recipient: admin.email, language: 'ar', queue_priority: 0 })
})

test('a resolved alarm is reported and can be raised again', async () => {
  await announced()
  await later('announcements', 3)
  await check()
  await fanOutDue(database)
  await inside((db) => db.updateTable('messages').set({ status: 'sent', sent_at: new Date() }).execute())
  await check()
  expect(await alarms()).toMatchObject([{ cause: 'not_fanned_out', cleared_at: expect.any(Date) }])
  expect(await adminAlertTitles()).toEqual(['Resolved: Urgent advisory not sent', 'Urgent advisory not sent'])
  await announced()
  await later('announcements', 3)
  await check()
  expect((await alarms()).map(({ cleared_at }) => cleared_at === null)).toEqual([false, true])
})

test('finds an unannounced urgent advisory; ignores drafts, snapshots, duplicates and excluded ones', async () => {
  const old = new Date(Date.now() - 600_000)
  const urgent = { is_urgent: true, auto_notify: true, created_at: old, country_codes: ['PE'] }
  const ids = await inside(async (db) => {
    for (const more of [{ status: 'draft' as const }, { captured_on: '2026-01-01' }, { auto_notify: false }])
      await insertAdvisory(db, { ...urgent, ...more })
    return insertAdvisory(db, { ...urgent, title: 'Leave Peru at once' })
  })
  await check()
  expect(await alarms()).toMatchObject([{ cause: 'not_announced', count: 1, detail: 'Leave Peru at once' }])
  await inside((db) =>
    announce(
      db,
      advisoryAnnouncement({ id: ids.id, before: null, after: ids, reason: 'manual', key: 'manual' }, countries),
    ),
  )
  await fanOutDue(database)
  await check()
  expect((await alarms())[0]!.cleared_at).toBeInstanceOf(Date)
})

test('the status page shows measurements, and none as none', async () => {
  const read = async () => {
    const fresh = await testApp(database)
    return (await (await fresh.request('http://portal.test/api/public/status')).json()) as Record<string, never>
  }
  expect(await read()).toMatchObject({ measured_at: null, figures: [], proof: null, alarms: [] })
  await measureDeliveries(database)
  const none = { channel: 'all', announcements: 0, messages: 0, handed_over_p50: null }
  expect(await read()).toMatchObject({
    days: 30,
    measured_at: expect.any(String),
    figures: [
      { scope: 'urgent', ...none },
      { scope: 'all', ...none },
    ],
  })
  const users = [
    await createTestUser(database, 'traveler'),
    await createTestUser(database, 'traveler'),
    await createTestUser(database, 'traveler'),
  ]
  await inside((db) =>
    db
      .insertInto('advisory_subscriptions')
      .values(users.map(({ id }) => ({ user_id: id, channels: ['email' as const], severity_levels: ['info'] })))
      .execute(),
  )
  const id = await announced()
  await fanOutDue(database)
  await inside(async (db) => {
    // The third user reads a digest the next day.
    for (const [at, { id: user }] of users.entries())
      await sql`update messages m set status = ${at === 1 ? 'delivered' : 'sent'},
          sent_at = a.created_at + make_interval(secs => ${[10, 20, 86_400][at]}),
          delivered_at = ${at === 1 ? sql`a.created_at + interval '30 seconds'` : sql`null`},
          digest_key = ${at === 2 ? 'digest of tomorrow' : null}
        from announcements a where a.id = m.announcement_id and m.user_id = ${user}`.execute(db)
  })
  await measureDeliveries(database)
  const email = { messages: 3, handed_over: 3, delivered: 1, failed: 0, handed_over_p50: 15, handed_over_p95: 19.5 }
  const { figures, proof } = (await read()) as Record<'figures' | 'proof', never>
  expect(figures).toMatchObject([
    { scope: 'urgent', channel: 'all', announcements: 1, ...email, delivered_p50: 30 },
    { scope: 'urgent', channel: 'email', ...email },
    { scope: 'all', channel: 'all', ...email },
    { scope: 'all', channel: 'email', ...email },
  ])
  expect(proof).toMatchObject({ channels: [{ channel: 'email', handed_over_at: null }] })
  // The public view names nobody.
  expect(JSON.stringify(await read())).not.toMatch(/canary@example|Leave Peru/)
  expect(id).toEqual(expect.any(String))
})

test('deliveries older than a month are deleted, their counts and inbox entries are not', async () => {
  const ana = await createTestUser(database, 'traveler')
  await inside((db) =>
    db
      .insertInto('advisory_subscriptions')
      .values({ user_id: ana.id, channels: ['email', 'in-app'], severity_levels: ['info'] })
      .execute(),
  )
  const id = await announced()
  await fanOutDue(database)
  const rows = () => inside((db) => db.selectFrom('messages').select('id').where('announcement_id', '=', id).execute())
  const DAY = 24 * 60
  await inside((db) => db.updateTable('messages').set({ status: 'dropped' }).execute())
  await later('messages', 29 * DAY)
  await pruneMessages(database)
  const before = (await rows()).length
  expect(before).toBeGreaterThan(0)
  await inside((db) => sql`update notifications set created_at = now() - interval '2 years'`.execute(db))
  await later('messages', 2 * DAY)
  await pruneMessages(database)
  await pruneMessages(database)
  expect(await rows()).toEqual([])
  expect(await inside((db) => db.selectFrom('announcement_stats').selectAll().execute())).toEqual([
    { announcement_id: id, channel: 'email', status: 'dropped', messages: before },
  ])
  expect(
    await inside((db) => db.selectFrom('notifications').select('user_id').where('user_id', '=', ana.id).execute()),
  ).toHaveLength(1)
})
