import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { FetchStats } from '#shared/advisories/endpoints.ts'
import { fold } from '#shared/countries/fold.ts'
import { type AdvisoryChange, announceImport } from '../notifications/advisoryNews.ts'
import type { AdvisoryRow } from './advisoryRow.ts'
import { anyOf, endMissing, endSuperseded } from './ending.ts'
import { FeedError, type ParsedFeed } from './feeds/feed.ts'
import { judgeList, olderCopy } from './importGuards.ts'
import {
  type Entries,
  findHeld,
  type Held,
  type ImportContext,
  isLive,
  type Plan,
  planOf,
  sortEntries,
} from './importPlan.ts'
import { confirm, writeChanged } from './importWriting.ts'
import type { Source } from './sources.ts'

/** What came of a document. */
export interface Imported {
  stats: FetchStats
  /** What the source now lists; in force for a document that was only a part. */
  itemCount: number
}

/**
 * Takes a document that was read into the database, inside the caller's transaction: all of it or nothing. Reading the
 * same again changes nothing; a change makes a new version; what vanished is marked and never deleted. Throws FeedError,
 * with nothing written, when the list looks like a fault of the source.
 */
export async function importFeed(
  db: Db,
  source: Source,
  parsed: ParsedFeed,
  context: ImportContext,
): Promise<Imported> {
  const entries = sortEntries(parsed)
  const held = await findHeld(db, source, entries)
  const isWhole = guard(source, { ...parsed, items: [...entries.items.values()] }, entries.ids.size, held, context)

  const isFirst = !(await holdsAny(db, source, context))
  const plan = planOf(entries, held, context)
  const written = await writeChanged(db, source, plan.changed, context)
  await confirm(db, plan.confirmed, context)
  const ended = await endSuperseded(db, source.id, [...entries.items.values()], context.now)
  const missing = isWhole ? await markMissing(db, source, entries, held, context) : 0

  if (isOfToday(context)) {
    const changes = [...written.changes, ...takenBack(ended, entries)]
    await announceImport(db, source, changes, { ...context, isFirst })
  }

  const stats = statsOf(entries, plan, written, missing)
  return { stats, itemCount: isWhole ? entries.ids.size : await countActive(db, source) }
}

/** Whether it was read before; of the source itself where that is asked now, since an extract is no word of its own. */
async function holdsAny(db: Db, source: Source, context: ImportContext): Promise<boolean> {
  const held = db.selectFrom('travel_advisories').select('id').where('source_id', '=', source.id)
  const own = isLive(context) ? held.where('captured_on', 'is', null) : held
  return (await own.limit(1).executeTakeFirst()) !== undefined
}

/** What a dated extract says is history. */
const isOfToday = ({ cause, capturedOn }: ImportContext) => cause !== 'sample' && !capturedOn

/** The alerts that a cancellation ended; one that is merely replaced goes on in its successor. */
function takenBack(ended: AdvisoryRow[], { items }: Entries): AdvisoryChange[] {
  const cancelled = new Set(
    [...items.values()].filter((item) => item.is_cancellation).flatMap((item) => item.supersedes),
  )
  return ended
    .filter(({ external_id }) => cancelled.has(external_id))
    .map((after) => ({
      id: after.id,
      before: { ...after, is_active: true },
      after,
      isTakenBack: true,
      isFromFeed: true,
    }))
}

function guard(
  source: Source,
  parsed: ParsedFeed,
  listed: number,
  held: Map<string, Held>,
  context: ImportContext,
): boolean {
  const guardContext = { ...context, isForced: context.isForced ?? false }
  if (!parsed.isComplete || context.isPart) return false
  const judged = judgeList(source, listed, guardContext)
  const refused = typeof judged === 'object' ? judged.refused : olderCopy(source, parsed, held, guardContext)
  if (refused) throw new FeedError(refused)
  return judged === 'whole'
}

async function markMissing(db: Db, source: Source, entries: Entries, held: Map<string, Held>, context: ImportContext) {
  const refused = entries.refused.map(({ item }) => wordsOf(item))
  const missing = [...held.values()].filter(
    (row) => row.is_active && !entries.ids.has(row.external_id) && !isAmong(refused, row),
  )
  const fresh = missing.filter((row) => !row.missing_since)
  // An extract is no word of the source: what its own list lacks ends at once.
  const extracts = isLive(context) ? fresh.filter((row) => row.captured_on) : []
  if (fresh.length > 0)
    await db
      .updateTable('travel_advisories')
      .set({
        missing_since: context.now,
        is_active: sql<boolean>`id <> all(${extracts.map((row) => row.id)})`,
        updated_at: context.now,
      })
      .where('id', '=', anyOf(fresh.map((row) => row.id)))
      .execute()
  await endMissing(db, source.id, context.now, context.graceDays)
  return missing.length
}

/**
 * An entry that is listed but could not be read has not vanished. What was refused is named in the source's words, so
 * that the name of a held entry anywhere in them is enough: a warning kept too long is better than one lost.
 */
function isAmong(refused: string[], { external_id, title }: Held): boolean {
  const names = [wordsOf(external_id), wordsOf(title.split(':')[0]!)]
  return refused.some((words) => names.some((name) => name.trim() !== '' && words.includes(name)))
}

/** The words of a text with a space around each. */
function wordsOf(text: string): string {
  return ` ${fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `
}

async function countActive(db: Db, source: Source): Promise<number> {
  const { count } = await db
    .selectFrom('travel_advisories')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('source_id', '=', source.id)
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow()
  return Number(count)
}

function statsOf(
  entries: Entries,
  plan: Plan,
  { added, updated }: { added: number; updated: number },
  missing: number,
): FetchStats {
  const refused = [...entries.refused, ...plan.refused]
  return {
    total_fetched: entries.ids.size + entries.refused.length,
    saved_to_database: added + updated,
    added,
    updated,
    unchanged: plan.confirmed.length,
    missing,
    unresolved: [...entries.items.values()].flatMap((item) =>
      item.unresolved_countries.map((name) => ({ item: item.title, name })),
    ),
    refused,
  }
}
