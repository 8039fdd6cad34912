import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { ReadModel } from '#server/readmodel/model.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertFacts, SOME_FACTS } from '../testing.ts'
import { createFactModel, isExpired } from './model.ts'

const database = await testDatabase()
const facts = createFactModel()
const readModel = new ReadModel(database, createLog('silent'), [facts.cachedTable])
await insertFacts(database, SOME_FACTS)
await readModel.catchUp()
const ids = (filters: Parameters<typeof facts.list>[0]) => facts.list(filters).map(({ id }) => id)

test('facts are found by kind, country, code and purpose, in their order', () => {
  expect(ids({ kind: 'rule', country: null, code: 'pdos.validity' })).toEqual(['rule.pdos.validity'])
  expect(ids({ kind: 'requirement', country: 'SA' })).toEqual(['need.SA.visa', 'need.SA.passport', 'need.SA.contract'])
  expect(ids({ kind: 'requirement', country: 'SA', purpose: 'visit' })).toEqual(['need.SA.visa', 'need.SA.passport'])
  expect(ids({ kind: 'requirement', country: null })).toEqual(['need.pdos'])
  expect(ids({ kind: 'hotline' })).toHaveLength(4)
  expect(ids({ kind: 'hotline', country: 'JP' })).toEqual([])
})

test('a fact that an administrator changes or archives takes effect at once', async () => {
  await inBackground(database, 'test', async (db) => {
    await db.updateTable('assistant_facts').set({ is_active: false }).where('id', '=', 'call.SA.police').execute()
    await db.updateTable('assistant_facts').set({ code: 'ambulance' }).where('id', '=', 'call.SA.embassy').execute()
  })
  await readModel.catchUp()
  expect(facts.list({ kind: 'hotline', country: 'SA' }).map(({ code }) => code)).toEqual([
    'ambulance',
    'domestic_violence',
  ])
})

test('a fact is valid through its last day', () => {
  const fact = { valid_until: '2026-03-10' }
  expect(isExpired(fact, new Date('2026-03-10T23:59:59Z'))).toBe(false)
  expect(isExpired(fact, new Date('2026-03-11T00:00:00Z'))).toBe(true)
})
