import { cpSync, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { PGlite, protocol } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { firstOf } from '#shared/assert.ts'
import { connections, type Database } from './connection.ts'
import { DataDirectoryError, prepareDataDirectory } from './data-directory.ts'
import { freeBytes, guardSpace, RESERVE_BYTES } from './disk-space.ts'
import { DURABLE_PARAMETERS, EngineFS, syncEntry, syncTree } from './engine-fs.ts'
import { lockDataDirectory } from './lock.ts'

const extensions = { pg_trgm }
const FLUSH_WITHIN_MS = 1_000

export interface EmbeddedOptions {
  /** In-memory snapshot to start from. */
  from?: Blob
  /** False: faster, but a power cut may destroy the whole database. For measurements and tests. */
  isDurable?: boolean
}

/** Opens the embedded database in a directory that it locks, or in memory without one. */
export async function openPglite(directory?: string, options: EmbeddedOptions = {}): Promise<Database> {
  if (!directory) {
    const inMemory = await PGlite.create({ extensions, ...(options.from ? { loadDataDir: options.from } : {}) })
    return databaseOf(inMemory, { location: 'memory', isDurable: false })
  }
  const isDurable = options.isDurable ?? true
  let unlock: (() => void) | undefined
  try {
    unlock = lockDataDirectory(directory)
    const folder = await prepareDataDirectory(directory, { isDurable, make: makeEmpty })
    const pglite = await openFolder(directory, folder, isDurable)
    return databaseOf(pglite, { location: directory, isDurable, folder, unlock })
  } catch (error) {
    unlock?.()
    throw fsError(error as NodeJS.ErrnoException, directory)
  }
}

/** Creates an empty database; the caller syncs it to disk. */
async function makeEmpty(folder: string): Promise<void> {
  const pglite = await PGlite.create({ dataDir: folder })
  await pglite.close()
}

async function openFolder(directory: string, folder: string, isDurable: boolean): Promise<PGlite> {
  const fs = new EngineFS(folder, { isDurable })
  const startParams = isDurable ? DURABLE_PARAMETERS : PGlite.defaultStartParams
  const pglite = await PGlite.create({ fs, extensions, startParams, onStderr: fs.readStderr }).catch(() => {
    throw openError(directory, fs.failure())
  })
  if (isDurable) await proveDurable(pglite, fs)
  fs.markReady()
  return pglite
}

/** Throws unless one commit syncs to disk exactly once. */
async function proveDurable(pglite: PGlite, fs: EngineFS): Promise<void> {
  const { rows } = await pglite.query<Record<string, string>>(
    `select current_setting('fsync') as fsync, current_setting('wal_sync_method') as method,
            current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as commits`,
  )
  const { fsync, method, pages, commits } = firstOf(rows)
  const before = fs.syncs
  await pglite.query(`select pg_logical_emit_message(true, 'portal', 'is this commit on the disk?')`)
  const syncs = fs.syncs - before
  if (fsync === 'on' && method === 'fsync' && pages === 'on' && commits === 'on' && syncs === 1) return
  await pglite.close()
  throw new DataDirectoryError(
    `The embedded database cannot be made durable: fsync ${fsync}, wal_sync_method ${method}, full_page_writes ${pages}, synchronous_commit ${commits}, ${syncs} syncs for one commit. Remove what was changed in postgresql.conf, or set DATABASE_SYNC=off and accept that a power cut may take the whole database.`,
  )
}

/** The engine's error, with advice. */
function openError(directory: string, reason: string): DataDirectoryError {
  if (/No space left|disk quota/i.test(reason)) return fullDisk(directory)
  if (/Read-only file system|Permission denied|Operation not permitted/i.test(reason)) return noRight(directory)
  return new DataDirectoryError(
    `The database in ${directory} is damaged and cannot be opened (${reason}). Nothing was changed. Keep a copy of the directory, then restore the latest backup to an empty DATA_DIR.`,
  )
}

function fsError(error: NodeJS.ErrnoException, directory: string): Error {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return fullDisk(directory)
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS') return noRight(directory)
  if (error.code === 'ENOTDIR' || error.code === 'EEXIST')
    return new DataDirectoryError(`${directory} is not a directory. Set DATA_DIR to one.`)
  return error
}

const fullDisk = (directory: string) =>
  new DataDirectoryError(
    `The disk of ${directory} is full. Nothing is lost. Free at least ${(2 * RESERVE_BYTES) / 2 ** 20} MB and start again.`,
  )

const noRight = (directory: string) =>
  new DataDirectoryError(
    `This user${process.getuid ? ` (${process.getuid()})` : ''} cannot write to the data directory ${directory}. Change its owner with chown -R, make the file system writable, or set another DATA_DIR.`,
  )

interface Place {
  location: string
  isDurable: boolean
  folder?: string
  unlock?: () => void
}

function databaseOf(pglite: PGlite, at: Place): Database {
  // One session: a second connection on it would run inside the first one's open transaction.
  const pool = new pg.Pool({ ...createPgConfig(pglite), max: 1, connectionTimeoutMillis: 10_000 })
  const { folder } = at
  const space = folder ? guardSpace(pool, sessionOf(pglite), () => freeBytes(folder)) : undefined
  const only = connections(pool)
  let flushing: NodeJS.Timeout | undefined
  /** Between two transactions: the one session must not be used in the middle of one. */
  const between = async <T>(fn: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    try {
      return await fn(client)
    } finally {
      client.release()
    }
  }
  return {
    engine: 'pglite',
    location: at.location,
    requests: only,
    background: only,
    listen: (channel, callback) => between(async () => void (await pglite.listen(channel, callback))),
    embedded: {
      isDurable: at.isDurable,
      space,
      flushSoon() {
        // The engine has no background writer: nothing is synced until another commit waits for the disk.
        flushing ??= setTimeout(() => {
          flushing = undefined
          pool.query(`select pg_logical_emit_message(false, 'portal', 'flush', true)`).catch(() => {})
        }, FLUSH_WITHIN_MS).unref()
      },
      copyTo: (target) =>
        between(async (client) => {
          if (!folder) throw new Error('A database in memory has no folder to copy.')
          await client.query('checkpoint')
          copyFolder(folder, target)
        }),
      dump: async () => pglite.dumpDataDir('none'),
    },
    close: async () => {
      space?.stop()
      clearTimeout(flushing)
      await pool.end()
      // After a failed statement, the client still has to send its last message.
      await new Promise((turn) => setImmediate(turn))
      await pglite.close()
      at.unlock?.()
    },
  }
}

function sessionOf(pglite: PGlite) {
  return {
    isInTransaction: () => pglite.isInTransaction(),
    // The pool's client would queue it behind the current work.
    run: (statement: string) => void pglite.execProtocolRawSync(protocol.serialize.query(statement)),
  }
}

/** Synchronous on purpose: nothing can be written while it runs. */
function copyFolder(from: string, to: string): void {
  if (existsSync(to)) throw new Error(`${to} exists already. Name a new folder for the copy.`)
  mkdirSync(path.dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true, filter: (source) => path.basename(source) !== 'postmaster.pid' })
  syncTree(to)
  syncEntry(path.dirname(to))
}
