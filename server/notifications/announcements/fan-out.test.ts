import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { AdvisoryReason, Channel } from '#shared/delivery/kinds.ts'
import { type Announcement, announce } from './create.ts'
import { fanOutDue } from './fan-out.ts'

const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

const texts = {
  en: { title: 'Leave Peru', message: 'Flights end tonight.' },
  ar: { title: 'غادروا بيرو', message: 'تتوقف الرحلات الليلة.' },
}
const announcement: Omit<Announcement, 'key'> = {
  kind: 'announcement',
  priority: 'medium',
  template: 'welcome',
  texts,
  actionUrl: '/dashboard',
  audience: {},
  channels: ['in-app', 'email'],
}
test('a fan-out that finds nothing does not trigger another one', async () => {
  const calls: (string | null)[] = []
  await database.listen('messages', (table) => calls.push(table))
  await fanOutDue(database)
  // Earlier notifications arrive before this one.
  await sql`notify messages, 'the end'`.execute(database.requests.kysely)
  await expect.poll(() => calls.at(-1)).toBe('the end')
  expect(calls).toEqual(['the end'])
})

const subscribe = (userId: string, channels: Channel[], more: object = {}) =>
  inside((db) =>
    db
      .insertInto('advisory_subscriptions')
      .values({ user_id: userId, channels, ...more })
      .execute(),
  )
async function announceAdvisory(advisory: object, reason: AdvisoryReason = 'new') {
  const { id, version, is_urgent } = await inside((db) => insertAdvisory(db, advisory))
  await inside((db) =>
    announce(db, {
      key: `advisory ${id} ${version}`,
      kind: 'advisory',
      priority: is_urgent ? 'urgent' : 'high',
      template: 'welcome',
      texts,
      actionUrl: `/travel-advisories/${id}`,
      advisory: { id, version, reason },
      audience: null,
      channels: null,
    }),
  )
  const [result] = await fanOutDue(database)
  return {
    told: result,
    sent: await inside((db) =>
      db.selectFrom('messages').selectAll().where('announcement_id', '=', result!.id).orderBy('message_key').execute(),
    ),
    bells: await inside((db) =>
      db.selectFrom('notifications').selectAll().where('announcement_id', '=', result!.id).execute(),
    ),
  }
}

test('an advisory reaches matching subscribers, once per chosen channel', async () => {
  const ana = await createTestUser(database, 'traveler')
  const ben = await createTestUser(database, 'traveler')
  const carla = await createTestUser(database, 'traveler')
  await subscribe(ana.id, ['in-app', 'browser', 'email'], { countries: ['PE'], language: 'ar' })
  await subscribe(ana.id, ['email'], { severity_levels: ['emergency'] })
  await subscribe(ben.id, ['email'], { countries: ['JP'] })
  await subscribe(carla.id, ['email', 'sms', 'push'], { urgent_only: true })

  const calm = await announceAdvisory({ country_codes: ['PE'], severity_level: 'emergency' })
  expect(calm.sent).toMatchObject([
    { user_id: ana.id, channel: 'email', queue_priority: 1, status: 'pending', recipient: null },
  ])
  expect(calm.bells).toMatchObject([
    { user_id: ana.id, title: texts.ar.title, delivery_method: ['browser', 'in-app'], status: 'sent', read_at: null },
  ])
  // Carla has no number and no push subscription.
  const urgent = await announceAdvisory({ country_codes: ['BR'], severity_level: 'emergency', is_urgent: true })
  expect(urgent.sent.map(({ user_id }) => user_id).sort()).toEqual([ana.id, carla.id].sort())
  expect(urgent.sent.every(({ queue_priority }) => queue_priority === 0)).toBe(true)
})

test('a repeated fan-out adds nothing, and a repeated announcement is one announcement', async () => {
  const [first, second] = [
    await inside((db) => announce(db, { ...announcement, key: 'twice', audience: { roles: ['traveler'] } })),
    await inside((db) => announce(db, { ...announcement, key: 'twice', audience: { roles: ['admin'] } })),
  ]
  expect(second).toBe(first)
  const [result] = await fanOutDue(database)
  expect(result).toMatchObject({ id: first, recipients: 3, messages: 3, inboxItems: 3 })
  await inside((db) => db.updateTable('announcements').set({ status: 'waiting' }).where('id', '=', first).execute())
  expect(await fanOutDue(database)).toMatchObject([{ id: first, recipients: 3, messages: 0, inboxItems: 0 }])
})

test('two concurrent fan-outs send an announcement once', async () => {
  await inside((db) => announce(db, { ...announcement, key: 'at once', audience: { roles: ['traveler'] } }))
  const results = (await Promise.all([fanOutDue(database), fanOutDue(database)])).flat()
  expect(results).toMatchObject([{ messages: 3, inboxItems: 3 }])
})

test('switched-off channels and kinds are respected, and a digest defers its mail', async () => {
  const dina = await createTestUser(database, 'member')
  const set = (preferences: object) =>
    inside((db) =>
      db
        .insertInto('notification_preferences')
        .values({ user_id: dina.id, channels: '{}', quiet_from: null, quiet_until: null, ...preferences })
        .onConflict((c) => c.column('user_id').doUpdateSet(preferences))
        .execute(),
    )
  await set({ channels: JSON.stringify({ announcement: { email: false } }) })
  await inside((db) => announce(db, { ...announcement, key: 'without mail', audience: { roles: ['member'] } }))
  expect(await fanOutDue(database)).toMatchObject([{ recipients: 1, messages: 0, inboxItems: 1 }])
  await set({ digest: 'daily' })
  await subscribe(dina.id, ['email'], { countries: ['FJ'] })
  expect((await announceAdvisory({ country_codes: ['FJ'], severity_level: 'warning' })).sent).toMatchObject([
    { status: 'deferred' },
  ])
  const urgent = await announceAdvisory({ country_codes: ['FJ'], severity_level: 'warning', is_urgent: true })
  expect(urgent.sent.find(({ user_id }) => user_id === dina.id)).toMatchObject({ status: 'pending', queue_priority: 0 })
})

test('an empty audience reaches nobody, and a scheduled announcement waits for its time', async () => {
  await inside((db) => announce(db, { ...announcement, key: 'nobody' }))
  await inside((db) =>
    announce(db, {
      ...announcement,
      key: 'later',
      scheduledFor: new Date(Date.now() + 60_000),
      audience: { roles: ['admin'] },
    }),
  )
  expect(await fanOutDue(database)).toMatchObject([{ recipients: 0, messages: 0, inboxItems: 0 }])
  expect(await fanOutDue(database)).toEqual([])
})

test('a reader of Tagalog gets the Tagalog text, or the English one where there is none', async () => {
  const gina = await createTestUser(database, 'traveler', { preferred_language: 'tl' })
  const fanOut = async (key: string, more: object) => {
    const id = await inside((db) =>
      announce(db, { ...announcement, key, texts: { ...texts, ...more }, audience: { users: [gina.id] } }),
    )
    await fanOutDue(database)
    return inside(async (db) => ({
      messages: await db.selectFrom('messages').select('language').where('announcement_id', '=', id).execute(),
      inbox: await db
        .selectFrom('notifications')
        .select(['title', 'message'])
        .where('announcement_id', '=', id)
        .execute(),
    }))
  }
  const tl = { title: 'Umalis na ng Peru', message: 'Hanggang ngayong gabi ang mga flight.' }
  expect(await fanOut('with Tagalog', { tl })).toEqual({ messages: [{ language: 'tl' }], inbox: [tl] })
  expect(await fanOut('without Tagalog', {})).toEqual({ messages: [{ language: 'en' }], inbox: [texts.en] })
})

test('nobody has more than twenty subscriptions, even if created concurrently', async () => {
  const eva = await createTestUser(database, 'traveler')
  const codes = Array.from({ length: 25 }, (_, i) => `A${String.fromCharCode(65 + i)}`)
  const made = await Promise.allSettled(codes.map((code) => subscribe(eva.id, ['email'], { countries: [code] })))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  const { rows } = await inside((db) =>
    sql<{ n: number }>`select count(*)::int as n from advisory_subscriptions where user_id = ${eva.id}`.execute(db),
  )
  expect(rows[0]!.n).toBe(20)
})
