import { expect, test } from 'vitest'
import { loadFacts, shippedFacts } from '#server/assistant/facts/loading.ts'
import { createFactModel } from '#server/assistant/facts/model.ts'
import { inBackground } from '#server/db/claims.ts'
import { testDatabase } from '#server/testing/database.ts'
import { emergencyFoot } from './message-foot.ts'

const database = await testDatabase()
const facts = createFactModel()
await inBackground(database, 'test', async (db) => {
  await loadFacts(db, await shippedFacts())
  await facts.held.load(db, null)
})
const now = new Date('2026-11-22T12:00:00Z')
const input = { publicUrl: 'https://portal.example', now }

test.each([
  ['en', 'In danger? Call 999. https://portal.example/emergency/QA'],
  ['ar', 'هل أنت في خطر؟ اتصل بالرقم 999. https://portal.example/emergency/QA'],
] as const)('in %s an urgent message about Qatar ends with its number and the page', (language, text) => {
  expect(emergencyFoot(facts, { ...input, language, country: 'QA' })).toBe(text)
})

test('a number that is past its date is never in the foot, and none of another country either', () => {
  const late = new Date('2031-01-01T00:00:00Z')
  expect(emergencyFoot(facts, { ...input, language: 'en', country: 'QA', now: late })).toBe(
    'In danger? Emergency numbers: https://portal.example/emergency/QA',
  )
  expect(emergencyFoot(facts, { ...input, language: 'en', country: null })).toBe(
    'In danger? Emergency numbers: https://portal.example/emergency',
  )
})
