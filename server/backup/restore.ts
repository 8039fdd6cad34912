import { setTimeout } from 'node:timers/promises'
import { MIGRATIONS_TABLE } from '#server/db/migrate.ts'
import { listMigrations, type Migration } from '#server/db/migration-files.ts'
import { findMismatch } from '#server/db/migration-history.ts'
import type { Store } from '#server/files/store.ts'
import { firstOf } from '#shared/assert.ts'
import { checkBackupFile, readLines } from './backup-files.ts'
import { listTables, quoted, type Table } from './catalogue.ts'
import { BackupError } from './error.ts'
import { restoreFiles } from './files.ts'
import { BEFORE_BASELINE, filePath, type OpenBackup, tablePath } from './manifest.ts'
import { type SuspendedWork, suspendAfterRestore } from './post-restore.ts'
import { inTransaction, type Session } from './session.ts'
import { checkRoleAccess, compareRows, compareRules, countAdministrators, type Report } from './verification.ts'

export interface RestoreOptions {
  session: Session
  /** Null restores the database only, to test a backup. */
  store: Store | null
  backup: OpenBackup
  /** Drops the existing database content; without it, only an empty database is written to. */
  replaces: boolean
  preservesSessions: boolean
  sendsPending: boolean
}

export interface RestoreReport extends Report, SuspendedWork {
  /** Active administrators who have a sign-in method. */
  administrators: number
}

const PAGE_CHARACTERS = 1024 * 1024
const MAX_PAGE_ROWS = 2_000
const DISCONNECT_ATTEMPTS = 10
const DISCONNECT_PAUSE_MS = 200

/**
 * Restores a backup. Everything is checked before anything is written, files come before rows, and the database changes
 * in one transaction, so an interrupted restore leaves it unchanged.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { session, store, backup, replaces, preservesSessions, sendsPending } = options
  const migrations = await listMigrations()
  checkMigrations(backup, migrations)
  await checkBackup(backup)
  await checkTarget(session, replaces)
  if (store) await restoreFiles(store, backup)
  return inTransaction(session, 'begin', async () => {
    // The portal takes the same lock at startup.
    await session.query(`select pg_advisory_xact_lock(hashtext('portal.migrate'))`)
    await empty(session)
    await session.query(MIGRATIONS_TABLE)
    const count = backup.manifest.migrations.length
    for (const { text } of migrations.slice(0, count)) await session.query(text)
    const compared = await load(session, backup)
    const rules = await compareRules(session, backup.manifest)
    for (const { name, text, checksum } of migrations.slice(count)) {
      await session.query(text)
      await session.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    }
    const suspended = await suspendAfterRestore(session, {
      preservesSessions,
      sendsPending,
      backupAt: backup.manifest.created_at,
    })
    await checkRoleAccess(session)
    return { ...compared, ...rules, ...suspended, administrators: await countAdministrators(session) }
  })
}

/** Reads every file of a backup and compares it with the manifest. */
export async function checkBackup({ folder, manifest }: OpenBackup): Promise<void> {
  for (const table of manifest.tables) await checkBackupFile(folder, tablePath(table.name), table)
  for (const file of manifest.files) await checkBackupFile(folder, filePath(file.key), file)
}

function checkMigrations({ manifest }: OpenBackup, migrations: readonly Migration[]): void {
  const mismatch = findMismatch(manifest.migrations, migrations)
  if (!mismatch) return
  const { kind, name } = mismatch
  if (kind === 'before baseline') throw new BackupError(BEFORE_BASELINE)
  throw new BackupError(
    kind === 'newer'
      ? `This backup was made by a newer version of the portal, which has ${name}. Install that version first.`
      : `This backup was made by a version of the portal with a different ${name}. Install that version first.`,
  )
}

/** Throws if the database holds data that must not be replaced, or if other sessions are connected. */
export async function checkTarget(session: Session, replaces: boolean): Promise<void> {
  const tables = await session.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  )
  if (tables.length > 0 && !replaces) throw new BackupError('This database contains data that a restore would replace.')
  if (session.engine === 'pglite') return
  const others = await countConnections(session)
  if (others > 0)
    throw new BackupError(
      `This database has other connections (${others}). First stop all processes of the portal, and psql.`,
    )
}

/** Number of other connected sessions. Connections that are closing get a moment to finish. */
async function countConnections(session: Session): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const others = await session.query<{ count: number }>(`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
    const { count } = firstOf(others)
    if (count === 0 || attempt === DISCONNECT_ATTEMPTS) return count
    await setTimeout(DISCONNECT_PAUSE_MS)
  }
}

/** Drops everything except extensions. Roles stay, since they belong to the whole cluster. */
async function empty(session: Session): Promise<void> {
  await session.query(`do $$
    declare statement text;
    begin
      -- Named before anything is dropped: what is gone has no name any more.
      foreach statement in array array(
        select 'drop table if exists ' || c.oid::regclass || ' cascade' from pg_class c
          where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
            and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        union all
        select 'drop view if exists ' || c.oid::regclass || ' cascade' from pg_class c
          where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace
            and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        union all
        select 'drop routine if exists ' || p.oid::regprocedure || ' cascade' from pg_proc p
          where p.pronamespace = 'public'::regnamespace
            and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
        union all
        select 'drop domain if exists ' || t.oid::regtype || ' cascade' from pg_type t
          where t.typtype = 'd' and t.typnamespace = 'public'::regnamespace
            and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e'))
      loop
        execute statement;
      end loop;
    end $$`)
  // The job queue is not part of a backup; the portal recreates it at startup.
  await session.query('drop schema if exists pgboss cascade')
}

/** Loads the tables created by the backup's migrations and compares them with the backup. */
async function load(session: Session, backup: OpenBackup) {
  const { manifest } = backup
  const tables = matched(await listTables(session), backup)
  const foreignKeys = await session.query<{ tab: string; name: string; definition: string }>(`
    select c.conrelid::regclass::text as tab, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace order by 1, 2`)
  // Dropped so that tables can load in any order; recreating them below proves that every reference is valid.
  for (const { tab, name } of foreignKeys) await session.query(`alter table ${tab} drop constraint ${name}`)
  const forced = await session.query<{ name: string }>(`select relname as name from pg_class
    where relforcerowsecurity and relnamespace = 'public'::regnamespace`)
  // No policy applies to the owner during this transaction, in which no other session sees the tables.
  for (const { name } of forced) await session.query(`alter table ${quoted(name)} no force row level security`)
  for (const { name } of tables) await session.query(`alter table ${quoted(name)} disable trigger user`)
  // Rows inserted by migrations.
  await session.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
  for (const table of tables) await loadTable(session, table, backup)
  for (const { name, value, is_called } of manifest.sequences)
    await session.query('select setval($1::regclass, $2::bigint, $3)', [quoted(name), value, is_called])
  for (const { tab, name, definition } of foreignKeys)
    await session.query(`alter table ${tab} add constraint ${name} ${definition}`)
  const compared = await compareRows(session, tables, manifest)
  for (const { name } of tables) await session.query(`alter table ${quoted(name)} enable trigger user`)
  for (const { name } of forced) await session.query(`alter table ${quoted(name)} force row level security`)
  return compared
}

/** Only names created by the migrations are ever written into a statement. */
function matched(tables: Table[], { manifest }: OpenBackup): Table[] {
  const backedUp = new Map(manifest.tables.map((table) => [table.name, table]))
  return tables.map((table) => {
    const found = backedUp.get(table.name)
    backedUp.delete(table.name)
    const columns = found?.columns.map((name) => table.columns.find((column) => column.name === name))
    if (!found || !columns || columns.length !== table.columns.length || columns.includes(undefined))
      throw new BackupError(`The columns of table ${table.name} in this backup do not match its version of the portal.`)
    return { ...table, columns: columns as Table['columns'] }
  })
}

async function loadTable(session: Session, { name, columns }: Table, { folder, encryption }: OpenBackup) {
  const insert = `insert into ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')})
    overriding system value
    select ${columns.map(({ type }, at) => `(line ->> ${at})::${type}`).join(', ')}
    from jsonb_array_elements($1::jsonb) line`
  let page: string[] = []
  let characters = 0
  const write = async () => {
    if (page.length > 0) await session.query(insert, [`[${page.join(',')}]`])
    page = []
    characters = 0
  }
  for await (const line of readLines(folder, tablePath(name), encryption)) {
    page.push(line)
    characters += line.length
    if (characters >= PAGE_CHARACTERS || page.length >= MAX_PAGE_ROWS) await write()
  }
  await write()
}
