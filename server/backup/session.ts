import pg from 'pg'
import type { Database } from '#server/db/connection.ts'
import { openPglite } from '#server/db/embedded.ts'
import { BackupError } from './error.ts'

/** A database connection without the time limits of requests and jobs. */
export interface Session {
  engine: Database['engine']
  query: <T extends object = Record<string, never>>(text: string, values?: unknown[]) => Promise<T[]>
  close: () => Promise<void>
}

/** Opens PostgreSQL by URL, or the embedded database in a data directory. Applies no migrations. */
export async function openSession(from: {
  databaseUrl: string | undefined
  dataDir: string
  /** False for a temporary embedded database. */
  isDurable?: boolean
}): Promise<Session> {
  if (from.databaseUrl === undefined) {
    const database = await openPglite(from.dataDir, { isDurable: from.isDurable ?? true })
    return sessionOn(await database.background.pool.connect(), 'pglite', () => database.close())
  }
  const client = new pg.Client({ connectionString: from.databaseUrl, connectionTimeoutMillis: 10_000, keepAlive: true })
  // A lost connection surfaces as an error of the next query.
  client.on('error', () => {})
  await client.connect().catch((error: Error) => {
    throw new BackupError(`Cannot connect to the database of DATABASE_URL: ${error.message}`)
  })
  return sessionOn(client, 'postgres', () => client.end())
}

/** A session on an existing connection, with settings that make the text form of values the same on every server. */
export async function sessionOn(
  client: pg.Client | pg.PoolClient,
  engine: Session['engine'],
  close: () => Promise<void>,
): Promise<Session> {
  await client.query(`set search_path = public; set timezone = 'UTC'; set datestyle = 'ISO, YMD';
    set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1;
    set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`)
  return {
    engine,
    query: async (text, values) => (await client.query(text, values)).rows as never,
    close: async () => {
      if ('release' in client) client.release()
      await close()
    },
  }
}

/** Runs `fn` in one transaction; an error rolls it back. */
export async function inTransaction<T>(session: Session, begin: string, fn: () => Promise<T>): Promise<T> {
  await session.query(begin)
  try {
    const result = await fn()
    await session.query('commit')
    return result
  } catch (error) {
    await session.query('rollback').catch(() => {})
    throw error
  }
}
