import { present } from '#shared/assert.ts'
import { endMissing } from '../expiry.ts'
import { importFeed } from '../import-feed.ts'
import { readerOf, type Source } from '../sources.ts'
import { type FeedDeps, inFeeds, NOTHING_FETCHED, type SourceRun } from './deps.ts'
import { FeedError, type ReadContext } from './feed.ts'
import { createFetcher, FetchError, type FetchResult } from './fetcher.ts'
import {
  completeRun,
  currentTime,
  LostLeaseError,
  leaseSource,
  lockLease,
  type RunResult,
  type SourceLease,
} from './leases.ts'
import { findKnownPages, followPages, type LinkedPagesResult, withPages } from './linked-pages.ts'
import { withOtherReader } from './other-readers.ts'

/** Limit for a whole run, including its pages: well below the lease's duration. */
const RUN_MS = 240_000
/** Sources one node fetches concurrently. */
const AT_ONCE = 2
/** Entries that may remain uncertain before the whole source counts as not confirmed. */
const UNCERTAIN_SHARE = 0.1
const UNCERTAIN_FEW = 3

/**
 * Fetches, reads and imports a source; returns the result. One run per source at a time across all nodes: a second one
 * is 'skipped'. No database connection is used while fetching, and the result is written in one transaction, so a
 * process that dies at any point leaves the advisories as they were before or after.
 */
export async function runSource(deps: FeedDeps, sourceId: string, cause: 'schedule' | 'manual'): Promise<SourceRun> {
  const lease = await leaseSource(deps, sourceId, cause)
  if (!lease) return { source: sourceId, status: 'skipped', error: null, fetchStats: NOTHING_FETCHED }
  try {
    const run = await readAndImport(deps, lease, cause)
    deps.log.info({ source: sourceId, status: run.status, error: run.error, ...countsOf(run) }, 'feed read')
    return run
  } catch (error) {
    return fail(deps, lease, error)
  }
}

/** Runs every source that is due; a failing source does not delay the others. */
export async function runDueSources(deps: FeedDeps): Promise<SourceRun[]> {
  const due = await inFeeds(deps, async (db) => {
    const now = await currentTime(db, deps)
    return db
      .selectFrom('advisory_sources')
      .select('id')
      .where('is_enabled', '=', true)
      .where('reader', '!=', 'manual')
      .where('next_attempt_at', '<=', now)
      .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
      .orderBy('next_attempt_at')
      .execute()
  })
  return runEach(
    deps,
    due.map((source) => source.id),
    'schedule',
  )
}

/** Runs the named source, or all that are enabled, at once: requested by an administrator. */
export async function runSourcesNow(deps: FeedDeps, sourceId?: string): Promise<SourceRun[]> {
  if (sourceId) return [await runSource(deps, sourceId, 'manual')]
  const all = await inFeeds(deps, (db) =>
    db
      .selectFrom('advisory_sources')
      .select('id')
      .where('is_enabled', '=', true)
      .where('reader', '!=', 'manual')
      .orderBy('position')
      .execute(),
  )
  return runEach(
    deps,
    all.map((source) => source.id),
    'manual',
  )
}

async function runEach(deps: FeedDeps, sourceIds: string[], cause: 'schedule' | 'manual'): Promise<SourceRun[]> {
  const queue = [...sourceIds]
  const runs: SourceRun[] = []
  const work = async () => {
    for (let id = queue.shift(); id && !deps.signal?.aborted; id = queue.shift())
      try {
        runs.push(await runSource(deps, id, cause))
      } catch (error) {
        // The database connection was lost; the lease expires by itself.
        deps.log.error({ source: id, reason: (error as Error).message }, 'the run of a feed could not be recorded')
        runs.push({ source: id, status: 'failed', error: 'The run could not be recorded', fetchStats: NOTHING_FETCHED })
      }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return runs
}

async function readAndImport(deps: FeedDeps, lease: SourceLease, cause: 'schedule' | 'manual'): Promise<SourceRun> {
  const signal = AbortSignal.any([AbortSignal.timeout(RUN_MS), ...(deps.signal ? [deps.signal] : [])])
  const { source, reading } = lease
  const fetcher = createFetcher({
    hosts: hostsOf(source),
    publicUrl: deps.publicUrl,
    allowsPrivate: deps.allowsPrivateFeeds,
    signal,
  })
  try {
    // Only a document that was read with the current reader can be skipped.
    const isSameReading = source.content_hash?.startsWith(`${reading.key}:`) ?? false
    const { etag, last_modified } = source
    const url = present(source.url, 'the URL of the source')
    const fetched = await fetcher.fetch(isSameReading ? { url, etag, last_modified } : { url })
    if (fetched.status === 'unchanged' || markOf(lease, fetched) === source.content_hash)
      return await completeUnchanged(deps, lease, fetched)

    const reader = await readerOf(source)
    const context = { countries: reading.countries, now: lease.startedAt }
    const list = withPages(await readWhole(source, fetched, context), fetched.url)
    const known = list.follow.length > 0 ? await inFeeds(deps, (db) => findKnownPages(db, source)) : new Map()
    const followed = await followPages(list, known, { source, fetcher, reader, context, signal })
    if (deps.signal?.aborted) throw new FetchError('RSS fetch failed', 'it was ended early')
    return await completeRead(deps, lease, cause, fetched, followed)
  } finally {
    await fetcher.close()
  }
}

/** Reads the document; a refusal names another reader that would accept it. */
async function readWhole(source: Source, { bytes, url }: Read, context: Omit<ReadContext, 'baseUrl'>) {
  const whole = { ...context, baseUrl: url }
  const reader = await readerOf(source)
  try {
    return await reader(bytes, whole)
  } catch (error) {
    throw await withOtherReader(error, bytes, { reader: source.reader, context: whole })
  }
}

type Read = Extract<FetchResult, { status: 'read' }>

function markOf({ reading }: SourceLease, fetched: Read): string {
  return `${reading.key}:${fetched.hash}`
}

/** Follow-up pages and redirects stay on the hosts that are registered with the source. */
export function hostsOf(source: Pick<Source, 'url' | 'homepage'>): Set<string> {
  return new Set([source.url, source.homepage].flatMap((url) => (url && URL.parse(url)?.host) || []))
}

function completeUnchanged(deps: FeedDeps, lease: SourceLease, fetched: FetchResult): Promise<SourceRun> {
  return inFeeds(deps, async (db) => {
    await lockLease(db, lease)
    const now = await currentTime(db, deps)
    await endMissing(db, lease.source.id, now, lease.reading.graceDays)
    const stats = { ...NOTHING_FETCHED, total_fetched: lease.source.item_count, unchanged: lease.source.item_count }
    const mark =
      fetched.status === 'read'
        ? { etag: fetched.etag, lastModified: fetched.lastModified, contentHash: markOf(lease, fetched) }
        : undefined
    const result: RunResult = { status: 'unchanged', error: null, stats, isConfirmed: true, ...(mark ? { mark } : {}) }
    return completeRun(db, lease, result, now)
  })
}

function completeRead(
  deps: FeedDeps,
  lease: SourceLease,
  cause: 'schedule' | 'manual',
  fetched: Read,
  { parsed, failedPages, isUnfinished, uncertain }: LinkedPagesResult,
): Promise<SourceRun> {
  return inFeeds(deps, async (db) => {
    await lockLease(db, lease)
    const now = await currentTime(db, deps)
    const { countries, graceDays } = lease.reading
    const { stats, itemCount, doubt } = await importFeed(db, lease.source, parsed, {
      cause,
      now,
      countries,
      document: fetched.hash,
      graceDays,
      failedPages,
    })
    const unread = `${uncertain} of its ${itemCount} pages could not be read`
    const problem = uncertain > Math.max(UNCERTAIN_FEW, itemCount * UNCERTAIN_SHARE) ? unread : doubt
    const result: RunResult = {
      status: problem === null ? 'ok' : 'failed',
      error: problem,
      stats,
      isConfirmed: problem === null,
      itemCount,
      // Remaining pages must be requested again although the list itself is unchanged.
      mark:
        isUnfinished || doubt !== null
          ? null
          : { etag: fetched.etag, lastModified: fetched.lastModified, contentHash: markOf(lease, fetched) },
    }
    return completeRun(db, lease, result, now)
  })
}

/** Records the failure with the source; every advisory stays as it is. */
async function fail(deps: FeedDeps, lease: SourceLease, error: unknown): Promise<SourceRun> {
  const { id } = lease.source
  if (error instanceof LostLeaseError) {
    deps.log.warn({ source: id }, error.message)
    return { source: id, status: 'skipped', error: error.message, fetchStats: NOTHING_FETCHED }
  }
  const line = lineOf(error)
  deps.log.warn({ source: id, reason: line, cause: causeOf(error) }, 'feed not read')
  const result: RunResult = {
    status: error instanceof FeedError ? 'refused' : 'failed',
    error: line,
    stats: NOTHING_FETCHED,
    isConfirmed: false,
    isInterrupted: deps.signal?.aborted ?? false,
  }
  return inFeeds(deps, async (db) => {
    await lockLease(db, lease)
    return completeRun(db, lease, result, await currentTime(db, deps))
  })
}

/** One line for the public list of sources; it reveals no internals. */
export function lineOf(error: unknown): string {
  if (error instanceof FetchError) return error.line
  if (error instanceof FeedError) return error.message
  return 'The document could not be taken in'
}

function causeOf(error: unknown): string | undefined {
  const cause = error instanceof FetchError ? error.cause : error
  return cause instanceof FeedError || cause === undefined ? undefined : String(cause)
}

function countsOf({ fetchStats }: SourceRun) {
  const { total_fetched, added, updated, unchanged, missing, unresolved, refused } = fetchStats
  return { total_fetched, added, updated, unchanged, missing, unresolved: unresolved.length, refused: refused.length }
}
