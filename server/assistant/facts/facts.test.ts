import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { ManagedFact } from '#shared/assistant/facts.ts'
import { ROLES } from '#shared/roles.ts'
import { insertFacts } from '../testing.ts'
import { dayOf, daysAfter } from './queries.ts'

const database = await testDatabase()
const app = await testApp(database)
const { id: admin } = await createTestUser(database, 'admin')
const today = dayOf(new Date())

beforeEach(async () => {
  await database.background.pool.query('delete from assistant_facts')
})

const asAnyone = createApiClient(app, 'admin/assistant/facts')
const ask = <T = any>(method: string, path: string, body?: object, as = `admin ${admin}`) =>
  asAnyone<T>(as, method, path, body)
const POLICE = {
  ...{ kind: 'hotline', country_code: 'SA', code: 'police', purpose: null, value: { phone: '999' } },
  ...{ source_title: 'Ministry of Interior', source_url: 'https://moi.example/numbers' },
  ...{ checked_on: '2026-01-10', valid_until: '2027-01-10', position: 20, is_active: true, updated_at: null },
}
const save = (body: object = {}, id = 'hotline.SA.police') =>
  ask<{ fact: ManagedFact }>('PUT', `/${id}`, { ...POLICE, ...body })
const readAuditLog = () =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('audit_log').selectAll().where('subject_type', '=', 'assistant_fact').orderBy('id').execute(),
  )

test('a number entered by an administrator is used at once, with its source', async () => {
  expect(await save()).toMatchObject({ status: 200, body: { fact: { id: 'hotline.SA.police', is_active: true } } })
  const answer = await app.request('http://portal.test/api/public/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'What is the police number in Saudi Arabia?' }),
  })
  const reply = (await answer.json()) as { content: string }
  expect(reply.content).toContain('999')
  expect(JSON.stringify(reply)).toContain('https://moi.example/numbers')
  expect((await readAuditLog()).at(-1)).toMatchObject({
    action: 'fact.add',
    actor_id: admin,
    after: { value: { phone: '999' } },
  })
})

test('a concurrent change by another administrator is not overwritten', async () => {
  const { fact } = (await save()).body
  expect(await save({ value: { phone: '911' } })).toMatchObject({ status: 409, body: { code: 'stale' } })
  const changed = await save({ value: { phone: '911' }, updated_at: fact.updated_at })
  expect(changed).toMatchObject({ status: 200, body: { fact: { value: { phone: '911' } } } })
  expect(await save({ updated_at: fact.updated_at })).toMatchObject({ status: 409 })
  expect((await readAuditLog()).at(-1)).toMatchObject({
    action: 'fact.change',
    before: { value: { phone: '999' } },
    after: { value: { phone: '911' } },
  })
})

test.each<[string, object, string]>([
  ['a number that cannot be one', { value: { phone: 'call us' } }, 'phone'],
  ['no number', { value: {} }, 'phone'],
  ['a hotline of no known kind', { code: 'pizza' }, 'code'],
  ['a country that is none', { country_code: 'ZZ' }, 'country_code'],
  ['a short number that is to hold anywhere', { country_code: null }, 'phone'],
  ['a day that has not come', { checked_on: '2999-01-01', valid_until: '2999-02-01' }, 'checked_on'],
  ['an end before its beginning', { valid_until: '2025-01-01' }, 'valid_until'],
  ['a site of others that looks like a path', { source_url: '//elsewhere.example/x' }, 'source_url'],
  ['a link that is not safe', { value: { phone: '999', url: 'javascript:alert(1)' } }, 'url'],
  ['a hotline for a purpose', { purpose: 'work' }, 'purpose'],
  ['a rule without its number', { kind: 'rule', country_code: null, code: 'pdos.validity', value: {} }, 'years'],
  ['months of a paper that is no passport', { kind: 'requirement', code: 'visa', value: { months: 6 } }, 'value'],
])('%s is rejected at its field', async (_, body, field) => {
  expect(await save(body)).toMatchObject({ status: 422, body: { fields: { [field]: expect.any(String) } } })
})

test('confirming a fact extends it by the same period as before', async () => {
  await save({ checked_on: '2026-01-10', valid_until: '2026-03-01' })
  const { body } = await ask<{ fact: ManagedFact }>('POST', '/hotline.SA.police/confirm')
  expect(body.fact).toMatchObject({ checked_on: today, valid_until: daysAfter(today, 50), is_expired: false })
  expect((await readAuditLog()).at(-1)).toMatchObject({ action: 'fact.confirm', before: { checked_on: '2026-01-10' } })
})

test('a deleted fact is no longer used', async () => {
  await save()
  expect((await ask('DELETE', '/hotline.SA.police')).status).toBe(200)
  expect((await ask('GET', '/hotline.SA.police')).status).toBe(404)
  expect((await ask('DELETE', '/hotline.SA.police')).status).toBe(404)
})

test('the list starts with the least recently confirmed and filters by country, kind, state and text', async () => {
  await insertFacts(database, [
    { id: 'hotline.SA.fire', code: 'fire', kind: 'hotline', country_code: 'SA', value: { phone: '998' } as never },
    { id: 'hotline.JP.police', code: 'police', kind: 'hotline', country_code: 'JP', valid_until: daysAfter(today, 5) },
    {
      id: 'requirement.JP.visa',
      code: 'visa',
      kind: 'requirement',
      country_code: 'JP',
      valid_until: daysAfter(today, -5),
    },
    { id: 'rule.pdos.required', code: 'pdos.required', kind: 'rule', is_active: false },
  ])
  const ids = async (query: string) =>
    (await ask<{ facts: ManagedFact[] }>('GET', query)).body.facts.map(({ id }) => id)
  expect((await ids('')).slice(0, 2)).toEqual(['requirement.JP.visa', 'hotline.JP.police'])
  expect(await ids('?status=expired')).toEqual(['requirement.JP.visa'])
  expect(await ids('?status=due')).toEqual(['hotline.JP.police'])
  expect(await ids('?status=inactive')).toEqual(['rule.pdos.required'])
  expect(await ids('?kind=hotline&country=JP')).toEqual(['hotline.JP.police'])
  expect(await ids('?search=saudi')).toEqual(['hotline.SA.fire'])
  expect(await ids('?search=998')).toEqual(['hotline.SA.fire'])
})

test.each(ROLES.filter((role) => role !== 'admin'))('a %s cannot manage facts, nor write their table', async (role) => {
  const { id, as } = await createTestUser(database, role)
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/hotline.SA.police'],
    ['POST', '/hotline.SA.police/confirm'],
    ['DELETE', '/hotline.SA.police'],
  ] as const)
    expect((await ask(method, path, undefined, as)).status).toBe(403)
  expect((await ask('PUT', '/hotline.SA.police', POLICE, as)).status).toBe(403)
  await save()
  const claims = { as: 'user', userId: id, role } as const
  const changed = await withClaims(database, claims, (db) =>
    db.updateTable('assistant_facts').set({ is_active: false }).executeTakeFirst(),
  )
  expect(changed.numUpdatedRows).toBe(0n)
})

test('an anonymous caller cannot manage facts', async () => {
  expect((await ask('GET', '', undefined, '')).status).toBe(401)
  expect((await ask('DELETE', `/${randomUUID()}`, undefined, '')).status).toBe(401)
})
