import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { firstOf } from '#shared/assert.ts'
import type { Database } from './connection.ts'
import { checkRights } from './rights.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

/** Names of all migrations of this version, in order. */
export const listMigrations = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort()

/** The SQL of a migration. */
export const readMigration = (name: string): Promise<string> => readFile(new URL(name, FOLDER), 'utf8')

/**
 * Applies the missing migrations, each in its own transaction; returns their names.
 *
 * @throws when the database has migrations unknown to this version, which could then write inconsistent data
 */
export async function migrate(database: Database): Promise<string[]> {
  const files = await listMigrations()
  const applied: string[] = []
  await database.background.kysely.connection().execute(async (connection) => {
    if (database.engine === 'postgres') {
      await sql`set statement_timeout = 0`.execute(connection)
      const { rows } = await sql<{ is_new: boolean }>`select to_regclass('migrations') is null as is_new`.execute(
        connection,
      )
      if (firstOf(rows).is_new) await checkRights(connection)
    }
    // Nodes that start together take turns; the second finds nothing to do.
    await sql`select pg_advisory_lock(hashtext('portal.migrate'))`.execute(connection)
    try {
      await sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`.execute(
        connection,
      )
      const { rows } = await sql<{ name: string }>`select name from migrations`.execute(connection)
      const known = new Set(rows.map((row) => row.name))
      refuseNewer(rows.map((row) => row.name).filter((name) => !files.includes(name)))
      for (const file of files.filter((name) => !known.has(name))) {
        const text = await readMigration(file)
        await connection.transaction().execute(async (transaction) => {
          await sql.raw(text).execute(transaction)
          await sql`insert into migrations (name) values (${file})`.execute(transaction)
        })
        applied.push(file)
      }
    } finally {
      await sql`select pg_advisory_unlock(hashtext('portal.migrate'))`.execute(connection)
      if (database.engine === 'postgres') await sql`reset statement_timeout`.execute(connection)
    }
  })
  return applied
}

function refuseNewer(unknown: readonly string[]): void {
  if (unknown.length === 0) return
  throw new Error(
    `The database is newer than this version of the portal: it has ${unknown.toSorted().at(-1)}. ` +
      'Start the newer version, or restore the backup from before the upgrade (docs/deploy.md).',
  )
}
