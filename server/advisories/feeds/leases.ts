import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { FetchStats } from '#shared/advisories/endpoints.ts'
import { firstOf } from '#shared/assert.ts'
import type { Source } from '../sources.ts'
import { type FeedDeps, inFeeds, loadReading, NOTHING_FETCHED, type ReadContext, type SourceRun } from './deps.ts'

/** Longer than any run may take. After a node dies during a run, its source waits this long. */
const LEASE_SECONDS = 300

/** A run in progress: no other run fetches this source until it ends or the lease expires. */
export interface SourceLease {
  source: Source
  runId: string
  startedAt: Date
  reading: ReadContext
}

/** The lease expired during its run, and another node has leased the source. */
export class LostLeaseError extends Error {
  override readonly name = 'LostLeaseError'
}

/**
 * Leases a source for one run; null if it is already leased. A scheduled run also gets null if the source is disabled
 * or not yet due: of two nodes, the second finds `next_attempt_at` already moved on.
 */
export function leaseSource(
  deps: FeedDeps,
  sourceId: string,
  cause: 'schedule' | 'manual',
): Promise<SourceLease | null> {
  return inFeeds(deps, async (db) => {
    const startedAt = await currentTime(db, deps)
    let leasing = db
      .updateTable('advisory_sources')
      .set({ leased_until: new Date(startedAt.getTime() + LEASE_SECONDS * 1000), last_attempt_at: startedAt })
      .where('id', '=', sourceId)
      .where('reader', '!=', 'manual')
      .where('retired_at', 'is', null)
      .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', startedAt)]))
    if (cause === 'schedule') leasing = leasing.where('is_enabled', '=', true).where('next_attempt_at', '<=', startedAt)
    const source = await leasing.returningAll().executeTakeFirst()
    if (!source) return null
    await db
      .updateTable('feed_runs')
      .set({ status: 'failed', finished_at: startedAt, error: 'The process ended before this run did' })
      .where('source_id', '=', sourceId)
      .where('status', '=', 'running')
      .execute()
    const { id: runId } = await db
      .insertInto('feed_runs')
      .values({ source_id: sourceId, started_at: startedAt, cause })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { source, runId, startedAt, reading: await loadReading(db, deps.log) }
  })
}

/** The database's clock, which all nodes share. */
export async function currentTime(db: Db, deps: FeedDeps): Promise<Date> {
  if (deps.now) return deps.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return firstOf(rows).now
}

/** Locks the source for the rest of the transaction, and checks that this run still holds the lease. */
export async function lockLease(db: Db, { source }: SourceLease): Promise<void> {
  const row = await db
    .selectFrom('advisory_sources')
    .select('leased_until')
    .where('id', '=', source.id)
    .forUpdate()
    .executeTakeFirst()
  if (row?.leased_until?.getTime() !== source.leased_until?.getTime())
    throw new LostLeaseError(`The run of ${source.id} took too long and another has begun`)
}

export interface RunResult {
  status: 'ok' | 'unchanged' | 'failed' | 'refused'
  error: string | null
  stats: FetchStats
  /** The source answered with its list and is confirmed from now on. */
  isConfirmed: boolean
  itemCount?: number
  /** Validators for the next conditional request; null: read everything again. */
  mark?: { etag: string | null; lastModified: string | null; contentHash: string } | null
  /** The process is stopping: not the source's fault, and the next start fetches it at once. */
  isInterrupted?: boolean
}

/** Records how a run ended and releases the source, in the caller's transaction. */
export async function completeRun(db: Db, lease: SourceLease, result: RunResult, now: Date): Promise<SourceRun> {
  const { source, runId } = lease
  const { stats, isConfirmed, mark } = result
  await db
    .updateTable('advisory_sources')
    .set({
      leased_until: null,
      next_attempt_at: result.isInterrupted ? now : nextAttempt(source, lease.startedAt, result),
      ...(result.isInterrupted ? {} : { error: result.error }),
      ...(isConfirmed ? { last_success_at: now, captured_on: null } : {}),
      ...(stats.saved_to_database > 0 ? { last_change_at: now } : {}),
      ...(result.itemCount === undefined ? {} : { item_count: result.itemCount }),
      ...(mark === undefined
        ? {}
        : {
            etag: mark?.etag ?? null,
            last_modified: mark?.lastModified ?? null,
            content_hash: mark?.contentHash ?? null,
          }),
      updated_at: now,
    })
    .where('id', '=', source.id)
    .execute()
  await db
    .updateTable('feed_runs')
    .set({ status: result.status, error: result.error, finished_at: now, ...runColumns(stats) })
    .where('id', '=', runId)
    .execute()
  return { source: source.id, status: result.status, error: result.error, fetchStats: stats }
}

/** The columns of feed_runs that hold the statistics. */
export function runColumns(stats: FetchStats = NOTHING_FETCHED) {
  return {
    fetched: stats.total_fetched,
    added: stats.added,
    updated: stats.updated,
    unchanged: stats.unchanged,
    missing: stats.missing,
    // For operators to look at; a thousand would be too many to read.
    unresolved: JSON.stringify(stats.unresolved.slice(0, 500)),
    rejected: JSON.stringify(stats.refused.slice(0, 500)),
  }
}

/**
 * Slightly less than the interval, since the schedule checks once a minute, with jitter. From the second failure in a
 * row a source waits two intervals, never longer: its recovery must be noticed.
 */
function nextAttempt(source: Source, startedAt: Date, { status }: RunResult): Date {
  const hasFailed = status === 'failed' || status === 'refused'
  const seconds = source.interval_seconds * (hasFailed && source.error !== null ? 2 : 1)
  const jitter = Math.random() * Math.min(20, source.interval_seconds * 0.1)
  return new Date(startedAt.getTime() + (seconds - jitter) * 1000)
}
