import { withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { ANY_TABLE } from '#server/db/read-tracking.ts'
import type { Log } from '#server/log.ts'

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
export class ReadModel {
  readonly #database: Database
  readonly #log: Log
  readonly #cachedTables: CachedTable[]
  readonly #polled: PolledTable[]
  readonly #listeners = new Set<(changes: Change[]) => void>()
  #version = -1
  #freshAt: Date | null = null
  #running: Promise<void> | null = null
  #again = false
  #timers: NodeJS.Timeout[] = []
  #generation = 0
  /** By table, or table and row: the generation in which it last changed. */
  readonly #changedIn = new Map<string, number>()
  #polling: Promise<void> | null = null

  constructor(database: Database, log: Log, cachedTables: CachedTable[], polled: PolledTable[] = []) {
    this.#database = database
    this.#log = log
    this.#cachedTables = cachedTables
    this.#polled = polled
  }

  /** Loads everything, then keeps itself up to date. Throws when the database is unreachable. */
  async start() {
    await this.catchUp()
    await this.#database.listen(
      'public_changes',
      this.#inBackground(() => this.#follow()),
    )
    this.#timers = [
      setInterval(
        this.#inBackground(() => this.#follow()),
        FOLLOW_MS,
      ),
      setInterval(
        this.#inBackground(() => this.#poll()),
        POLL_MS,
      ),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  /** Called after rows changed; responses made from older rows must be dropped. */
  onChange(listener: (changes: Change[]) => void) {
    this.#listeners.add(listener)
  }

  /** Version of the change log, the same on every node. */
  get version() {
    return this.#version
  }

  get generation() {
    return this.#generation
  }

  /** Whether none of these tables changed after a generation. */
  isUnchangedSince(since: number, tables: ReadonlySet<string>): boolean {
    if (since === this.#generation) return true
    for (const table of tables) if ((this.#changedIn.get(table) ?? 0) > since) return false
    return true
  }

  /** Whether only polled values of these changed after a generation, which are delayed anyway. */
  isOnlyPolledSince(since: number, tables: ReadonlySet<string>): boolean {
    for (const table of tables)
      if (
        (this.#changedIn.get(table) ?? 0) > since &&
        !this.#polled.some((polled) => table.startsWith(`${polled.table}:`))
      )
        return false
    return true
  }

  /** When the model was last in step with the database. */
  get freshAt() {
    return this.#freshAt
  }

  stop() {
    for (const timer of this.#timers) clearInterval(timer)
  }

  #noteChanged(names: string[]) {
    this.#generation++
    for (const name of names) this.#changedIn.set(name, this.#generation)
  }

  #asService<T>(fn: (db: Db) => Promise<T>) {
    return withClaims(this.#database, { as: 'service', name: 'readmodel' }, fn)
  }

  async #read(): Promise<Change[]> {
    return this.#asService(async (db) => {
      // The version first: rows read after it can only be newer, and are then read again.
      const { version: next } = await db.selectFrom('public_version').select('version').executeTakeFirstOrThrow()
      if (next === this.#version) return []
      const changes = await changesSince(db, this.#cachedTables, this.#version, next)
      for (const change of changes) await this.#cachedTables.find((h) => h.table === change.table)?.load(db, change.ids)
      this.#version = next
      this.#noteChanged([ANY_TABLE, ...changes.map(({ table }) => table)])
      return changes
    })
  }

  async #follow(): Promise<void> {
    if (this.#running) {
      this.#again = true
      return this.#running
    }
    this.#running = (async () => {
      do {
        this.#again = false
        const changes = await this.#read()
        this.#freshAt = new Date()
        if (changes.length > 0) for (const listener of this.#listeners) listener(changes)
      } while (this.#again)
    })().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** Waits for a running poll first, which may have read before the caller's change was committed. */
  async #poll(): Promise<void> {
    await this.#polling?.catch(() => {})
    this.#polling ??= this.#asService(async (db) => {
      for (const { table, poll } of this.#polled) {
        const ids = await poll(db)
        if (ids.length > 0) this.#noteChanged(ids.map((id) => `${table}:${id}`))
      }
    }).finally(() => {
      this.#polling = null
    })
    return this.#polling
  }

  #inBackground(work: () => Promise<void>) {
    return () => {
      work().catch((error: Error) => this.#warn(error))
    }
  }

  #warn(error: Error) {
    this.#log.warn({ reason: error.message }, 'read model keeps its last state')
  }

  /** After a commit: waits until this node serves it. The change is saved, so a failure is logged; it follows by itself. */
  async refresh(): Promise<void> {
    await this.catchUp().catch((error: Error) => this.#warn(error))
  }

  /** Waits until this node has everything that was committed before the call. */
  async catchUp(): Promise<void> {
    await this.#follow()
    if (this.#polled.length > 0) await this.#poll()
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
