import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Space } from './disk-space.ts'
import type { Tables } from './tables.ts'

/** Parameter of every query function: inside request code always a transaction. */
export type Db = Kysely<Tables> | Transaction<Tables>

export interface Connections {
  pool: pg.Pool
  kysely: Kysely<Tables>
}

export interface Database {
  engine: 'pglite' | 'postgres'
  /** Names the database in messages; never includes the password. */
  location: string
  /** Requests, accounts and the read model: short statements only. */
  requests: Connections
  /**
   * Jobs, imports and migrations: separate connections on PostgreSQL, so that a slow job cannot use up those of the
   * requests. On the embedded database, which has one session, the same as `requests`.
   */
  background: Connections
  /** Calls back for every NOTIFY on the channel, and with null after a lost connection is re-established. */
  listen(channel: string, callback: (payload: string | null) => void): Promise<void>
  /** Features of the embedded database only; absent on PostgreSQL. */
  embedded?: Embedded
  close(): Promise<void>
}

export interface Embedded {
  /** Every commit is on disk before it is acknowledged. */
  isDurable: boolean
  /** Syncs bookkeeping writes to disk within a second. */
  flushSoon(): void
  /** Free space guard; absent in memory. */
  space: Space | undefined
  /**
   * Copies the whole database into a new folder in one turn of the event loop, so that nothing is written in between,
   * and syncs the copy to disk. It opens like any data folder of the same engine.
   */
  copyTo(folder: string): Promise<void>
  /** In-memory snapshot, for cloning in tests. */
  dump(): Promise<Blob>
}

/** How long a connection may be waited for, and a statement run. */
export interface Limits {
  connectMs: number
  statementMs: number
}

// Connecting and one statement together stay below the 2 s within which a write must be refused.
const REQUEST_LIMITS: Limits = { connectMs: 500, statementMs: 1_300 }
const BACKGROUND_LIMITS: Limits = { connectMs: 5_000, statementMs: 60_000 }
const LISTEN_CONNECT_MS = 2_000

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day)

const insideTransaction = new AsyncLocalStorage<true>()

/** Runs a function in which taking another connection throws instead of deadlocking. */
export function holdingConnection<T>(fn: () => Promise<T>): Promise<T> {
  return insideTransaction.run(true, fn)
}

/** Opens a PostgreSQL database by URL; `limits` replaces those of requests and jobs. */
export function openPostgres(url: string, options: { poolSize?: number; limits?: Limits } = {}): Database {
  const { poolSize: size = 10, limits } = options
  const requests = connections(postgresPool(url, size, limits ?? REQUEST_LIMITS))
  const background = connections(postgresPool(url, Math.max(2, Math.ceil(size / 2)), limits ?? BACKGROUND_LIMITS))
  const listeners = new Listeners(url)
  return {
    engine: 'postgres',
    location: locationOf(url),
    requests,
    background,
    listen: (channel, callback) => listeners.add(channel, callback),
    close: async () => {
      await listeners.close()
      await Promise.all([requests.pool.end(), background.pool.end()])
    },
  }
}

/** Names a PostgreSQL database by server and database, without user and password. */
export function locationOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `postgres ${host}${port ? `:${port}` : ''}${pathname}`
}

function postgresPool(url: string, max: number, limits: Limits) {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: limits.statementMs + 30_000,
    keepAlive: true,
  })
  pool.on('connect', (client) => {
    // A connection lost during a transaction emits this event in addition to failing its query.
    client.on('error', () => {})
    giveUpAfter(client, limits.statementMs + 100)
  })
  return pool
}

/**
 * The server ends slow statements itself, but not one whose server has vanished. Then the connection is destroyed,
 * since it is unusable, and the pool opens another.
 */
function giveUpAfter(client: pg.PoolClient, milliseconds: number) {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const stream = (client as pg.PoolClient & { connection: { stream: { destroy(error: Error): void } } }).connection
    .stream
  client.query = ((...args: unknown[]) => {
    const timer = setTimeout(() => stream.destroy(new Error('Connection terminated: no answer in time')), milliseconds)
    const done = () => clearTimeout(timer)
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      args[args.length - 1] = (...results: unknown[]) => {
        done()
        callback(...results)
      }
      return query(...args)
    }
    const result = query(...args)
    if (result instanceof Promise) result.then(done, done)
    else done()
    return result
  }) as typeof client.query
}

/** A pool wrapped in Kysely; taking another connection inside a transaction throws. */
export function connections(pool: pg.Pool): Connections {
  // An idle connection ended by the server must not crash the process; the next query opens another.
  pool.on('error', () => {})
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown
  pool.connect = ((...args: unknown[]) => {
    if (insideTransaction.getStore())
      throw new Error(
        'A second connection was requested inside a transaction: pass `db` down instead of using the pool.',
      )
    return connect(...args)
  }) as typeof pool.connect
  return { pool, kysely: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) }
}

/** One LISTEN connection outside the pool, reconnected while the database is unavailable. */
class Listeners {
  readonly #url: string
  readonly #callbacks = new Map<string, Set<(payload: string | null) => void>>()
  #client: pg.Client | undefined
  #connecting: Promise<void> | undefined
  #closed = false

  constructor(url: string) {
    this.#url = url
  }

  async add(channel: string, callback: (payload: string | null) => void) {
    const known = this.#callbacks.get(channel)
    if (known) known.add(callback)
    else {
      this.#callbacks.set(channel, new Set([callback]))
      if (this.#client) await this.#client.query(`listen ${pg.escapeIdentifier(channel)}`)
    }
    if (this.#client) return
    // One connection for all that ask meanwhile. Retried in the background after a failure; until then all listeners
    // poll.
    this.#connecting ??= this.#connect().catch(() => this.#again())
    await this.#connecting
  }

  async #connect() {
    const client = new pg.Client({
      connectionString: this.#url,
      // A connection that hangs is given up soon, and tried again: nothing is heard meanwhile.
      connectionTimeoutMillis: LISTEN_CONNECT_MS,
      keepAlive: true,
    })
    client.on('notification', ({ channel, payload }) => {
      for (const callback of this.#callbacks.get(channel) ?? []) callback(payload ?? '')
    })
    client.on('error', () => {})
    client.on('end', () => this.#reconnect(client))
    await client.connect()
    try {
      for (const channel of this.#callbacks.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    this.#client = client
  }

  #reconnect(lost: pg.Client) {
    if (this.#closed || this.#client !== lost) return
    this.#client = undefined
    this.#again()
  }

  #again() {
    setTimeout(() => {
      if (this.#closed) return
      this.#connecting = this.#connect().then(
        // Notifications in the meantime are lost: every listener checks again.
        () => {
          for (const set of this.#callbacks.values()) for (const callback of set) callback(null)
        },
        () => this.#again(),
      )
    }, 300).unref()
  }

  async close() {
    this.#closed = true
    await this.#connecting
    await this.#client?.end().catch(() => {})
  }
}
