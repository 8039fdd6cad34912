import { beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { createChannels } from '#server/delivery/channels.ts'
import { asking, scene, scopedSession } from '#server/roll-calls/testing.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testDispatcher } from '#server/testing/dispatcher.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { advisoryAnnouncement } from '../advisory-changes/announce.ts'
import { announce } from '../announcements/create.ts'
import { fanOutDue } from '../announcements/fan-out.ts'
import { measureDeliveries } from '../announcements/stats.ts'
import { monitorDelivery } from './check.ts'

/** A portal without providers: every message is recorded and nothing is sent. */
const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const app = await testApp(database, { readSession: scopedSession, unsentChannels: ['email', 'sms', 'whatsapp'] })
const ask = asking(app)
const { ana, as } = await scene(database)
const none = { smtpUrl: undefined, secondSmtpUrl: undefined, resend: undefined, sms: [], whatsapp: undefined }
const channels = createChannels(
  {
    ...none,
    ...{ isEmbedded: true, host: '127.0.0.1', publicUrl: 'http://localhost', trustedProxies: 0, hub: undefined },
    ...{ mailFrom: '', mailSenders: [], mailHookToken: undefined, pushKeys: undefined, allowsPrivatePush: false },
  },
  {},
)
const dispatcher = testDispatcher({ database, channels, publicUrl: 'http://localhost' })

async function send() {
  await fanOutDue(database, channels.unsent)
  await dispatcher.sendDue()
}
const messages = () => inside((db) => db.selectFrom('messages').selectAll().execute())
const body = async (path: string, by = as.admin) => (await ask(by, 'GET', path)).body

beforeEach(async () => {
  await inside(async (db) => {
    for (const table of ['roll_calls', 'messages', 'announcements', 'notifications', 'advisory_subscriptions'] as const)
      await db.deleteFrom(table).execute()
    await writeSetting(db, 'notifications.canary_email', 'proof@example.org')
  })
})

async function announceUrgent() {
  await inside((db) =>
    db
      .insertInto('advisory_subscriptions')
      .values({ user_id: ana.id, channels: ['email', 'sms'] })
      .execute(),
  )
  const advisory = await inside((db) =>
    insertAdvisory(db, {
      title: 'Peru: Do Not Travel',
      country_codes: ['PE'],
      is_urgent: true,
      severity_level: 'emergency',
    }),
  )
  const input = { id: advisory.id, before: null, after: advisory, reason: 'new', key: 'peru' } as const
  await inside((db) => announce(db, advisoryAnnouncement(input, app.models.countries.countries())))
  await send()
  return advisory.id
}

test('messages without a provider are recorded, not sent, with no sent time', async () => {
  await announceUrgent()
  const rows = await messages()
  expect(rows.map(({ channel }) => channel).sort()).toEqual(['email', 'email', 'sms'])
  for (const row of rows)
    expect(row).toMatchObject({ status: 'recorded', sent_at: null, delivered_at: null, provider: null })
})

test('the tiles count them separately, neither as sent today nor as successful', async () => {
  await announceUrgent()
  const before = { sentToday: 0, deliveryRate: 0, failedDeliveries: 0, pendingNotifications: 0 }
  expect(await body('/admin-operations/notification-system-stats')).toMatchObject({
    ...before,
    recordedNotifications: 3,
  })
})

test('tracking reports recorded, never sent', async () => {
  await announceUrgent()
  expect(await body('/notification-tracking/stats')).toMatchObject({
    by_status: { recorded: 2 },
    stats: { email: { recorded: 1 }, sms: { recorded: 1 } },
  })
})

test('an advisory lists them as only recorded, and the subscription was not notified', async () => {
  const id = await announceUrgent()
  const { announcements } = await body(`/admin/travel-advisories/${id}/announcements`)
  for (const channel of ['email', 'sms'])
    expect(announcements[0].deliveries[channel]).toMatchObject({ recorded: 1, sent: 0, delivered: 0 })
  const [subscription] = await inside((db) => db.selectFrom('advisory_subscriptions').selectAll().execute())
  expect(subscription!.last_notified_at).toBeNull()
})

test('the public statistics count nothing as sent and name the channels that send nothing', async () => {
  await announceUrgent()
  await measureDeliveries(database)
  const status = await body('/public/status')
  for (const scope of ['urgent', 'all'])
    expect(
      status.figures.find((row: Record<string, unknown>) => row.scope === scope && row.channel === 'all'),
    ).toMatchObject({
      messages: 2,
      recorded: 2,
      handed_over: 0,
      delivered: 0,
      handed_over_p50: null,
      delivered_p50: null,
    })
  expect(status.unsent_channels).toEqual(['email', 'sms', 'whatsapp'])
})

test('a recorded message is no proof: the alarm is raised', async () => {
  await announceUrgent()
  await inside((db) =>
    db
      .updateTable('announcements')
      .set({ created_at: new Date(Date.now() - 600_000) })
      .execute(),
  )
  await monitorDelivery({ database, publicUrl: 'http://portal.test' })
  const checks = await inside((db) => db.selectFrom('delivery_monitor_checks').selectAll().execute())
  expect(checks).toMatchObject([{ channel: 'email', sent_at: null, delivered_at: null }])
  const alarms = await inside((db) => db.selectFrom('delivery_monitor_alarms').select('cause').execute())
  expect(alarms.map(({ cause }) => cause)).toContain('not_sent_email')
})

test('a recipient whose roll call messages were only recorded is not reached', async () => {
  const texts = { en: { title: 'Safe?', message: 'Answer.' }, ar: { title: 'بخير؟', message: 'أجب.' } }
  const id = await inside(async (db) => {
    const announcement = await announce(db, {
      ...{ key: 'call', kind: 'roll_call', priority: 'urgent', template: 'roll-call', texts, actionUrl: null },
      ...{ audience: { users: [ana.id] }, channels: ['email', 'sms'] },
    })
    const { id } = await db
      .insertInto('roll_calls')
      .values({ title: 'Quake', message: '', country_codes: ['JP'], announcement_id: announcement } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('roll_call_recipients')
      .values({ roll_call_id: id, user_id: ana.id, country_code: 'JP' } as never)
      .execute()
    return id
  })
  await send()
  const list = await body(`/roll-calls/${id}?part=unreached`, as.here)
  expect(list).toMatchObject({ counts: { asked: 1, unreached: 1 }, people: [{ user_id: ana.id, reached: 'recorded' }] })
  // One sent message is enough.
  await inside((db) => db.updateTable('messages').set({ status: 'sent' }).where('channel', '=', 'sms').execute())
  expect(await body(`/roll-calls/${id}`, as.here)).toMatchObject({
    counts: { unreached: 0 },
    people: [{ reached: 'sent' }],
  })
})

test('an announcement shows them as recorded, by channel', async () => {
  const texts = { en: { title: 'Office', message: 'Closed.' }, ar: { title: 'المكتب', message: 'مغلق.' } }
  const id = await inside((db) =>
    announce(db, {
      // Urgent, so quiet hours do not defer it.
      ...{ key: 'office', kind: 'announcement', priority: 'urgent', template: 'announcement', texts, actionUrl: null },
      ...{ audience: { users: [ana.id] }, channels: ['email', 'sms'] },
    }),
  )
  await send()
  const { figures } = await body(`/admin-operations/announcements/${id}`)
  for (const row of figures) expect(row).toMatchObject({ recorded: 1, sent: 0, delivered: 0, failed: 0 })
  expect(figures).toHaveLength(2)
})
