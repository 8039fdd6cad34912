import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { isOfficial } from '../facts/official-hosts.ts'
import { answerTo, RATES_OF_TESTS } from '../testing.ts'
import { loadKnowledge, starterPages } from './starter-pages.ts'
import { deleteSource } from './upkeep.ts'

const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const titles = () =>
  inside(async (db) => {
    const rows = await db
      .selectFrom('knowledge_sources')
      .select(['id', 'page_url', 'checked_at'])
      .orderBy('page_url')
      .execute()
    return rows
  })

test('each shipped page is official, short, and has a past date', () => {
  for (const { page_url, captured_on, content } of starterPages()) {
    expect([page_url, isOfficial(page_url)]).toEqual([page_url, true])
    expect(captured_on < '2026-11-22').toBe(true)
    expect(content.length).toBeLessThan(3_000)
  }
})

test('after the first start, the assistant can quote what an OEC is, from an official page with its date', async () => {
  await inside((db) => loadKnowledge(db))
  const app = await testApp(database, { assistant: { rates: RATES_OF_TESTS } })
  for (const [question, excerpt] of [
    ['What is an OEC?', 'issued by the DMW'],
    ['What is OWWA for?', 'OWWA member'],
    ['What duty does the Department of Migrant Workers Act give the State?', 'protect the rights'],
  ] as const) {
    const { content, metadata } = await answerTo(app, question)
    expect(content).toContain(excerpt)
    expect(metadata.citations[0]!.checked_on).toMatch(/^20(?:1\d|2[0-6])-/)
  }
})

test('a second start changes nothing, and a deleted page stays deleted', async () => {
  await inside((db) => loadKnowledge(db))
  const admin = await createTestUser(database, 'admin')
  const before = await titles()
  expect(before).toHaveLength(starterPages().length)
  await inside((db) => loadKnowledge(db))
  expect(await titles()).toEqual(before)
  await inside((db) => deleteSource(db, before[0]!.id, { id: admin.id, name: 'An administrator', role: 'admin' }))
  await inside((db) => loadKnowledge(db))
  expect(await titles()).toEqual(before.slice(1))
})
