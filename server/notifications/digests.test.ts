import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { DeliveryError } from '#server/delivery/delivery-result.ts'
import { createLog } from '#server/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testDispatcher } from '#server/testing/dispatcher.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { recordingTransports } from '#server/testing/recording-transports.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { Digest } from '#shared/delivery/kinds.ts'
import { announce } from './announcements/create.ts'
import { fanOutDue } from './announcements/fan-out.ts'
import { sendDigests } from './digests.ts'

const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const deps = { database, log: createLog('silent'), publicUrl: 'https://portal.example', secret: 'a secret' }
// Monday 2 March 2026: 08:00 in Manila is midnight in UTC.
const at = (now: string) => sendDigests({ ...deps, now: () => new Date(now) })

beforeEach(() =>
  inside(async (db) => {
    for (const table of ['announcements', 'messages', 'advisory_subscriptions', 'travel_advisories'] as const)
      await db.deleteFrom(table).execute()
  }),
)

async function reader(digest: Digest) {
  const user = await createTestUser(database, 'traveler', { time_zone: 'Asia/Manila' })
  await inside(async (db) => {
    await db
      .insertInto('advisory_subscriptions')
      .values({ user_id: user.id, channels: ['email'] })
      .execute()
    await db
      .insertInto('notification_preferences')
      .values({ user_id: user.id, channels: '{}', quiet_from: null, quiet_until: null, digest })
      .execute()
  })
  return user
}
async function announceAt(title: string, createdAt: string) {
  const { id, version } = await inside((db) => insertAdvisory(db, { severity_level: 'warning' }))
  const text = { title, message: 'Text.', severity: 'Warning', countries: 'Japan' }
  await inside((db) =>
    announce(db, {
      key: title,
      kind: 'advisory',
      priority: 'medium',
      template: 'advisory',
      texts: { en: text, ar: text },
      actionUrl: `/travel-advisories/${id}`,
      advisory: { id, version, reason: 'new' },
      audience: null,
      channels: null,
    }),
  )
  await fanOutDue(database)
  await inside((db) =>
    sql`update messages set created_at = ${createdAt} from announcements n
      where n.id = announcement_id and n.announcement_key = ${title}`.execute(db),
  )
  return id
}
const mails = () =>
  inside((db) => db.selectFrom('messages').selectAll().where('template', '=', 'digest').orderBy('created_at').execute())
const findDeferred = () =>
  inside((db) =>
    db.selectFrom('messages').selectAll().where('template', '=', 'advisory').orderBy('created_at').execute(),
  )

test('a day’s deferred messages come as one mail in the recipient’s morning, once, despite two concurrent runs', async () => {
  const ana = await reader('daily')
  await announceAt('Floods', '2026-03-03T05:00:00Z')
  await announceAt('Strikes', '2026-03-03T20:00:00Z')
  expect(await at('2026-03-03T23:59:00Z')).toBe(0)
  const written = await Promise.all([at('2026-03-04T00:01:00Z'), at('2026-03-04T00:01:00Z')])
  expect(written.sort()).toEqual([0, 1])
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ user_id: ana.id, channel: 'email', kind: 'advisory', status: 'pending' })
  expect(mail!.body_text).toMatch(/- Warning: Floods\n.*https:\/\/portal.example\/travel-advisories\/[\s\S]*Strikes/)
  expect(mail!.body_text).toContain('https://portal.example/unsubscribe/')
  expect(await findDeferred()).toMatchObject([
    { status: 'deferred', digest_key: mail!.message_key, sent_at: null },
    { status: 'deferred', digest_key: mail!.message_key, sent_at: null },
  ])
  const recorder = recordingTransports()
  await testDispatcher({ ...deps, channels: recorder.channels }).sendDue()
  expect(recorder.taken).toMatchObject([
    { to: ana.email, personal: null, unsubscribeUrl: expect.stringContaining('/api/public/unsubscribe/') },
  ])
})

test('messages after the hour wait for the next morning, or the next Monday', async () => {
  await reader('weekly')
  await announceAt('Floods', '2026-03-01T20:00:00Z')
  await announceAt('Strikes', '2026-03-02T01:00:00Z')
  expect(await at('2026-03-02T02:00:00Z')).toBe(1)
  expect((await findDeferred()).map(({ status }) => status)).toEqual(['deferred', 'deferred'])
  expect((await findDeferred()).map(({ digest_key }) => digest_key !== null)).toEqual([true, false])
  expect(await at('2026-03-08T20:00:00Z')).toBe(0)
  expect(await at('2026-03-09T00:00:00Z')).toBe(1)
  expect(await mails()).toHaveLength(2)
})

test('a missed run is made up for', async () => {
  await reader('daily')
  await announceAt('Floods', '2026-03-03T05:00:00Z')
  expect(await at('2026-03-06T13:00:00Z')).toBe(1)
})

test('obsolete advisories are omitted; if none is left, no mail is sent', async () => {
  await reader('daily')
  const floods = await announceAt('Floods', '2026-03-03T05:00:00Z')
  await announceAt('Strikes', '2026-03-03T06:00:00Z')
  const end = (ids: string[]) =>
    inside((db) => db.updateTable('travel_advisories').set({ is_active: false }).where('id', 'in', ids).execute())
  await end([floods])
  expect(await at('2026-03-04T00:00:00Z')).toBe(1)
  expect((await mails())[0]!.body_text).not.toContain('Floods')
  expect(await findDeferred()).toMatchObject([
    { status: 'dropped', error: expect.stringContaining('no longer in force'), digest_key: null },
    { status: 'deferred', digest_key: expect.stringContaining('digest'), provider_message_id: null },
  ])
  await end([await announceAt('Storm', '2026-03-04T05:00:00Z')])
  expect(await at('2026-03-05T00:00:00Z')).toBe(0)
  expect(await mails()).toHaveLength(1)
})

test('switching back to immediate delivery sends deferred messages at once', async () => {
  const ana = await reader('daily')
  await announceAt('Floods', '2026-03-03T05:00:00Z')
  await inside((db) =>
    db.updateTable('notification_preferences').set({ digest: 'at_once' }).where('user_id', '=', ana.id).execute(),
  )
  expect(await at('2026-03-03T05:10:00Z')).toBe(1)
})

test.each([
  ['sent', { status: 'sent', provider: 'test', providerMessageId: 'r' }],
  ['recorded', { status: 'recorded' }],
  ['failed', new DeliveryError('550 no', { isFinal: true, provider: 'test' })],
] as const)('messages in a digest become %s when the digest does, and not before', async (status, result) => {
  await reader('daily')
  await announceAt('Floods', '2026-03-03T05:00:00Z')
  expect(await at('2026-03-04T00:00:00Z')).toBe(1)
  expect(await findDeferred()).toMatchObject([{ status: 'deferred', sent_at: null }])
  // A second run adds nothing twice.
  expect(await at('2026-03-05T00:00:00Z')).toBe(0)
  const recorder = recordingTransports()
  recorder.answer = () => result
  await testDispatcher({ ...deps, channels: recorder.channels }).sendDue()
  expect(await findDeferred()).toMatchObject([{ status, sent_at: status === 'sent' ? expect.any(Date) : null }])
})
