import { sql } from 'kysely'
import type { Database, Db } from './connection.ts'

/**
 * Writes the portal makes for itself and may lose a second of in a power cut, with the reason why that is harmless.
 * Nothing confirmed to a user as saved belongs here.
 */
const BOOKKEEPING = {
  'job queue': 'a job whose state is lost is run once more, which every job allows',
} as const

/**
 * Runs such writes in one transaction. The embedded database does not wait for the disk then, but syncs within a
 * second. PostgreSQL has its own processes for that and is unchanged.
 */
export async function inBookkeeping<T>(
  database: Database,
  _what: keyof typeof BOOKKEEPING,
  fn: (db: Db) => Promise<T>,
): Promise<T> {
  const { embedded } = database
  if (!embedded?.isDurable) return fn(database.background.kysely)
  const result = await database.background.kysely.transaction().execute(async (transaction) => {
    await sql`set local synchronous_commit = off`.execute(transaction)
    return fn(transaction)
  })
  embedded.flushSoon()
  return result
}
