import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createDeliveryDays } from './delivery-days.ts'

const database = await testDatabase()
const NOW = new Date('2026-11-22T18:00:00Z')

test('messages are counted again after a minute, or for another zone', async () => {
  const read = createDeliveryDays()
  const today = async (seconds: number, zone = 'UTC') =>
    (await read(database, new Date(NOW.valueOf() + seconds * 1000), zone)).at(-1)
  expect(await today(0)).toMatchObject({ day: '2026-11-22', failed: 0 })
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('messages')
      .values({
        ...{ message_key: randomUUID(), channel: 'email', recipient: 'x', template: 'welcome', body_text: 'x' },
        ...{ status: 'failed', created_at: NOW },
      })
      .execute(),
  )
  expect(await today(59)).toMatchObject({ failed: 0 })
  expect(await today(60)).toMatchObject({ failed: 1 })
  expect(await today(60, 'Asia/Manila')).toMatchObject({ day: '2026-11-23', failed: 1 })
})
