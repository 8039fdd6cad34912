import { sql } from 'kysely'
import type { Database } from './connection.ts'
import { listMigrations, type Migration } from './migration-files.ts'
import { findMismatch, type Mismatch, readAppliedMigrations } from './migration-history.ts'
import { checkRights } from './rights.ts'

/** Creates the table that records which migrations were applied. */
export const MIGRATIONS_TABLE = `create table if not exists migrations (
  name text primary key, checksum text not null, applied_at timestamptz not null default now())`

/**
 * Applies the missing migrations, each in its own transaction; returns their names.
 *
 * @throws when the database was migrated by files other than these, which could then write inconsistent data
 */
export async function migrate(database: Database, migrations?: readonly Migration[]): Promise<string[]> {
  const all = migrations ?? (await listMigrations())
  return database.background.kysely.connection().execute(async (connection) => {
    if (database.engine === 'postgres') await sql`set statement_timeout = 0`.execute(connection)
    // Nodes that start together take turns; the second finds nothing to do.
    await sql`select pg_advisory_lock(hashtext('portal.migrate'))`.execute(connection)
    try {
      const applied = await readAppliedMigrations(async (text) => (await sql.raw(text).execute(connection)).rows)
      const mismatch = findMismatch(applied ?? [], all)
      if (mismatch) throw new Error(describe(mismatch, database))
      if (!applied && database.engine === 'postgres') await checkRights(connection)
      await sql.raw(MIGRATIONS_TABLE).execute(connection)
      const missing = all.slice(applied?.length ?? 0)
      for (const { name, text, checksum } of missing)
        await connection.transaction().execute(async (transaction) => {
          await sql.raw(text).execute(transaction)
          await sql`insert into migrations (name, checksum) values (${name}, ${checksum})`.execute(transaction)
        })
      return missing.map(({ name }) => name)
    } finally {
      await sql`select pg_advisory_unlock(hashtext('portal.migrate'))`.execute(connection)
      if (database.engine === 'postgres') await sql`reset statement_timeout`.execute(connection)
    }
  })
}

function describe({ kind, name, own }: Mismatch, { engine, location }: Database): string {
  switch (kind) {
    case 'before baseline':
      return (
        `The database at ${location} is older than the migration baseline and cannot be upgraded by this version. ` +
        `Nothing was changed. Set ${engine === 'postgres' ? 'DATABASE_URL to an empty database' : 'DATA_DIR to an empty directory'}; ` +
        'a backup of the old one cannot be restored there. To export its data, start the version that created it.'
      )
    case 'newer':
      return (
        `The database is newer than this version of the portal: it has ${name}. ` +
        'Start the newer version, or restore the backup from before the upgrade (docs/deploy.md).'
      )
    case 'other':
      return (
        `The database at ${location} has ${name} where this version has ${own}. Nothing was changed. ` +
        'Start the version that upgraded it, or restore the backup from before the upgrade.'
      )
    case 'edited':
      return (
        `The migration ${name} was edited after it was applied to the database at ${location}. Nothing was changed. ` +
        'Restore the original file and put the change in a new migration.'
      )
  }
}
