import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { ROLES } from '#shared/roles.ts'
import { messagesByDay } from './messages-by-day.ts'
import { queueMessage } from './outbox.ts'

const database = await testDatabase()
const app = await testApp(database)

async function insertMessage(status: 'sent' | 'delivered' | 'failed' | 'recorded' | 'pending', at: string) {
  const to = `${randomUUID()}@example.org`
  await inBackground(database, 'test', async (db) => {
    const values = { brand: 'MFA Portal', code: '482913', minutes: 10 }
    await queueMessage(db, { key: to, channel: 'email', to, template: 'sign-in-code', language: 'en', values })
    await db
      .updateTable('messages')
      .set({ status, created_at: new Date(at) })
      .where('recipient', '=', to)
      .execute()
  })
}

const read = (now: string, zone: string) =>
  withClaims(database, { as: 'service', name: 'test' }, (db) => messagesByDay(db, { now: new Date(now), zone }))

test('the last seven days of the portal, with days on which nothing was sent', async () => {
  await insertMessage('sent', '2026-03-10T23:30:00Z')
  await insertMessage('delivered', '2026-03-10T01:00:00Z')
  await insertMessage('failed', '2026-03-08T12:00:00Z')
  await insertMessage('recorded', '2026-03-05T12:00:00Z')
  await insertMessage('pending', '2026-03-10T12:00:00Z')
  await insertMessage('sent', '2026-03-03T12:00:00Z')
  const empty = { sent: 0, failed: 0, recorded: 0 }
  expect(await read('2026-03-11T10:00:00Z', 'UTC')).toEqual([
    { day: '2026-03-05', ...empty, recorded: 1 },
    { day: '2026-03-06', ...empty },
    { day: '2026-03-07', ...empty },
    { day: '2026-03-08', ...empty, failed: 1 },
    { day: '2026-03-09', ...empty },
    { day: '2026-03-10', ...empty, sent: 2 },
    { day: '2026-03-11', ...empty },
  ])
  // 23:30 UTC is the next morning in Manila.
  const inManila = await read('2026-03-11T10:00:00Z', 'Asia/Manila')
  expect(inManila.slice(-2)).toEqual([
    { day: '2026-03-10', ...empty, sent: 1 },
    { day: '2026-03-11', ...empty, sent: 1 },
  ])
  // The day begins later in the west: it is still the 10th there.
  expect((await read('2026-03-11T01:00:00Z', 'America/New_York')).at(-1)?.day).toBe('2026-03-10')
  // Clocks go forward on 8 March in New York: no day is missing or there twice.
  const days = (await read('2026-03-11T10:00:00Z', 'America/New_York')).map(({ day }) => day)
  expect(new Set(days).size).toBe(7)
})

test('only an admin reads the counts', async () => {
  const ask = (as: string) => app.request('/api/admin/outbox/days', { headers: as ? { [AS]: as } : {} })
  const admin = await ask(`admin ${randomUUID()}`)
  expect(admin.status).toBe(200)
  expect(((await admin.json()) as { days: unknown[] }).days).toHaveLength(7)
  expect((await ask('')).status).toBe(401)
  for (const role of ROLES.filter((role) => role !== 'admin'))
    expect((await ask(`${role} ${randomUUID()}`)).status).toBe(403)
})
