import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { Source } from '../sources.ts'
import { FeedError, type FeedItem, type FeedReader, type FollowUp, type ParsedFeed, type ReadContext } from './feed.ts'
import { FetchError, type Fetcher } from './fetcher.ts'

/** Pages of one source read concurrently, and failures in a row after which the rest wait for the next run. */
const AT_ONCE = 4
const GIVE_UP_AFTER = 10

/**
 * Pages read in one run: all of the United Kingdom, whose index has no levels; a part of Canada, whose index has them.
 */
const PAGES_PER_RUN: Record<string, number> = { uk: 250, cap: 250, ca: 60 }

const LEFT = 'Its own page is left for the next run'

/** The stored fields of an entry that decide whether its page must be read again. */
export interface KnownPage {
  last_updated: Date
  captured_on: string | null
  has_text: boolean
}

export interface LinkedPagesResult {
  parsed: ParsedFeed
  /** By external id: why the page of an entry could not be read. */
  failedPages: Map<string, string>
  /** Some pages were left for the next run, or failed: the same list has to be read again. */
  isUnfinished: boolean
  /** Entries whose state is unknown: only their page says their level, and it could not be read. */
  uncertain: number
}

/** The stored entries of a source that are in force. */
export async function findKnownPages(db: Db, source: Source): Promise<Map<string, KnownPage>> {
  const rows = await db
    .selectFrom('travel_advisories')
    .select(['external_id', 'last_updated', 'captured_on'])
    .select(sql<boolean>`detailed_information is not null`.as('has_text'))
    .where('source_id', '=', source.id)
    .where('is_active', '=', true)
    .execute()
  return new Map(rows.map((row) => [row.external_id, row]))
}

/** Canada's index gives no page addresses; the pages are beside it, named after the keys of its entries. */
export function withPages(parsed: ParsedFeed, baseUrl: string): ParsedFeed {
  if (!parsed.pages || !parsed.isComplete) return parsed
  const follow = parsed.items.flatMap(({ external_id, last_updated }) => {
    const page = parsed.pages?.get(external_id)
    return page ? [{ url: new URL(page, baseUrl).href, external_id, changed_at: last_updated }] : []
  })
  return { ...parsed, follow }
}

/** Reads new and changed pages, and merges them into the list. A page that fails does not affect the others. */
export async function followPages(
  parsed: ParsedFeed,
  known: ReadonlyMap<string, KnownPage>,
  deps: {
    source: Source
    fetcher: Fetcher
    reader: FeedReader
    context: Omit<ReadContext, 'baseUrl'>
    signal: AbortSignal
  },
): Promise<LinkedPagesResult> {
  const due = pagesDue(parsed.follow, known)
  const queue = due.splice(0, PAGES_PER_RUN[deps.source.reader] ?? 100)
  const left = due
  const failedPages = new Map<string, string>()
  const pages = new Map<string, ParsedFeed>()
  let failuresInRow = 0
  const work = async () => {
    for (let page = queue.shift(); page; page = queue.shift()) {
      if (deps.signal.aborted || failuresInRow >= GIVE_UP_AFTER) {
        left.push(page)
        continue
      }
      try {
        pages.set(page.external_id, await readPage(page, deps))
        failuresInRow = 0
      } catch (error) {
        failuresInRow += 1
        failedPages.set(page.external_id, reasonOf(error))
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))

  const isUnfinished = failedPages.size + left.length > 0
  const indexed = new Set(parsed.items.map((item) => item.external_id))
  // An entry with a level in the index is valid without its page; any other is unknown until its page was read.
  for (const page of left)
    if (!indexed.has(page.external_id) && isNews(page, known)) failedPages.set(page.external_id, LEFT)
  const uncertain = [...failedPages.keys()].filter((id) => !indexed.has(id)).length
  return { parsed: joinPages(parsed, pages), failedPages, isUnfinished, uncertain }
}

/** New and changed pages first, newest first; then those whose text is still missing, in random order. */
function pagesDue(pages: FollowUp[], known: ReadonlyMap<string, KnownPage>): FollowUp[] {
  const news = pages.filter((page) => isNews(page, known))
  const textless = pages.filter((page) => !isNews(page, known) && known.get(page.external_id)?.has_text === false)
  return [
    ...news.sort((a, b) => (b.changed_at?.getTime() ?? 0) - (a.changed_at?.getTime() ?? 0)),
    // Random order, so that pages that never have a text cannot starve the others.
    ...textless
      .map((page) => ({ page, lot: Math.random() }))
      .sort((a, b) => a.lot - b.lot)
      .map(({ page }) => page),
  ]
}

function isNews({ external_id, changed_at }: FollowUp, known: ReadonlyMap<string, KnownPage>): boolean {
  const knownPage = known.get(external_id)
  return !knownPage || knownPage.captured_on !== null || (changed_at !== null && changed_at > knownPage.last_updated)
}

async function readPage(
  page: FollowUp,
  { fetcher, reader, context }: Parameters<typeof followPages>[2],
): Promise<ParsedFeed> {
  const fetched = await fetcher.fetch({ url: page.url })
  if (fetched.status === 'unchanged') throw new FetchError('RSS Fetcher returned 304')
  const read = await reader(fetched.bytes, { ...context, baseUrl: fetched.url })
  if (read.items.length === 0) throw new FeedError(read.rejected[0]?.reason ?? 'Its page holds no advisory')
  return read
}

function reasonOf(error: unknown): string {
  if (error instanceof FetchError) return error.line
  if (error instanceof FeedError) return error.message
  throw error
}

/** For a saved list: the entries that changed since they were read, and whose page is not among the saved documents. */
export function pagesNotSaved(parsed: ParsedFeed, known: ReadonlyMap<string, KnownPage>): Map<string, string> {
  const indexed = new Set(parsed.items.map((item) => item.external_id))
  const changed = parsed.follow.filter(({ external_id, changed_at }) => {
    const knownPage = known.get(external_id)
    return !indexed.has(external_id) && knownPage && changed_at !== null && changed_at > knownPage.last_updated
  })
  return new Map(changed.map((page) => [page.external_id, 'It has changed since, and its own page was not read']))
}

/** The list with the content of its pages in place of the bare entries. */
export function joinPages(parsed: ParsedFeed, pages: ReadonlyMap<string, ParsedFeed>): ParsedFeed {
  const items = new Map(parsed.items.map((item) => [item.external_id, item]))
  const rejected = [...parsed.rejected]
  for (const page of pages.values()) {
    rejected.push(...page.rejected)
    for (const item of page.items) {
      const indexed = items.get(item.external_id)
      items.set(item.external_id, indexed ? withTextOf(indexed, item) : item)
    }
  }
  const follow = parsed.follow.filter(({ external_id }) => !pages.has(external_id))
  return { ...parsed, items: [...items.values()], rejected, follow }
}

/** The index has level and date, so that reading it alone next time looks the same; the page has the reason. */
function withTextOf(indexed: FeedItem, page: FeedItem): FeedItem {
  const { description, detailed_information, recommendations, affected_regions, affected_cities } = page
  return { ...indexed, description, detailed_information, recommendations, affected_regions, affected_cities }
}
