import { withClaims } from '../db/claims.ts'
import type { Database, Db } from '../db/connection.ts'
import type { Log } from '../log.ts'

/** One table held in memory. `load` takes the ids of changed rows, or null for all of them. */
export interface Held {
  table: string
  load(db: Db, ids: string[] | null): Promise<void>
}

export interface Change {
  table: string
  /** Null when everything was read anew. */
  ids: string[] | null
}

export type ReadModel = ReturnType<typeof createReadModel>

// A notification shortens the wait; a missed one costs at most this long.
const POLL_MS = 1_000
/** Written by a truncate, which names no rows. */
const WHOLE_TABLE = '*'

/**
 * Holds the public rows of some tables in memory and keeps them fresh by the change log. The log's version is locked by
 * every writer until it commits, so "all changes after mine" misses none; reading twice does no harm.
 */
export function createReadModel(database: Database, log: Log, held: Held[]) {
  const listeners = new Set<(changes: Change[]) => void>()
  let version = -1
  let freshAt: Date | null = null
  let running: Promise<void> | null = null
  let again = false
  let timer: NodeJS.Timeout | undefined

  async function read(): Promise<Change[]> {
    return withClaims(database, { as: 'service', name: 'readmodel' }, async (db) => {
      // The version first: rows read after it can only be newer, and are then read once more.
      const { version: next } = await db.selectFrom('public_version').select('version').executeTakeFirstOrThrow()
      if (next === version) return []
      const changes = await changesSince(db, held, version, next)
      for (const change of changes) await held.find((h) => h.table === change.table)?.load(db, change.ids)
      version = next
      return changes
    })
  }

  async function catchUp(): Promise<void> {
    if (running) {
      again = true
      return running
    }
    running = (async () => {
      do {
        again = false
        const changes = await read()
        freshAt = new Date()
        if (changes.length > 0) for (const listener of listeners) listener(changes)
      } while (again)
    })().finally(() => {
      running = null
    })
    return running
  }

  const wake = () => {
    catchUp().catch((error: Error) => log.warn({ reason: error.message }, 'read model keeps its last state'))
  }

  return {
    /** Reads everything; afterwards keeps itself fresh. Fails when the database cannot be reached. */
    async start() {
      await catchUp()
      await database.listen('public_changes', wake)
      timer = setInterval(wake, POLL_MS)
      timer.unref()
    },
    /** Waits until this node knows all that was committed before the call. */
    catchUp,
    /** Called after rows changed; the answers made from older rows are to be dropped. */
    onChange(listener: (changes: Change[]) => void) {
      listeners.add(listener)
    },
    get version() {
      return version
    },
    /** When the model last agreed with the database. */
    get freshAt() {
      return freshAt
    },
    stop() {
      clearInterval(timer)
    },
  }
}

async function changesSince(db: Db, held: Held[], version: number, next: number): Promise<Change[]> {
  if (version < 0) return held.map(({ table }) => ({ table, ids: null }))
  const { lowest } = await db
    .selectFrom('public_changes')
    .select(({ fn }) => fn.min('version').as('lowest'))
    .executeTakeFirstOrThrow()
  if (lowest === null || Number(lowest) > version + 1) return held.map(({ table }) => ({ table, ids: null }))
  const rows = await db
    .selectFrom('public_changes')
    .select(['table_name', 'row_id'])
    .distinct()
    .where('version', '>', version)
    .where('version', '<=', next)
    .execute()
  const byTable = Map.groupBy(rows, (row) => row.table_name)
  return [...byTable].map(([table, list]) => {
    const ids = list.map((row) => row.row_id)
    return { table, ids: ids.includes(WHOLE_TABLE) ? null : ids }
  })
}
