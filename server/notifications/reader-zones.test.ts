import { beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { checkEligibility } from '#server/delivery/eligibility.ts'
import { leaseDue } from '#server/delivery/leases.ts'
import { createContentCache } from '#server/delivery/templates/announcement-content.ts'
import { createLog } from '#server/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testSendContext } from '#server/testing/dispatcher.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { createTestUser } from '#server/testing/users.ts'
import { announce } from './announcements/create.ts'
import { fanOutDue } from './announcements/fan-out.ts'
import { SKIP_REASON } from './announcements/skip-reason.ts'
import { sendDigests } from './digests.ts'
import { recipientsOf } from './reminders/schedule.ts'

const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const publicUrl = 'https://portal.example'
const contentCache = createContentCache(publicUrl)

beforeEach(() =>
  inside(async (db) => {
    for (const table of ['announcements', 'messages', 'advisory_subscriptions', 'notification_preferences'] as const)
      await db.deleteFrom(table).execute()
  }),
)

type Where = { time_zone?: string | null; country_code?: string | null; phone_number?: string | null }
const userIn = (where: Where) =>
  createTestUser(database, 'traveler', { time_zone: null, country_code: null, phone_number: '+15005550006', ...where })

/** When a non-urgent text is sent if checked at `now`. */
async function leavesAt(where: Where, now: string, quiet: { from: string; until: string } | null) {
  const { id } = await userIn(where)
  await inside(async (db) => {
    await db
      .insertInto('notification_preferences')
      .values({
        user_id: id,
        channels: '{}',
        quiet_from: quiet?.from ?? null,
        quiet_until: quiet?.until ?? null,
        urgent_bypass: false,
      })
      .execute()
    const text = { title: 'Seminar', message: 'On Friday.' }
    await announce(db, {
      key: `n ${id}`,
      kind: 'announcement',
      priority: 'medium',
      template: 'announcement',
      texts: { en: text, ar: text },
      actionUrl: null,
      audience: { users: [id] },
      channels: ['sms'],
    })
  })
  await fanOutDue(database)
  const options = { limit: 1, madeUpDomain: undefined, skipReason: SKIP_REASON }
  const [row] = await leaseDue(database, { channel: 'sms', ...options })
  const announcements = await contentCache.load(database, [row!.announcement_id!])
  const result = checkEligibility(row!, testSendContext({ announcements }), new Date(now))
  return 'status' in result && result.status === 'later' ? result.at.toISOString() : 'now'
}

const NIGHT = { from: '22:00', until: '06:30' }

test.each([
  // 02:00 in Riyadh, though the profile has no zone: quiet hours last until 08:00 local time, when texts may be sent.
  ['02:00 in Riyadh by country', { country_code: 'SA' }, '2026-11-22T23:00:00Z', '2026-11-23T05:00:00.000Z'],
  [
    '02:00 in Riyadh by her own zone while her country is another',
    { time_zone: 'Asia/Riyadh', country_code: 'US' },
    '2026-11-22T23:00:00Z',
    '2026-11-23T05:00:00.000Z',
  ],
  [
    '02:00 in Riyadh by her number',
    { phone_number: '+966501234567' },
    '2026-11-22T23:00:00Z',
    '2026-11-23T05:00:00.000Z',
  ],
  ['12:00 in Riyadh', { country_code: 'SA' }, '2026-11-22T09:00:00Z', 'now'],
  // Night in UTC is morning in Manila.
  ['09:00 in Manila', { country_code: 'PH' }, '2026-11-22T01:00:00Z', 'now'],
  ['02:00 in New York', { country_code: 'US' }, '2026-11-22T07:00:00Z', '2026-11-22T13:00:00.000Z'],
  [
    'a zone that is none, in Qatar at 02:00',
    { time_zone: 'Mars/Olympus', country_code: 'QA' },
    '2026-11-22T23:00:00Z',
    '2026-11-23T05:00:00.000Z',
  ],
])('quiet hours follow the recipient’s local time: %s', async (_, where, now, leaves) => {
  expect(await leavesAt(where, now, NIGHT)).toBe(leaves)
})

test('without any information about a user the portal’s zone applies', async () => {
  expect(await leavesAt({ phone_number: '+870773111632' }, '2026-11-22T23:00:00Z', NIGHT)).toBe(
    '2026-11-23T08:00:00.000Z',
  )
})

test('a daily digest follows the local time of the recipient’s country', async () => {
  const inJapan = await userIn({ country_code: 'JP' })
  const inPeru = await userIn({ country_code: 'PE' })
  for (const { id } of [inJapan, inPeru])
    await inside(async (db) => {
      await db
        .insertInto('advisory_subscriptions')
        .values({ user_id: id, channels: ['email'] })
        .execute()
      await db
        .insertInto('notification_preferences')
        .values({ user_id: id, channels: '{}', quiet_from: null, quiet_until: null, digest: 'daily' })
        .execute()
    })
  const { id, version } = await inside((db) => insertAdvisory(db, { severity_level: 'warning' }))
  const text = { title: 'Storm', message: 'Text.', severity: 'Warning', countries: 'Japan' }
  await inside((db) =>
    announce(db, {
      key: 'storm',
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
    db
      .updateTable('messages')
      .set({ created_at: new Date('2026-11-22T20:00:00Z') })
      .execute(),
  )
  const digested = async (now: string) => {
    await sendDigests({
      database,
      log: createLog('silent'),
      publicUrl,
      secret: 'a secret that only tests may know of',
      now: () => new Date(now),
    })
    const rows = await inside((db) =>
      db.selectFrom('messages').select('user_id').where('template', '=', 'digest').execute(),
    )
    return rows.map(({ user_id }) => user_id)
  }
  // 08:30 in Tokyo is still the previous evening in Lima.
  expect(await digested('2026-11-22T23:30:00Z')).toEqual([inJapan.id])
  expect(await digested('2026-11-23T14:00:00Z')).toContain(inPeru.id)
})

test('a reminder states the local time of the recipient’s country', async () => {
  const users = [
    await userIn({ country_code: 'SA' }),
    await userIn({ time_zone: 'Asia/Tokyo', country_code: 'SA' }),
    await userIn({ phone_number: null }),
  ]
  const readers = await inside((db) =>
    recipientsOf(
      db,
      users.map(({ id }) => id),
      'Asia/Manila',
    ),
  )
  const zoneOf = new Map(readers.map(({ id, zone }) => [id, zone]))
  expect(users.map(({ id }) => zoneOf.get(id))).toEqual(['Asia/Riyadh', 'Asia/Tokyo', 'Asia/Manila'])
})
