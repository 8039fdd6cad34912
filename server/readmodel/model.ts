import { withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { ANY_TABLE } from './read-tracking.ts'

/** One table in memory. `load` takes the ids of changed rows, or null for all of them. */
export interface CachedTable {
  table: string
  load(db: Db, ids: string[] | null): Promise<void>
}

/**
 * Values that change too often to be tracked individually. `poll` reads what is new and returns the ids of rows whose
 * value has changed.
 */
export interface PolledTable {
  table: string
  poll(db: Db): Promise<string[]>
}

export interface Change {
  table: string
  /** Null when everything was reloaded. */
  ids: string[] | null
}

export type ReadModel = ReturnType<typeof createReadModel>

// A notification shortens the wait; a missed one costs at most this long.
const FOLLOW_MS = 1_000
/** Maximum delay of polled values. */
const POLL_MS = 10_000
/** Written by a truncate, which names no rows. */
const WHOLE_TABLE = '*'

/**
 * Keeps the public rows of some tables in memory, up to date through the change log. Every writer locks the log's
 * version until it commits, so reading "all changes after mine" misses none. Reading twice is harmless.
 *
 * Each batch of changes is a generation, counted on this node only. A response made in one generation stays valid until
 * one of the tables that it was made from changes in a later one.
 */
export function createReadModel(database: Database, log: Log, cachedTables: CachedTable[], polled: PolledTable[] = []) {
  const listeners = new Set<(changes: Change[]) => void>()
  let version = -1
  let freshAt: Date | null = null
  let running: Promise<void> | null = null
  let again = false
  let timers: NodeJS.Timeout[] = []
  let generation = 0
  /** By table, or table and row: the generation in which it last changed. */
  const changedIn = new Map<string, number>()
  let polling: Promise<void> | null = null

  function noteChanged(names: string[]) {
    generation++
    for (const name of names) changedIn.set(name, generation)
  }

  const asService = <T>(fn: (db: Db) => Promise<T>) => withClaims(database, { as: 'service', name: 'readmodel' }, fn)

  async function read(): Promise<Change[]> {
    return asService(async (db) => {
      // The version first: rows read after it can only be newer, and are then read again.
      const { version: next } = await db.selectFrom('public_version').select('version').executeTakeFirstOrThrow()
      if (next === version) return []
      const changes = await changesSince(db, cachedTables, version, next)
      for (const change of changes) await cachedTables.find((h) => h.table === change.table)?.load(db, change.ids)
      version = next
      noteChanged([ANY_TABLE, ...changes.map(({ table }) => table)])
      return changes
    })
  }

  async function follow(): Promise<void> {
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

  /** Waits for a running poll first, which may have read before the caller's change was committed. */
  async function poll(): Promise<void> {
    await polling?.catch(() => {})
    polling ??= asService(async (db) => {
      for (const { table, poll } of polled) {
        const ids = await poll(db)
        if (ids.length > 0) noteChanged(ids.map((id) => `${table}:${id}`))
      }
    }).finally(() => {
      polling = null
    })
    return polling
  }

  const inBackground = (work: () => Promise<void>) => () => {
    work().catch((error: Error) => log.warn({ reason: error.message }, 'read model keeps its last state'))
  }

  /** Waits until this node has everything that was committed before the call. */
  async function catchUp(): Promise<void> {
    await follow()
    if (polled.length > 0) await poll()
  }

  return {
    /** Loads everything, then keeps itself up to date. Throws when the database is unreachable. */
    async start() {
      await catchUp()
      await database.listen('public_changes', inBackground(follow))
      timers = [setInterval(inBackground(follow), FOLLOW_MS), setInterval(inBackground(poll), POLL_MS)]
      for (const timer of timers) timer.unref()
    },
    catchUp,
    /** Called after rows changed; responses made from older rows must be dropped. */
    onChange(listener: (changes: Change[]) => void) {
      listeners.add(listener)
    },
    /** Version of the change log, the same on every node. */
    get version() {
      return version
    },
    get generation() {
      return generation
    },
    /** Whether none of these tables changed after a generation. */
    isUnchangedSince(since: number, tables: ReadonlySet<string>): boolean {
      if (since === generation) return true
      for (const table of tables) if ((changedIn.get(table) ?? 0) > since) return false
      return true
    },
    /** Whether only polled values of these changed after a generation, which are delayed anyway. */
    isOnlyPolledSince(since: number, tables: ReadonlySet<string>): boolean {
      for (const table of tables)
        if ((changedIn.get(table) ?? 0) > since && !polled.some((one) => table.startsWith(`${one.table}:`)))
          return false
      return true
    },
    /** When the model was last in step with the database. */
    get freshAt() {
      return freshAt
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}

async function changesSince(db: Db, cachedTables: CachedTable[], version: number, next: number): Promise<Change[]> {
  if (version < 0) return cachedTables.map(({ table }) => ({ table, ids: null }))
  const { lowest } = await db
    .selectFrom('public_changes')
    .select(({ fn }) => fn.min('version').as('lowest'))
    .executeTakeFirstOrThrow()
  if (lowest === null || Number(lowest) > version + 1) return cachedTables.map(({ table }) => ({ table, ids: null }))
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
