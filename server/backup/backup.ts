import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { listMigrations } from '#server/db/migration-files.ts'
import { findMismatch, readAppliedMigrations } from '#server/db/migration-history.ts'
import { present } from '#shared/assert.ts'
import { syncFolder, writeBackupFile } from './backup-files.ts'
import { lineOf, listRules, listSequences, listTables, quoted, type Table } from './catalogue.ts'
import { Digest } from './digest.ts'
import { type Encryption, keysOf } from './encryption.ts'
import { BackupError } from './error.ts'
import { backUpFiles, type StoredFile } from './files.ts'
import { FORMAT, MANIFEST, type Manifest, SEAL, sealOf, tablePath } from './manifest.ts'
import type { BackupOptions } from './options.ts'
import { inTransaction, type Session } from './session.ts'

export interface MadeBackup {
  folder: string
  manifest: Manifest
  bytes: number
}

/** Without these tables a backup cannot restore sessions or signed links. */
const SECRET_TABLES: ReadonlySet<string> = new Set(['auth_secrets'])
const PAGE_BYTES = 1024 * 1024
const MAX_PAGE_ROWS = 500
const BROKEN_OFF_MS = 24 * 3_600_000

/**
 * Writes a consistent snapshot of every table and every file into a new folder. The folder gets its final name only
 * once everything is on disk, so an interrupted backup never looks complete.
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const now = options.now ?? new Date()
  const to = path.resolve(options.to)
  const encryption = options.passphrase === undefined ? null : await keysOf(options.passphrase)
  const folder = path.join(to, nameOf(now))
  const partial = `${folder}-${randomBytes(4).toString('hex')}.partial`
  try {
    await mkdir(to, { recursive: true, mode: 0o700 })
    await mkdir(partial, { mode: 0o700 })
    const { files, ...database } = await backUpDatabase(options, partial, encryption)
    // After the database: bytes are written before their row, so every row of the snapshot has its bytes.
    const manifest: Manifest = {
      format: FORMAT,
      created_at: now.toISOString(),
      ...database,
      ...(await backUpFiles(options, files, partial, encryption)),
      has_secrets: options.withSecrets,
      encryption: encryption && { salt: encryption.salt.toString('hex') },
    }
    const text = JSON.stringify(manifest, null, 1)
    const written = { mode: 0o600, flush: true }
    await writeFile(path.join(partial, MANIFEST), text, written)
    await writeFile(path.join(partial, SEAL), `${sealOf(text, encryption)}\n`, written)
    for (const name of ['tables', 'files', '']) await syncFolder(path.join(partial, name))
    await rename(partial, folder)
    await syncFolder(to)
    return { folder, manifest, bytes: sizeOf(manifest) + Buffer.byteLength(text) }
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => {})
    throw toBackupError(error, to)
  }
}

async function backUpDatabase({ session, withSecrets }: BackupOptions, folder: string, encryption: Encryption | null) {
  return inTransaction(session, 'begin isolation level repeatable read, read only', async () => {
    const tables = await listTables(session)
    if (!tables.some(({ name }) => name === 'migrations'))
      throw new BackupError('This database does not contain a portal yet. There is nothing to back up.')
    const [server] = await session.query<{ server_version: string }>('show server_version')
    const migrations = (await readAppliedMigrations(session.query)) ?? []
    if (findMismatch(migrations, await listMigrations())?.kind === 'before baseline')
      throw new BackupError(
        'This database is older than the migration baseline. Back it up with the version that created it.',
      )
    const written: Manifest['tables'] = []
    for (const table of tables)
      written.push(await backUpTable(session, table, folder, encryption, SECRET_TABLES.has(table.name) && !withSecrets))
    await setRole(session, 'portal_service')
    const files = await session.query<StoredFile>('select bucket, id, sha256 from stored_files order by bucket, id')
    await setRole(session, null)
    return {
      engine: session.engine,
      server: present(server, 'the version of the server').server_version,
      migrations,
      tables: written,
      sequences: await listSequences(session),
      rules: await listRules(session),
      files,
    }
  })
}

async function backUpTable(
  session: Session,
  { name, columns, reader }: Table,
  folder: string,
  encryption: Encryption | null,
  isLeftOut: boolean,
): Promise<Manifest['tables'][number]> {
  const names = columns.map((column) => column.name)
  const digest = new Digest()
  async function* lines() {
    if (isLeftOut) return
    await setRole(session, reader)
    await session.query(`declare rows no scroll cursor for select ${lineOf(names)} as line from ${quoted(name)}`)
    for (let count = 20; ; ) {
      const page = await session.query<{ line: string }>(`fetch ${count} from rows`)
      if (page.length === 0) break
      let bytes = 0
      for (const { line } of page) {
        digest.add(line)
        bytes += line.length + 1
        yield `${line}\n`
      }
      // As many rows as fit into a page, whatever their length.
      count = Math.max(1, Math.min(MAX_PAGE_ROWS, Math.floor((PAGE_BYTES * page.length) / bytes)))
    }
    await session.query('close rows')
    await setRole(session, null)
  }
  const checksum = await writeBackupFile(folder, tablePath(name), lines(), { encryption, isText: true })
  return { name, columns: names, rows: digest.rows, digest: digest.digest, ...checksum }
}

const setRole = (session: Session, role: 'portal_service' | null) =>
  session.query(`select set_config('role', $1, true)`, [role ?? 'none'])

const sizeOf = ({ tables, files }: Manifest) => [...tables, ...files].reduce((sum, { bytes }) => sum + bytes, 0)

const PREFIX = 'backup-'
const NAME = /^backup-\d{8}T\d{9}Z$/
const nameOf = (at: Date) => `${PREFIX}${at.toISOString().replace(/[-:.]/g, '')}`

/** Complete backups in a folder, latest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
    .map(({ name }) => path.join(folder, name))
    .sort()
    .reverse()
}

/** Removes all but the latest backups and the remains of interrupted ones. Returns what was removed. */
export async function pruneBackups(folder: string, limit: number): Promise<string[]> {
  const removed = (await listBackups(folder)).slice(limit)
  for (const name of await readdir(folder))
    if (name.startsWith(PREFIX) && name.endsWith('.partial')) {
      const partial = path.join(folder, name)
      // A more recent partial backup may belong to a running process.
      if (Date.now() - (await stat(partial)).mtimeMs > BROKEN_OFF_MS) removed.push(partial)
    }
  for (const old of removed) await rm(old, { recursive: true, force: true })
  return removed
}

const ERROR_TEXTS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EFBIG: 'a file is too large for that disk',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it cannot be written to',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'there is a backup of this moment already',
  ENOTEMPTY: 'there is a backup of this moment already',
}

/**
 * Turns an error about why nothing can be written to the folder into a readable one; returns any other error unchanged.
 */
export function toBackupError(error: unknown, to: string): unknown {
  const reason = ERROR_TEXTS[(error as NodeJS.ErrnoException).code ?? '']
  return reason ? new BackupError(`The backup in ${to} failed: ${reason}.`) : error
}
