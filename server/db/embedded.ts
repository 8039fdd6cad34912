import { cpSync, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { connections, type Database } from './connection.ts'
import { prepareDataDirectory } from './data-directory.ts'
import { DURABLE_PARAMETERS, DurableNodeFS, syncOne, syncTree } from './durable-fs.ts'
import { lockDataDirectory } from './lock.ts'

const extensions = { pg_trgm }

export interface EmbeddedOptions {
  /** A snapshot to begin from, in memory. */
  from?: Blob
  /** False: faster, and a power cut may take the whole database. For measurements and tests. */
  isDurable?: boolean
}

/** Opens the embedded database in a directory that it locks, or in memory when none is given. */
export async function openPglite(directory?: string, options: EmbeddedOptions = {}): Promise<Database> {
  if (!directory) {
    const inMemory = await PGlite.create({ extensions, ...(options.from ? { loadDataDir: options.from } : {}) })
    return databaseOf(inMemory, { isDurable: false })
  }
  const unlock = lockDataDirectory(directory)
  try {
    const isDurable = options.isDurable ?? true
    const folder = await prepareDataDirectory(directory, { isDurable, make: makeEmpty })
    const pglite = isDurable ? await openDurable(folder) : await PGlite.create({ dataDir: folder, extensions })
    return databaseOf(pglite, { isDurable, folder, unlock })
  } catch (error) {
    unlock()
    throw error
  }
}

/** Makes an empty database; whoever asked for it puts it on the disk. */
async function makeEmpty(folder: string): Promise<void> {
  const pglite = await PGlite.create({ dataDir: folder })
  await pglite.close()
}

async function openDurable(folder: string): Promise<PGlite> {
  const fs = new DurableNodeFS(folder)
  const pglite = await PGlite.create({ fs, extensions, startParams: DURABLE_PARAMETERS })
  const { rows } = await pglite.query<Record<string, string>>(
    `select current_setting('fsync') as fsync, current_setting('wal_sync_method') as method,
            current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as commits`,
  )
  const { fsync, method, pages, commits } = rows[0]!
  const before = fs.syncs
  await pglite.query(`select pg_logical_emit_message(true, 'portal', 'is this commit on the disk?')`)
  const syncs = fs.syncs - before
  if (fsync === 'on' && method === 'fsync' && pages === 'on' && commits === 'on' && syncs === 1) return pglite
  await pglite.close()
  throw new Error(
    `The embedded database cannot be made durable: fsync ${fsync}, wal_sync_method ${method}, full_page_writes ${pages}, synchronous_commit ${commits}, ${syncs} syncs for one commit. Remove what was changed in postgresql.conf, or start with DATABASE_SYNC=off and accept that a power cut may take the whole database.`,
  )
}

function databaseOf(pglite: PGlite, at: { isDurable: boolean; folder?: string; unlock?: () => void }): Database {
  // One session: a second connection on it would run inside the first one's open transaction.
  const pool = new pg.Pool({ ...createPgConfig(pglite), max: 1, connectionTimeoutMillis: 10_000 })
  const only = connections(pool)
  /** Between two transactions: the one session is not to be asked in the middle of one. */
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
    requests: only,
    background: only,
    listen: (channel, callback) => between(async () => void (await pglite.listen(channel, callback))),
    embedded: {
      isDurable: at.isDurable,
      copyTo: (target) =>
        between(async (client) => {
          if (!at.folder) throw new Error('A database in memory has no folder to copy.')
          await client.query('checkpoint')
          copyFolder(at.folder, target)
        }),
      dump: async () => pglite.dumpDataDir('none'),
    },
    close: async () => {
      await pool.end()
      await pglite.close()
      at.unlock?.()
    },
  }
}

/** Synchronous on purpose: while it runs nothing can be written. */
function copyFolder(from: string, to: string): void {
  if (existsSync(to)) throw new Error(`${to} exists already. Name a new folder for the copy.`)
  mkdirSync(path.dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true, filter: (source) => path.basename(source) !== 'postmaster.pid' })
  syncTree(to)
  syncOne(path.dirname(to))
}
