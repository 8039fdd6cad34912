import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { type AdvisoryChange, announceImport } from '#server/notifications/advisory-changes/announce.ts'
import { askAboutMassFall } from '#server/notifications/advisory-changes/mass-downgrade-alert.ts'
import type { FetchStats } from '#shared/advisories/endpoints.ts'
import { fold } from '#shared/countries/fold.ts'
import { type AdvisoryRow, hashOf } from './advisory-row.ts'
import { withoutToAndFro } from './alternating-copies.ts'
import { coverOf, findSiblings, isReplaced } from './country-cover.ts'
import { anyOf, endMissing, endSuperseded } from './expiry.ts'
import { FeedError, type ParsedFeed } from './feeds/feed.ts'
import { isCountrySet } from './identity.ts'
import { judgeList, olderCopy, olderExtract } from './import-guards.ts'
import {
  type Entries,
  type ExistingAdvisory,
  findExisting,
  type ImportContext,
  isLive,
  type Plan,
  planOf,
  sortEntries,
} from './import-plan.ts'
import { confirm, writeChanged } from './import-writer.ts'
import { mergeIdentities } from './merge-identities.ts'
import { countMassFalls, writePending } from './pending-levels.ts'
import type { Source } from './sources.ts'

/** What came of a document. */
export interface Imported {
  stats: FetchStats
  /** What the source now lists; in force for a document that was only a part. */
  itemCount: number
  /** Why the document cannot be vouched for as a whole: administrators are asked. */
  doubt: string | null
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
  options: ImportContext,
): Promise<Imported> {
  const entries = sortEntries(parsed)
  const context = { ...options, document: options.document ?? documentOf(entries) }
  await mergeIdentities(db, source, entries.ids, context)
  const existing = await findExisting(db, source, entries)
  const siblings = await findSiblings(db, source)
  const isWhole = guard(source, { ...parsed, items: [...entries.items.values()] }, entries.ids.size, existing, context)

  const isFirst = !(await holdsAny(db, source, context))
  const plan = await withoutToAndFro(db, planOf(entries, { existing, siblings }, context), existing)
  const written = await writeChanged(db, source, plan.changed, context)
  await confirm(db, plan, context)
  await writePending(db, plan.pending, context)
  const ended = await endSuperseded(db, source.id, [...entries.items.values()], context.now)
  const missing = isWhole ? await markMissing(db, source, entries, existing, context) : 0

  if (isOfToday(context)) {
    const changes = [...written.changes.map((change) => asRegrouped(change, existing)), ...takenBack(ended, entries)]
    await announceImport(db, source, changes, { ...context, isFirst })
    await askAboutMassFall(db, source, plan.pending, context)
  }

  const stats = statsOf(entries, plan, written, missing)
  const itemCount = isWhole ? entries.ids.size : await countActive(db, source)
  return { stats, itemCount, doubt: doubtOf(await countMassFalls(db, source.id)) }
}

/** For a document whose bytes are not at hand: what was read of it. */
function documentOf({ items }: Entries): string {
  return createHash('sha256')
    .update(JSON.stringify([...items.values()].map(hashOf)))
    .digest('base64url')
}

const doubtOf = (waiting: number) =>
  waiting > 0 ? `It lowers ${waiting} levels at once: they wait for an administrator` : null

/** A new grouping of countries that were spoken of before is no news of them, unless it is more serious for one. */
function asRegrouped(change: AdvisoryChange, existing: Map<string, ExistingAdvisory>): AdvisoryChange {
  const { before, after } = change
  if (before?.is_active || !isCountrySet(after.external_id)) return change
  const cover = coverOf(after, existing.values())
  if (!cover) return change
  const { severity_level, is_urgent, codes } = cover
  const unresolved_countries: string[] = []
  return {
    ...change,
    before: { ...after, severity_level, is_urgent, country_codes: codes, unresolved_countries, is_active: true },
  }
}

/** Whether it was read before; of the source itself where that is asked now, since an extract is no word of its own. */
async function holdsAny(db: Db, source: Source, context: ImportContext): Promise<boolean> {
  const query = db.selectFrom('travel_advisories').select('id').where('source_id', '=', source.id)
  const own = isLive(context) ? query.where('captured_on', 'is', null) : query
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
  existing: Map<string, ExistingAdvisory>,
  context: ImportContext,
): boolean {
  const guardContext = { ...context, isForced: context.isForced ?? false }
  const extract = olderExtract(source, context.capturedOn, guardContext.isForced)
  if (extract) throw new FeedError(extract)
  if (!parsed.isComplete || context.isPartial) return false
  const judged = judgeList(source, listed, guardContext)
  const refused = typeof judged === 'object' ? judged.refused : olderCopy(parsed, existing, guardContext)
  if (refused) throw new FeedError(refused)
  return judged === 'whole'
}

async function markMissing(
  db: Db,
  source: Source,
  entries: Entries,
  existing: Map<string, ExistingAdvisory>,
  context: ImportContext,
) {
  const refused = entries.refused.flatMap(({ item, isUnderstood }) => (isUnderstood ? [] : [normalizeText(item)]))
  const missing = [...existing.values()].filter(
    (row) => row.is_active && !entries.ids.has(row.external_id) && !isAmong(refused, row),
  )
  const listed = await findListed(db, source, entries)
  const replaced = missing.filter((row) => isReplaced(row, listed))
  const fresh = missing.filter((row) => !row.missing_since || replaced.includes(row))
  // An extract is no word of the source: what its own list lacks ends at once, as does what other groups now say.
  const extracts = isLive(context) ? fresh.filter((row) => row.captured_on) : []
  const over = [...extracts, ...replaced].map((row) => row.id)
  if (fresh.length > 0)
    await db
      .updateTable('travel_advisories')
      .set({
        missing_since: context.now,
        is_active: sql<boolean>`id <> all(${over})`,
        updated_at: context.now,
      })
      .where('id', '=', anyOf(fresh.map((row) => row.id)))
      .execute()
  await endMissing(db, source.id, context.now, context.graceDays)
  return missing.length
}

/** What is listed, as it stands in force after this reading. */
function findListed(db: Db, source: Source, { ids }: Entries) {
  return db
    .selectFrom('travel_advisories')
    .select(['external_id', 'country_codes', 'severity_level', 'is_urgent', 'is_active'])
    .where('source_id', '=', source.id)
    .where('is_active', '=', true)
    .where('external_id', '=', anyOf([...ids].filter(isCountrySet)))
    .execute()
}

/**
 * An entry that is listed but could not be read has not vanished. What was refused is named in the source's words, so
 * that the name of a held entry anywhere in them is enough: a warning kept too long is better than one lost.
 */
function isAmong(refused: string[], { external_id, title, country_codes }: ExistingAdvisory): boolean {
  const names = [isCountrySet(external_id) ? '' : normalizeText(external_id), normalizeText(title.split(':')[0]!)]
  // Canada's entries are named by their code first.
  const code = country_codes.length === 1 ? normalizeText(country_codes[0]!) : ''
  return refused.some(
    (text) => names.some((name) => name.trim() !== '' && text.includes(name)) || (code !== '' && text.startsWith(code)),
  )
}

/** The words of a text with a space around each. */
function normalizeText(text: string): string {
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
  const refused = [...entries.refused, ...plan.refused].map(({ item, reason }) => ({ item, reason }))
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
