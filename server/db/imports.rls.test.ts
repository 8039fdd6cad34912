import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { ROLES, type Role } from '#shared/roles.ts'
import { inBackground, withClaims } from './claims.ts'
import type { Db } from './connection.ts'

// No handler in between: tests what the database allows if a check is forgotten.
const database = await testDatabase()
const as = <T>(role: Role, fn: (db: Db) => Promise<T>) =>
  withClaims(database, { as: 'user', userId: randomUUID(), role }, fn)
const refused = { code: '42501' }

const importOf = (kind: string) => ({
  kind,
  file_name: `${kind}.csv`,
  sha256: 'x',
  columns: ['name'],
  status: 'uploaded' as const,
  row_count: 1,
})

/** An import of this kind with one row. */
const made = (kind: string) =>
  inBackground(database, 'test', async (db) => {
    const { id } = await db.insertInto('imports').values(importOf(kind)).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('import_rows').values({ import_id: id, row_number: 2, cells: '["A"]' }).execute()
    return id
  })
const locales = await made('locales')
const unknown = await made('members')

/** The imports and the rows that a role can read and change. */
const reach = (role: Role) =>
  as(role, async (db) => {
    const imports = await db.selectFrom('imports').select('id').execute()
    const rows = await db.selectFrom('import_rows').select('import_id').execute()
    const changed = await db.updateTable('import_rows').set({ name: 'seen' }).returning('import_id').execute()
    const touched = await db.updateTable('imports').set({ progress: 1 }).returning('id').execute()
    return [imports, rows, changed, touched].map((found) => found.map((row) => Object.values(row)[0]))
  })

test('administrators reach imports of locales, and no kind that the database does not name', async () => {
  expect(await reach('admin')).toEqual([[locales], [locales], [locales], [locales]])
})

test.each(ROLES.filter((role) => role !== 'admin'))('a %s reaches no import and no row of one', async (role) => {
  expect(await reach(role)).toEqual([[], [], [], []])
  await expect(as(role, (db) => db.insertInto('imports').values(importOf('locales')).execute())).rejects.toMatchObject(
    refused,
  )
  const row = { import_id: locales, row_number: 3, cells: '["B"]' }
  await expect(as(role, (db) => db.insertInto('import_rows').values(row).execute())).rejects.toMatchObject(refused)
})

test('an administrator adds nothing to other kinds, and turns no import into one', async () => {
  const row = { import_id: unknown, row_number: 3, cells: '["B"]' }
  for (const change of [
    (db: Db): Promise<unknown> => db.insertInto('imports').values(importOf('members')).execute(),
    (db: Db) => db.insertInto('import_rows').values(row).execute(),
    (db: Db) => db.updateTable('imports').set({ kind: 'members' }).where('id', '=', locales).execute(),
    (db: Db) => db.updateTable('import_rows').set({ import_id: unknown }).where('import_id', '=', locales).execute(),
  ])
    await expect(as('admin', change)).rejects.toMatchObject(refused)
})

test('anonymous callers read nothing, and both tables force their policies', async () => {
  for (const table of ['imports', 'import_rows'] as const)
    await expect(
      withClaims(database, { as: 'anonymous' }, (db) => db.selectFrom(table).selectAll().execute()),
    ).rejects.toMatchObject(refused)
  const { rows } = await sql<{ forced: boolean }>`select relrowsecurity and relforcerowsecurity as forced
    from pg_class where relname in ('imports', 'import_rows')`.execute(database.background.kysely)
  expect(rows).toEqual([{ forced: true }, { forced: true }])
})
