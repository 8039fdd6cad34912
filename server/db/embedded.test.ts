import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Database } from './connection.ts'
import { awaitsSample, DataDirectoryError, markSampleLoaded } from './data-directory.ts'
import { openPglite } from './embedded.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'portal-embedded-'))
afterAll(() => rmSync(folder, { recursive: true }))

let made = 0
function directory(): string {
  made += 1
  return path.join(folder, String(made))
}

async function using<T>(place: string, fn: (database: Database) => Promise<T>): Promise<T> {
  const database = await openPglite(place)
  try {
    return await fn(database)
  } finally {
    await database.close()
  }
}
const query = (database: Database, text: string) => database.background.pool.query(text)

/** One whole database with three rows, to copy or damage. */
const whole = directory()
await using(whole, (database) => query(database, 'create table kept as select generate_series(1, 3) as id'))
const count = (place: string) =>
  using(place, async (database) => (await query(database, 'select count(*)::int as n from kept')).rows[0].n)

/** A folder that passes the checks made before the engine opens anything. */
function remains(major: string, marker?: string): string {
  const place = directory()
  for (const name of ['global', 'base', 'pg_wal']) mkdirSync(path.join(place, 'pglite', name), { recursive: true })
  writeFileSync(path.join(place, 'pglite/PG_VERSION'), `${major}\n`)
  writeFileSync(path.join(place, 'pglite/global/pg_control'), 'x')
  if (marker) writeFileSync(path.join(place, 'portal.json'), marker)
  return place
}

test('a commit is on disk before it is acknowledged', async () => {
  await using(whole, async (database) => {
    expect(database.embedded?.isDurable).toBe(true)
    const { rows } = await query(
      database,
      `select name, setting from pg_settings where name in ('fsync', 'wal_sync_method')`,
    )
    expect(rows).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'wal_sync_method', setting: 'fsync' },
    ])
  })
})

test('a new database is marked, and its samples are loaded once', async () => {
  expect(awaitsSample(whole)).toBe(true)
  markSampleLoaded(whole)
  expect(awaitsSample(whole)).toBe(false)
  expect(JSON.parse(readFileSync(path.join(whole, 'portal.json'), 'utf8'))).toMatchObject({
    format: 1,
    is_made: true,
    postgres: readFileSync(path.join(whole, 'pglite/PG_VERSION'), 'utf8').trim(),
  })
})

test('it closes cleanly right after a failed statement', async () => {
  const database = await openPglite()
  const statement = database.background.pool.query('select * from nowhere where id = $1', [1])
  await expect(statement).rejects.toThrow('nowhere')
  // The client's remaining messages would fail the run after the test.
  await database.close()
})

test('a copy made during writes opens with what was committed before it', async () => {
  const copy = directory()
  await using(whole, async (database) => {
    const writes = Array.from({ length: 20 }, () => query(database, 'insert into kept values (4)'))
    await Promise.all([database.embedded!.copyTo(path.join(copy, 'pglite')), ...writes])
    await expect(database.embedded!.copyTo(path.join(copy, 'pglite'))).rejects.toThrow('exists already')
    await query(database, 'delete from kept where id = 4')
  })
  expect(existsSync(path.join(copy, 'pglite/postmaster.pid'))).toBe(false)
  expect(await count(copy)).toBeGreaterThanOrEqual(3)
  // Adopted as a database in use: a restored one must not get demo logins.
  expect(awaitsSample(copy)).toBe(false)
})

test.each([
  ['PG_VERSION', (place: string) => rmSync(path.join(place, 'pglite/PG_VERSION'))],
  ['global/pg_control', (place: string) => truncateSync(path.join(place, 'pglite/global/pg_control'))],
  ['pg_wal', (place: string) => rmSync(path.join(place, 'pglite/pg_wal'), { recursive: true })],
  ['PG_VERSION', (place: string) => rmSync(path.join(place, 'pglite'), { recursive: true })],
])('a database without %s is refused and not recreated', async (missing, damage) => {
  const place = remains('18', '{"format": 1, "is_made": true, "postgres": "18", "sample": "loaded"}')
  damage(place)
  await expect(openPglite(place)).rejects.toThrow(`pglite/${missing} is missing`)
  await expect(openPglite(place)).rejects.toThrow(DataDirectoryError)
  await expect(openPglite(place)).rejects.toThrow('Restore a backup')
  expect(existsSync(path.join(place, `pglite/${missing}`))).toBe(missing === 'global/pg_control')
})

test('one written without waiting for the disk is synced before it is relied on', async () => {
  const place = directory()
  const marker = () => JSON.parse(readFileSync(path.join(place, 'portal.json'), 'utf8'))
  await using(whole, (database) => database.embedded!.copyTo(path.join(place, 'pglite')))
  const fast = await openPglite(place, { isDurable: false })
  expect(fast.embedded?.isDurable).toBe(false)
  expect(marker()).toMatchObject({ is_synced: false, sample: 'loaded' })
  await fast.close()
  // As a power cut may leave it.
  writeFileSync(path.join(place, 'pglite/postmaster.pid'), '')
  expect(await count(place)).toBe(3)
  expect(marker()).toMatchObject({ is_synced: true })
})

test('a directory with other content is refused and left as it is', async () => {
  const place = directory()
  mkdirSync(place)
  writeFileSync(path.join(place, 'thesis.odt'), 'x')
  await expect(openPglite(place)).rejects.toThrow('is not empty and holds no whole database')
  expect(existsSync(path.join(place, 'pglite'))).toBe(false)
  expect(existsSync(path.join(place, 'portal.lock'))).toBe(false)
})

test('a database of another PostgreSQL is refused with advice', async () => {
  const place = remains('17')
  await expect(openPglite(place)).rejects.toThrow(/written by PostgreSQL 17.*backup/s)
})

test.each([
  ['control file', 'global/pg_control', 'incompatible'],
  ['log', 'pg_wal/', 'checkpoint record'],
])('a damaged %s is reported with a readable error that suggests the backup', async (_, damaged, reason) => {
  const place = directory()
  cpSync(whole, place, { recursive: true })
  const wal = readdirSync(path.join(place, 'pglite/pg_wal')).find((name) => /^[0-9A-F]{24}$/.test(name))
  const file = path.join(place, 'pglite', damaged.endsWith('/') ? damaged + wal : damaged)
  writeFileSync(file, Buffer.alloc(statSync(file).size))
  await expect(openPglite(place)).rejects.toThrow(new RegExp(`is damaged.*${reason}.*restore the latest backup`, 's'))
  expect(existsSync(path.join(place, 'portal.lock'))).toBe(false)
})

test('a file in place of the directory is reported with a readable error', async () => {
  const place = directory()
  writeFileSync(place, 'x')
  await expect(openPglite(place)).rejects.toThrow('is not a directory')
})

test('a database killed during creation is created again', async () => {
  const place = directory()
  mkdirSync(path.join(place, 'pglite.new'), { recursive: true })
  writeFileSync(path.join(place, 'pglite.new/PG_VERSION'), '18\n')
  writeFileSync(
    path.join(place, 'portal.json'),
    JSON.stringify({
      format: 1,
      created_at: '2026-01-01T00:00:00Z',
      is_made: false,
      postgres: '18',
      sample: 'pending',
    }),
  )
  await using(place, (database) => query(database, 'create table kept as select 1 as id'))
  expect(existsSync(path.join(place, 'pglite.new'))).toBe(false)
  expect(await count(place)).toBe(1)
  expect(awaitsSample(place)).toBe(true)
})

test('an unreadable marker stops the start', async () => {
  const place = remains('18', '{"format')
  await expect(openPglite(place)).rejects.toThrow('cannot be read as JSON')
  writeFileSync(path.join(place, 'portal.json'), '{"format": 2}')
  await expect(openPglite(place)).rejects.toThrow('newer version')
})
