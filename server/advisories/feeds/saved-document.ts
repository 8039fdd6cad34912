import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { firstOf } from '#shared/assert.ts'
import { importFeed } from '../import-feed.ts'
import { readerOf, type Source } from '../sources.ts'
import { type Cause, type FeedDeps, inFeeds, loadReading, NOTHING_FETCHED, type SourceRun } from './deps.ts'
import { FeedError, type ParsedFeed } from './feed.ts'
import { FETCH_LIMITS, FetchError, fetchDocument } from './fetcher.ts'
import { currentTime, runColumns } from './leases.ts'
import { findKnownPages, joinPages, pagesNotSaved, withPages } from './linked-pages.ts'
import { withOtherReader } from './other-readers.ts'
import { lineOf } from './run.ts'

export interface SavedOptions {
  /** YYYY-MM-DD: the document is a dated extract; its advisories say so until the source itself has answered. */
  capturedOn?: string
  /** The document contains only some of the entries. */
  isPartial?: boolean
  /** Import it although it is shorter or older than the stored list. */
  isForced?: boolean
  cause?: 'file' | 'sample'
}

/**
 * Imports a saved document (a file, a folder with a list and its pages, or any web address) for a source, on the same
 * path as a fetched one. It updates the advisories, but does not confirm the source: only the source's own response
 * does.
 */
export async function readSavedDocument(
  deps: FeedDeps,
  sourceId: string,
  from: string,
  options: SavedOptions = {},
): Promise<SourceRun> {
  const cause = options.cause ?? 'file'
  const { source, reading, now } = await inFeeds(deps, async (db) => {
    const found = await db.selectFrom('advisory_sources').selectAll().where('id', '=', sourceId).executeTakeFirst()
    if (!found) throw new UnknownSourceError(sourceId)
    return { source: found, reading: await loadReading(db, deps.log), now: await currentTime(db, deps) }
  })
  try {
    const documents = await documentsFrom(deps, from)
    const readAt = options.capturedOn ? new Date(`${options.capturedOn}T00:00:00Z`) : now
    const parsed = await parseAll(source, documents, { countries: reading.countries, now: readAt })
    return await inFeeds(deps, async (db) => {
      const locked = await db
        .selectFrom('advisory_sources')
        .selectAll()
        .where('id', '=', sourceId)
        .forUpdate()
        .executeTakeFirstOrThrow()
      const { countries, graceDays } = reading
      const failedPages = pagesNotSaved(parsed, await findKnownPages(db, locked))
      const document = hashOfAll(documents)
      const context = { ...options, cause, now, countries, document, graceDays, failedPages }
      const { stats, itemCount } = await importFeed(db, locked, parsed, context)
      await db
        .updateTable('advisory_sources')
        .set({
          item_count: itemCount,
          ...(stats.saved_to_database > 0 ? { last_change_at: now } : {}),
          ...(options.capturedOn && !locked.last_success_at ? { captured_on: options.capturedOn } : {}),
          // The validators of the source's last response no longer describe the stored list.
          etag: null,
          last_modified: null,
          content_hash: null,
          updated_at: now,
        })
        .where('id', '=', sourceId)
        .execute()
      await recordRun(db, { sourceId, cause, now, status: 'ok', error: null, stats })
      return { source: sourceId, status: 'ok', error: null, fetchStats: stats }
    })
  } catch (error) {
    if (!(error instanceof FeedError || error instanceof FetchError)) throw error
    const status = error instanceof FeedError ? 'refused' : 'failed'
    const run = { sourceId, cause, now, status, error: lineOf(error), stats: NOTHING_FETCHED } as const
    await inFeeds(deps, (db) => recordRun(db, run))
    return { source: sourceId, status, error: run.error, fetchStats: NOTHING_FETCHED }
  }
}

/** No source with this id is registered. */
export class UnknownSourceError extends Error {
  override readonly name = 'UnknownSourceError'

  constructor(sourceId: string) {
    super(`Unknown source "${sourceId}". Run sources:list to see all sources.`)
  }
}

interface SavedDocument {
  name: string
  bytes: Uint8Array
  url: string | undefined
}

async function documentsFrom(deps: FeedDeps, from: string): Promise<SavedDocument[]> {
  if (/^https?:\/\//i.test(from)) {
    const options = { publicUrl: deps.publicUrl, allowsPrivate: deps.allowsPrivateFeeds }
    const fetched = await fetchDocument({ url: from }, { ...options, hosts: new Set([new URL(from).host]) })
    if (fetched.status === 'unchanged') throw new FetchError('RSS Fetcher returned 304')
    return [{ name: from, bytes: fetched.bytes, url: fetched.url }]
  }
  const isFolder = await isDirectory(from)
  const files = isFolder ? (await readdir(from)).sort().map((name) => path.join(from, name)) : [from]
  const documents: SavedDocument[] = []
  for (const file of files) {
    const { size } = await stat(file)
    if (size > FETCH_LIMITS.bytes) throw new FeedError(`${path.basename(file)} is larger than 20 MB`)
    documents.push({ name: path.basename(file), bytes: await readFile(file), url: undefined })
  }
  return documents
}

function hashOfAll(documents: SavedDocument[]): string {
  const hash = createHash('sha256')
  for (const { bytes } of documents) hash.update(bytes)
  return hash.digest('base64url')
}

async function isDirectory(from: string): Promise<boolean> {
  try {
    return (await stat(from)).isDirectory()
  } catch {
    throw new Error(`Cannot read the file or folder "${from}".`)
  }
}

/**
 * One document as it is; for a folder the list with the pages found there, and a refusal for files that are neither.
 */
async function parseAll(
  source: Source,
  documents: SavedDocument[],
  context: Omit<Parameters<Awaited<ReturnType<typeof readerOf>>>[1], 'baseUrl'>,
): Promise<ParsedFeed> {
  const reader = await readerOf(source)
  const rejected: ParsedFeed['rejected'] = []
  const read: ParsedFeed[] = []
  for (const { name, bytes, url } of documents) {
    try {
      read.push(await reader(bytes, { ...context, baseUrl: url ?? source.homepage }))
    } catch (error) {
      if (!(error instanceof FeedError)) throw error
      if (documents.length === 1) {
        const whole = { ...context, baseUrl: url ?? source.homepage }
        throw await withOtherReader(error, bytes, { reader: source.reader, context: whole })
      }
      rejected.push({ item: name, reason: error.message })
    }
  }
  if (read.length === 0) throw new FeedError(rejected[0]?.reason ?? 'The folder is empty')
  const first = read.find((parsed) => parsed.isComplete) ?? firstOf(read)
  const others = read.filter((parsed) => parsed !== first)
  const list = withPages(first, source.homepage)
  const pages = new Map(others.map((parsed, index) => [parsed.items[0]?.external_id ?? `${index}`, parsed]))
  const joined = joinPages(list, pages)
  return { ...joined, rejected: [...joined.rejected, ...rejected] }
}

function recordRun(
  db: Parameters<Parameters<typeof inFeeds>[1]>[0],
  run: {
    sourceId: string
    cause: Cause
    now: Date
    status: 'ok' | 'failed' | 'refused'
    error: string | null
    stats: SourceRun['fetchStats']
  },
) {
  const { sourceId, cause, now, status, error, stats } = run
  return db
    .insertInto('feed_runs')
    .values({
      source_id: sourceId,
      cause,
      status,
      error,
      started_at: now,
      finished_at: new Date(),
      ...runColumns(stats),
    })
    .execute()
}
