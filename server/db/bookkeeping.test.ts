import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { inBookkeeping } from './bookkeeping.ts'
import { openPglite } from './embedded.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'portal-books-'))
const database = await openPglite(folder)
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

interface Places {
  inserted: number
  flushed: number
}
/** Log position written, and log position synced to disk. */
async function places(): Promise<Places> {
  const { rows } = await sql<Places>`select
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as inserted,
    pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 as flushed`.execute(database.background.kysely)
  return rows[0]!
}

test('bookkeeping commits do not wait for the disk, are synced soon after, and no other writes skip it', async () => {
  await sql`create table counted (id int)`.execute(database.background.kysely)
  const insert = sql`insert into counted values (1)`
  await insert.execute(database.background.kysely)
  const quiet = await places()
  expect(quiet.flushed).toBe(quiet.inserted)

  await inBookkeeping(database, 'job queue', (db) => insert.execute(db))
  const after = await places()
  expect(after.flushed).toBeLessThan(after.inserted)
  await expect.poll(async () => (await places()).flushed).toBeGreaterThanOrEqual(after.inserted)

  await insert.execute(database.background.kysely)
  const next = await places()
  expect(next.flushed).toBe(next.inserted)
})
