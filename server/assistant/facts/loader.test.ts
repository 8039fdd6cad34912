import { beforeEach, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import { testDatabase } from '#server/testing/database.ts'
import { FactInput } from '#shared/assistant/facts.ts'
import type { AuditAction } from '#shared/audit/actions.ts'
import { POPULAR_DESTINATIONS } from '#shared/countries/country.ts'
import { loadFacts, type ShippedFact, shippedFacts } from './loader.ts'
import { faultsOf } from './validation.ts'

const database = await testDatabase()
const shipped = await shippedFacts()
const load = (facts: readonly ShippedFact[]) => inBackground(database, 'test', (db) => loadFacts(db, facts))
const rows = () =>
  inBackground(database, 'test', (db) => db.selectFrom('assistant_facts').selectAll().orderBy('id').execute())
const version = async () => (await database.background.pool.query('select version from public_version')).rows

const POLICE: ShippedFact = {
  ...{ id: 'hotline.SA.police', kind: 'hotline', country_code: 'SA', code: 'police', purpose: null, position: 20 },
  ...{ value: { phone: '999', name: 'Police' }, source_title: 'A page', source_url: 'https://gov.example/sa' },
  ...{ checked_on: '2026-04-22', valid_until: '2027-04-22' },
}

beforeEach(async () => {
  await database.background.pool.query("delete from audit_log where subject_type = 'assistant_fact'")
  await database.background.pool.query('delete from assistant_facts')
})

test('every shipped fact passes the validation for administrators', () => {
  const countries = createCountries()
  const wrong = shipped.flatMap(({ id, ...fact }) => {
    const { data, error } = FactInput.safeParse(fact)
    const faults = data ? Object.entries(faultsOf(data, countries)) : error!.issues
    return faults.length > 0 ? [{ id, faults }] : []
  })
  expect(wrong).toEqual([])
})

test('each has a unique id that says what it is about', () => {
  expect(new Set(shipped.map(({ id }) => id)).size).toBe(shipped.length)
  const unreadable = shipped.filter(
    ({ id, kind, country_code, code, purpose }) =>
      !id.startsWith(
        [kind, country_code ?? (kind === 'hotline' && 'anywhere'), code, purpose].filter(Boolean).join('.'),
      ),
  )
  expect(unreadable).toEqual([])
})

test('each names a valid source address and a past check date', () => {
  for (const { source_url, checked_on, valid_until } of shipped) {
    expect(URL.canParse(source_url, 'https://portal.example')).toBe(true)
    expect(checked_on <= new Date().toISOString().slice(0, 10)).toBe(true)
    // No fact is valid for more than a year without another check.
    expect(Date.parse(valid_until) - Date.parse(checked_on)).toBeLessThanOrEqual(366 * 86_400_000)
  }
})

test('a document list of a country is shipped completely or not at all: the seminar alone would look complete', () => {
  const countries = shipped.filter(({ kind, country_code }) => kind === 'requirement' && country_code !== null)
  for (const country of new Set(countries.map(({ country_code }) => country_code)))
    expect(countries.filter((fact) => fact.country_code === country).length).toBeGreaterThan(2)
  expect(shipped.filter(({ kind, code }) => kind === 'requirement' && code === 'pdos').length).toBeGreaterThan(0)
})

test.each(POPULAR_DESTINATIONS)('there is an emergency number in %s', (country) => {
  const codes = shipped
    .filter((fact) => fact.kind === 'hotline' && fact.country_code === country)
    .map(({ code }) => code)
  expect(codes.some((code) => ['emergency', 'police', 'ambulance'].includes(code))).toBe(true)
})

test('the seminar is required for every country', () => {
  expect(shipped).toContainEqual(expect.objectContaining({ kind: 'requirement', country_code: null, code: 'pdos' }))
  const rules = shipped.filter(({ kind }) => kind === 'rule').map(({ code, value }) => [code, value])
  expect(rules).toEqual([
    ['pdos.required', {}],
    ['pdos.duration', { days: 1, hours: 8 }],
    ['pdos.validity', { years: 1 }],
    ['pdos.register', {}],
  ])
})

test('they are inserted once, and not again at the next start', async () => {
  await load(shipped)
  expect(await rows()).toHaveLength(shipped.length)
  const before = await version()
  await load(shipped)
  expect(await version()).toEqual(before)
})

test('a number that changed in a newer version is updated, and one that is no longer shipped is deleted', async () => {
  await load([POLICE, { ...POLICE, id: 'hotline.SA.fire', code: 'fire' }])
  await load([{ ...POLICE, value: { phone: '911' }, checked_on: '2026-05-01' }])
  expect(await rows()).toMatchObject([{ id: POLICE.id, value: { phone: '911' }, checked_on: '2026-05-01' }])
})

test('changes of a user persist, even after the user is deleted', async () => {
  await load([POLICE])
  await inBackground(database, 'test', async (db) => {
    await db
      .updateTable('assistant_facts')
      .set({ value: JSON.stringify({ phone: '998' }) })
      .execute()
    await db.insertInto('audit_log').values(written('fact.change')).execute()
  })
  await load([{ ...POLICE, value: { phone: '911' } }])
  await load([])
  expect(await rows()).toMatchObject([{ id: POLICE.id, value: { phone: '998' } }])
})

test('a fact deleted by a user does not come back', async () => {
  await inBackground(database, 'test', (db) => db.insertInto('audit_log').values(written('fact.delete')).execute())
  await load([POLICE])
  expect(await rows()).toEqual([])
})

const written = (action: AuditAction) => ({
  ...{ actor_id: null, actor_role: 'admin', action, subject_type: 'assistant_fact', subject_id: POLICE.id },
  ...{ before: null, after: null, reason: null },
})
