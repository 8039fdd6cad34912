import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { type Claims, inBackground, withClaims } from './claims.ts'
import type { Db } from './connection.ts'

const database = await testDatabase()
const nobody: Claims = { as: 'anonymous' }
const traveler = (userId = randomUUID()): Claims => ({ as: 'user', userId, role: 'traveler' })
const admin = (userId = randomUUID()): Claims => ({ as: 'user', userId, role: 'admin' })
const as = <T>(claims: Claims, fn: (db: Db) => Promise<T>) => withClaims(database, claims, fn)
const refused = { code: '42501' }

test('anonymous callers and travelers see real advisories, and neither drafts nor exercises', async () => {
  const shown = await inBackground(database, 'test', (db) => insertAdvisory(db))
  const hidden = await inBackground(database, 'test', async (db) => [
    await insertAdvisory(db, { status: 'draft' }),
    await insertAdvisory(db, { status: 'exercise' }),
    await insertAdvisory(db, { status: 'test' }),
  ])
  for (const claims of [nobody, traveler()]) {
    const ids = await as(claims, (db) => db.selectFrom('travel_advisories').select('id').execute())
    expect(ids.map(({ id }) => id)).toContain(shown.id)
    for (const { id } of hidden) expect(ids.map((row) => row.id)).not.toContain(id)
  }
  const all = await as(admin(), (db) => db.selectFrom('travel_advisories').select('id').execute())
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(hidden.map(({ id }) => id)))
})

test('anonymous callers and travelers change no advisory, source, setting or alias', async () => {
  const advisory = await inBackground(database, 'test', (db) => insertAdvisory(db))
  await expect(as(nobody, (db) => db.deleteFrom('travel_advisories').execute())).rejects.toMatchObject(refused)
  const touched = await as(traveler(), (db) =>
    db.updateTable('travel_advisories').set({ title: 'All clear' }).where('id', '=', advisory.id).executeTakeFirst(),
  )
  expect(Number(touched.numUpdatedRows)).toBe(0)
  const removed = await as(traveler(), (db) => db.deleteFrom('advisory_sources').executeTakeFirst())
  expect(Number(removed.numDeletedRows)).toBe(0)
  for (const insert of [
    (db: Db) => db.insertInto('settings').values({ key: 'brand', value: '"Mine"', updated_by: null }).execute(),
    (db: Db) => db.insertInto('country_aliases').values({ alias: 'home', country_code: 'PH' }).execute(),
  ])
    await expect(as(traveler(), insert)).rejects.toMatchObject(refused)
})

test('an admin changes advisories and settings', async () => {
  const advisory = await inBackground(database, 'test', (db) => insertAdvisory(db))
  const touched = await as(admin(), (db) =>
    db.updateTable('travel_advisories').set({ is_urgent: true }).where('id', '=', advisory.id).executeTakeFirst(),
  )
  expect(Number(touched.numUpdatedRows)).toBe(1)
})

test('users see and write only their own acknowledgments', async () => {
  const advisory = await inBackground(database, 'test', (db) => insertAdvisory(db))
  const [ana, ben] = [randomUUID(), randomUUID()]
  const acknowledge = (db: Db, user_id: string) =>
    db.insertInto('advisory_acknowledgments').values({ advisory_id: advisory.id, user_id, version: 1 }).execute()
  await as(traveler(ana), (db) => acknowledge(db, ana))
  await expect(as(traveler(ben), (db) => acknowledge(db, ana))).rejects.toMatchObject(refused)
  await expect(as(nobody, (db) => acknowledge(db, ana))).rejects.toMatchObject(refused)
  expect(await as(traveler(ben), (db) => db.selectFrom('advisory_acknowledgments').selectAll().execute())).toEqual([])
  expect(await as(traveler(ana), (db) => db.selectFrom('advisory_acknowledgments').selectAll().execute())).toHaveLength(
    1,
  )
})

test('the audit log accepts a user’s own entries, shows them to admins only, and lets nobody change one', async () => {
  const ana = randomUUID()
  const entry = (actor_id: string, actor_role: string) => ({
    actor_id,
    actor_role,
    action: 'advisory.edit' as const,
    subject_type: 'advisory',
    subject_id: '1',
  })
  await as(traveler(ana), (db) => db.insertInto('audit_log').values(entry(ana, 'traveler')).execute())
  await expect(
    as(traveler(ana), (db) => db.insertInto('audit_log').values(entry(randomUUID(), 'admin')).execute()),
  ).rejects.toMatchObject(refused)
  expect(await as(traveler(ana), (db) => db.selectFrom('audit_log').select('id').execute())).toEqual([])
  expect(await as(admin(), (db) => db.selectFrom('audit_log').select('id').execute())).toHaveLength(1)
  for (const claims of [admin(), traveler(ana)])
    await expect(as(claims, (db) => db.deleteFrom('audit_log').execute())).rejects.toMatchObject(refused)
  await expect(inBackground(database, 'test', (db) => db.deleteFrom('audit_log').execute())).rejects.toMatchObject(
    refused,
  )
})

test('claims end with their transaction', async () => {
  await as(admin(), (db) => sql`select 1`.execute(db))
  const { rows } = await sql<{ role: string | null }>`select portal_role() as role`.execute(database.requests.kysely)
  expect(rows[0]?.role).toBeNull()
})

test('requesting a second connection inside a transaction throws at once instead of deadlocking', async () => {
  await expect(as(nobody, () => sql`select 1`.execute(database.requests.kysely))).rejects.toThrow('pass `db` down')
})

test('every table except the portal’s internal ones has row-level security, forced', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and not (relrowsecurity and relforcerowsecurity)
      and relname not like 'auth\\_%'
    order by 1`.execute(database.requests.kysely)
  expect(rows.map(({ name }) => name)).toEqual(['migrations', 'public_changes', 'public_version', 'rate_limits'])
})

test('no role of the portal reads a password, a token or a rate limit: those tables are for the login role', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname || ' ' || role as name from pg_class,
      unnest(array['portal_anonymous', 'portal_user', 'portal_service']) as role
    where relkind = 'r' and relnamespace = 'public'::regnamespace and (relname like 'auth\\_%' or relname = 'rate_limits')
      and has_any_column_privilege(role, oid, 'select, insert, update, references')`.execute(database.requests.kysely)
  expect(rows).toEqual([])
})
