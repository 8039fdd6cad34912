import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testDatabase } from '#server/testing/database.ts'
import { countDays, createDeliveryDays } from './delivery-days.ts'

const database = await testDatabase()
const NOW = new Date('2026-11-22T18:00:00Z')
const insert = (status: 'sent' | 'delivered' | 'failed' | 'recorded' | 'pending', at: string) =>
  inBackground(database, 'test', (db) =>
    db
      .insertInto('messages')
      .values({
        ...{ message_key: randomUUID(), channel: 'email', recipient: 'x', template: 'welcome', body_text: 'x' },
        ...{ status, created_at: new Date(at) },
      })
      .execute(),
  )

test('counts seven days of the portal’s time zone, with empty ones', async () => {
  await insert('sent', '2026-11-22T16:30:00Z')
  await insert('delivered', '2026-11-22T15:30:00Z')
  await insert('failed', '2026-11-22T15:30:00Z')
  await insert('recorded', '2026-11-16T00:00:00Z')
  await insert('pending', '2026-11-22T15:30:00Z')
  await insert('sent', '2026-11-10T00:00:00Z')
  const days = (zone: string) => inBackground(database, 'test', (db) => countDays(db, NOW, zone))
  const none = { delivered: 0, failed: 0, recorded: 0 }
  // In Manila it is already Monday.
  expect(await days('Asia/Manila')).toEqual([
    ...['17', '18', '19', '20', '21'].map((day) => ({ day: `2026-11-${day}`, ...none })),
    { day: '2026-11-22', delivered: 1, failed: 1, recorded: 0 },
    { day: '2026-11-23', delivered: 1, failed: 0, recorded: 0 },
  ])
  const utc = await days('UTC')
  expect(utc).toHaveLength(7)
  expect(utc[0]).toEqual({ day: '2026-11-16', ...none, recorded: 1 })
  expect(utc[6]).toEqual({ day: '2026-11-22', delivered: 2, failed: 1, recorded: 0 })
})

test('counts again after a minute', async () => {
  const read = createDeliveryDays()
  const today = async (seconds: number) =>
    (await read(database, new Date(NOW.valueOf() + seconds * 1000), 'UTC')).at(-1)!.failed
  const before = await today(0)
  await insert('failed', '2026-11-22T17:00:00Z')
  expect(await today(59)).toBe(before)
  expect(await today(60)).toBe(before + 1)
})
