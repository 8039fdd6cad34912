import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, sql } from 'kysely'
import { PgBoss, type QueueOptions, type SendOptions } from 'pg-boss'
import { inBookkeeping } from '#server/db/bookkeeping.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { firstOf } from '#shared/assert.ts'

/** Called once per job. Throwing returns the job to the queue; the signal is aborted when the process stops. */
export type JobHandler<T extends object> = (data: T, signal: AbortSignal) => Promise<void>

export interface WorkSettings
  extends Pick<QueueOptions, 'retryLimit' | 'retryBackoff' | 'retryDelay' | 'expireInSeconds'> {
  /** 'one waiting': a second job of the name is not queued while one waits. */
  policy?: 'every job' | 'one waiting'
  /** Number of jobs of this name that one node runs at a time. */
  concurrency?: number
  pollSeconds?: number
  /** Jobs fetched at once and run as one with the first one's data, for a name whose jobs are all equal. */
  batch?: number
  /** How long a finished job is kept for inspection. */
  retentionSeconds?: number
}

export interface QueueHealth {
  running: boolean
  waiting: number
  active: number
  failed: number
  /** Age of the oldest job that is due and not running. */
  oldest_waiting_seconds: number | null
}

/** The process stops within five seconds, so this must leave time for the rest. */
const STOP_WITHIN_MS = 3_000
const SAME_ERROR_AGAIN_MS = 60_000
/** pg-boss's order of states: everything before 'completed' is still to be done. */
const HEALTH = `
  select count(*) filter (where state < 'active' and start_after <= now())::int as waiting,
         count(*) filter (where state = 'active')::int as active,
         count(*) filter (where state = 'failed')::int as failed,
         extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now()))::float8
           as oldest_waiting_seconds
  from pgboss.job`

/**
 * Job queue in the portal's own database, so that a job exists only if the write that enqueued it was committed. It
 * runs on the background connections; on the embedded database it shares the only one.
 */
export class Queue {
  readonly #database: Database
  readonly #runsJobs: boolean
  // Every pg-boss query while enqueueing runs in the caller's transaction, including its own look-ups.
  readonly #transactionOf = new AsyncLocalStorage<Db>()
  readonly #stopping = new AbortController()
  #isRunning = false
  readonly #boss: PgBoss

  constructor(database: Database, log: Log, options: { runsJobs?: boolean } = {}) {
    this.#database = database
    this.#runsJobs = options.runsJobs ?? true
    this.#boss = new PgBoss({
      db: {
        executeSql: async (text, values) => {
          const db = this.#transactionOf.getStore()
          const query = CompiledQuery.raw(text, values ? [...values] : [])
          if (db) return { rows: (await db.executeQuery(query)).rows }
          // Some of its statements contain a transaction of their own.
          if (!values || /^\s*begin/i.test(text)) return database.background.pool.query(text, values)
          return { rows: (await inBookkeeping(database, 'job queue', (books) => books.executeQuery(query))).rows }
        },
      },
      backend: database.engine,
      // A node without workers only enqueues.
      supervise: this.#runsJobs,
      schedule: this.#runsJobs,
      reindex: database.engine === 'postgres',
    })
    // Without a listener a lost connection would crash the process.
    this.#boss.on(
      'error',
      oncePerMinute((message) => log.error({ reason: message }, 'the job queue met an error')),
    )
    this.#boss.on('warning', ({ message }) => log.warn({ reason: message }, 'the job queue warns'))
  }

  async start(): Promise<void> {
    await this.#boss.start()
    this.#isRunning = true
  }

  /** Waits briefly for the running jobs; unfinished ones are returned to the queue and run again. */
  async stop(): Promise<void> {
    this.#isRunning = false
    this.#stopping.abort()
    const shutdown = this.#boss.stop({ close: false, graceful: true, timeout: STOP_WITHIN_MS - 1_000 })
    // A hanging database must not block the exit.
    await Promise.race([shutdown, new Promise((late) => setTimeout(late, STOP_WITHIN_MS).unref())])
  }

  /** Adds a job inside the transaction `db`; returns its id, or null when an equal one is already waiting. */
  async enqueue(
    db: Db,
    name: string,
    data: object = {},
    more: Pick<SendOptions, 'singletonKey' | 'startAfter' | 'priority'> = {},
  ): Promise<string | null> {
    // The queue's tables belong to the login role; the role of the claims is restored before anything else runs.
    const { rows } = await sql<{ role: string }>`
        select current_setting('role') as role, set_config('role', 'none', true)`.execute(db)
    const id = await this.#transactionOf.run(db, () => this.#boss.send(name, data, more))
    await sql`select set_config('role', ${firstOf(rows).role}, true)`.execute(db)
    return id
  }

  /** Ensures that the queue exists, for a node that enqueues without working. */
  define(name: string, settings: WorkSettings = {}) {
    return define(this.#boss, name, settings)
  }

  /** Starts running jobs of a name on this node. */
  async work<T extends object>(name: string, handler: JobHandler<T>, settings: WorkSettings = {}): Promise<void> {
    await define(this.#boss, name, settings)
    const { pollSeconds = 2, concurrency = 1, batch = 1 } = settings
    const polling = { pollingIntervalSeconds: pollSeconds, localConcurrency: concurrency, batchSize: batch }
    await this.#boss.work<T>(name, polling, async ([job]) => {
      if (job) await handler(job.data, this.#stopping.signal)
    })
  }

  /** Queues a job of the name at each time of a cron expression, once across all nodes. */
  schedule(name: string, cron: string) {
    return this.#boss.schedule(name, cron, {}, { tz: 'UTC' })
  }

  /** Deletes schedules of earlier versions that are not among these names. */
  async pruneSchedules(names: readonly string[]): Promise<void> {
    for (const { name } of await this.#boss.getSchedules()) if (!names.includes(name)) await this.#boss.unschedule(name)
  }

  /** Measured now, on a request connection, because those have short time-outs. */
  async health(): Promise<QueueHealth> {
    const { rows } = await this.#database.requests.pool.query<Omit<QueueHealth, 'running'>>(HEALTH)
    return { running: this.#isRunning, ...firstOf(rows) }
  }
}

async function define(boss: PgBoss, name: string, settings: WorkSettings): Promise<void> {
  const {
    retryLimit = 3,
    retryBackoff = true,
    retryDelay = 1,
    expireInSeconds = 300,
    retentionSeconds = 86_400,
  } = settings
  const retry = retryLimit === 0 ? { retryLimit } : { retryLimit, retryBackoff, retryDelay }
  const queue = { ...retry, expireInSeconds, deleteAfterSeconds: retentionSeconds }
  await boss.createQueue(name, { ...queue, policy: settings.policy === 'one waiting' ? 'short' : 'standard' })
  // Creating does not change a queue that an earlier version made.
  await boss.updateQueue(name, queue)
}

/** While the database is unavailable every worker gets the same error every few seconds. */
function oncePerMinute(report: (message: string) => void) {
  const lastReported = new Map<string, number>()
  return (error: Error) => {
    // pg-boss appends the ids of queue and worker.
    const message = error.message.replace(/ \(Queue: .*\)$/, '')
    const now = Date.now()
    if (now - (lastReported.get(message) ?? Number.NEGATIVE_INFINITY) < SAME_ERROR_AGAIN_MS) return
    if (lastReported.size > 100) lastReported.clear()
    lastReported.set(message, now)
    report(message)
  }
}
