import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openSession, type Session } from '#server/backup/session.ts'
import { backupPlaces, openPlace } from '#server/testing/backups.ts'
import { testDatabase } from '#server/testing/database.ts'
import { readSchemaCatalog } from '#server/testing/schema-catalog.ts'
import { migrate } from './migrate.ts'
import { listMigrations, type Migration } from './migration-files.ts'
import { findMismatch } from './migration-history.ts'

const database = await testDatabase()
const migrations = await listMigrations()
const { emptyPlace } = backupPlaces()

test('an up-to-date database is left as it is', async () => {
  expect(await migrate(database)).toEqual([])
})

test('the portal does not start on a newer database, and says what to do', async () => {
  await expect(migrate(database, migrations.slice(0, -1))).rejects.toThrow(
    new RegExp(`newer than this version.*${migrations.at(-1)!.name}.*Start the newer version`, 's'),
  )
})

test('no landed migration was edited: a change is a new file, and a new file is a new line in checksums.json', () => {
  const file = new URL('./migrations/checksums.json', import.meta.url)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(
    Object.fromEntries(migrations.map(({ name, checksum }) => [name, checksum])),
  )
})

test.each<[string, (own: Migration[]) => Migration[], RegExp]>([
  [
    'was edited after it was applied',
    ([first, second, ...rest]) => [first!, { ...second!, checksum: 'other' }, ...rest],
    /0002_\w+\.sql was edited after it was applied.*Nothing was changed.*put the change in a new migration/s,
  ],
  [
    'has the number of another that was applied',
    ([first, second, ...rest]) => [first!, { ...second!, name: '0002_other.sql' }, second!, ...rest],
    /has 0002_readmodel\.sql where this version has 0002_other\.sql\. Nothing was changed/,
  ],
])('the portal does not start when a migration %s', async (_, change, message) => {
  await expect(migrate(database, change(migrations))).rejects.toThrow(message)
})

test.each([
  [
    'two files have one number',
    ['0001_a.sql', '0002_b.sql', '0002_c.sql'],
    /0002_b\.sql and 0002_c\.sql have the same number/,
  ],
  ['a number is missing', ['0001_a.sql', '0003_c.sql'], /0002 is missing before 0003_c\.sql/],
  ['the first is missing', ['0002_b.sql'], /0001 is missing before 0002_b\.sql/],
  ['a name has no number', ['0001_a.sql', 'b.sql'], /b\.sql is not the name of a migration.*0025_visas\.sql/],
])('migrations are refused when %s', async (_, names, message) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portal-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of names) writeFileSync(path.join(folder, name), 'select 1')
  await expect(listMigrations(pathToFileURL(`${folder}/`))).rejects.toThrow(message)
})

test('processes that start together apply each migration once', async () => {
  const place = await emptyPlace()
  // The embedded database belongs to one process.
  const first = await openPlace(place)
  const second = place.databaseUrl ? await openPlace(place) : first
  try {
    const applied = await Promise.all([migrate(first), migrate(second)])
    expect(applied.toSorted((a, b) => a.length - b.length)).toEqual([[], migrations.map(({ name }) => name)])
  } finally {
    await Promise.all([...new Set([first, second])].map((each) => each.close()))
  }
})

test('a database from before the baseline is refused and left as it is', async () => {
  const place = await emptyPlace()
  const inPlace = async <T>(fn: (session: Session) => Promise<T>) => {
    const session = await openSession({ ...place, isDurable: false })
    return fn(session).finally(() => session.close())
  }
  const contents = () =>
    inPlace(async ({ query }) => [
      await readSchemaCatalog(query),
      await query('select to_jsonb(m) as line from migrations m union all select to_jsonb(s) from settings s'),
    ])
  await inPlace(async ({ query }) => {
    await query('create table migrations (name text primary key, applied_at timestamptz not null default now())')
    await query(`insert into migrations (name) values ('0001_ground.sql'), ('0002_advisories.sql')`)
    await query(`create table settings as select 'cases' as key`)
  })
  const before = await contents()
  const old = await openPlace(place)
  const failure = await migrate(old)
    .catch((error: Error) => error.message)
    .finally(() => old.close())
  expect(failure).toContain(place.databaseUrl ? new URL(place.databaseUrl).pathname : place.dataDir)
  expect(failure).toMatch(/older than the migration baseline.*Nothing was changed/s)
  expect(failure).toContain(place.databaseUrl ? 'Set DATABASE_URL to an empty database' : 'Set DATA_DIR to an empty')
  expect(failure).toContain('start the version that created it')
  expect(await contents()).toEqual(before)
})

test('what another first migration made is from before the baseline, whatever its checksum', () => {
  expect(findMismatch([{ name: '0001_ground.sql', checksum: 'any' }], migrations)?.kind).toBe('before baseline')
})

test('each migration is recorded with the checksum of its text', async () => {
  const { rows } = await sql`select name, checksum from migrations order by name`.execute(database.background.kysely)
  expect(rows).toEqual(migrations.map(({ name, checksum }) => ({ name, checksum })))
})
