import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { type AdvisoryChange, announceChanges } from '#server/notifications/advisory-changes/announce.ts'
import { alertMassDowngrade } from '#server/notifications/advisory-changes/mass-downgrade-alert.ts'
import type { FetchStats } from '#shared/advisories/endpoints.ts'
import { fold } from '#shared/countries/fold.ts'
import { type AdvisoryRow, hashOf } from './advisory-row.ts'
import { withoutAlternations } from './alternating-copies.ts'
import { coverOf, findSiblings, isReplaced } from './country-cover.ts'
import type { ExistingAdvisory } from './existing-advisory.ts'
import { anyOf, endMissing, endSuperseded } from './expiry.ts'
import { FeedError, nameInTitle, type ParsedFeed } from './feeds/feed.ts'
import { isCountrySet } from './identity.ts'
import { judgeList, olderCopy, olderExtract } from './import-guards.ts'
import {
  type Entries,
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

/** Result of an import. */
export interface ImportResult {
  stats: FetchStats
  /** Number of entries the source lists now; for a partial document, the number in force. */
  itemCount: number
  /** Why the document cannot be confirmed as a whole and needs an administrator. */
  doubt: string | null
}

/**
 * Imports a parsed document in the caller's transaction, all or nothing. Idempotent; a change creates a new version; a
 * vanished entry is marked and never deleted. Throws FeedError, with nothing written, when the list looks like a fault
 * of the source.
 */
export async function importFeed(
  db: Db,
  source: Source,
  parsed: ParsedFeed,
  options: ImportContext,
): Promise<ImportResult> {
  const entries = sortEntries(parsed)
  const context = { ...options, document: options.document ?? documentOf(entries) }
  await mergeIdentities(db, source, entries.ids, context)
  const existing = await findExisting(db, source, entries)
  const siblings = await findSiblings(db, source)
  const isWhole = guard(source, { ...parsed, items: [...entries.items.values()] }, entries.ids.size, existing, context)

  const isFirst = !(await hasAdvisories(db, source, context))
  const plan = await withoutAlternations(db, planOf(entries, { existing, siblings }, context), existing)
  const written = await writeChanged(db, source, plan.changed, context)
  await confirm(db, plan, context)
  await writePending(db, plan.pending, context)
  const ended = await endSuperseded(db, source.id, [...entries.items.values()], context.now)
  // An alert that this document ended is over at once, not merely missing.
  const remaining = new Map([...existing].filter(([, row]) => !ended.some(({ id }) => id === row.id)))
  const missing = isWhole ? await markMissing(db, source, entries, remaining, context) : 0

  if (isOfToday(context)) {
    const changes = [
      ...written.changes.map((change) => withoutRegrouping(change, existing)),
      ...takenBack(ended, entries),
    ]
    await announceChanges(db, changes, context, { source, isFirst })
    await alertMassDowngrade(db, source, plan.pending, context)
  }

  const stats = statsOf(entries, plan, written, missing)
  const itemCount = isWhole ? entries.ids.size : await countActive(db, source)
  return { stats, itemCount, doubt: doubtOf(await countMassFalls(db, source.id)) }
}

/** Substitute document hash when the bytes are not at hand: a hash of its items. */
function documentOf({ items }: Entries): string {
  return createHash('sha256')
    .update(JSON.stringify([...items.values()].map(hashOf)))
    .digest('base64url')
}

const doubtOf = (waiting: number) =>
  waiting > 0 ? `It lowers ${waiting} levels at once: they wait for an administrator` : null

/** A new grouping of countries that were already covered is not a change for them, unless it is more severe for one. */
function withoutRegrouping(change: AdvisoryChange, existing: Map<string, ExistingAdvisory>): AdvisoryChange {
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

/**
 * Whether the source has been imported before. For a live fetch, extracts do not count: only the source's own responses
 * do.
 */
async function hasAdvisories(db: Db, source: Source, context: ImportContext): Promise<boolean> {
  const query = db.selectFrom('travel_advisories').select('id').where('source_id', '=', source.id)
  const own = isLive(context) ? query.where('captured_on', 'is', null) : query
  return (await own.limit(1).executeTakeFirst()) !== undefined
}

/** Snapshots never trigger notifications. */
const isOfToday = ({ cause, capturedOn }: ImportContext) => cause !== 'sample' && !capturedOn

/** The alerts a cancellation ended; one that is merely replaced continues in its successor. */
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
  const rejected = typeof judged === 'object' ? judged.rejected : olderCopy(parsed, existing, guardContext)
  if (rejected) throw new FeedError(rejected)
  return judged === 'whole'
}

async function markMissing(
  db: Db,
  source: Source,
  entries: Entries,
  existing: Map<string, ExistingAdvisory>,
  context: ImportContext,
) {
  const rejected = entries.rejected.flatMap(({ item, isUnderstood }) => (isUnderstood ? [] : [normalizeText(item)]))
  const missing = [...existing.values()].filter(
    (row) => row.is_active && !entries.ids.has(row.external_id) && !isAmong(rejected, row),
  )
  const listed = await findListed(db, source, entries)
  const replaced = missing.filter((row) => isReplaced(row, listed))
  const fresh = missing.filter((row) => !row.missing_since || replaced.includes(row))
  // An extract is not the source's own response: its entries missing from the live list end at once, as do replaced
  // groups.
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

/** The listed country sets that are in force after this import. */
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
 * An entry that is listed but could not be read has not vanished. Refusals use the source's wording, so the name of an
 * existing entry anywhere in them is enough: a warning shown too long is better than a lost one.
 */
function isAmong(rejected: string[], { external_id, title, country_codes }: ExistingAdvisory): boolean {
  const names = [isCountrySet(external_id) ? '' : normalizeText(external_id), normalizeText(nameInTitle(title))]
  // Refusals of Canada's entries start with the country code.
  const [only = '', ...others] = country_codes
  const code = others.length === 0 ? normalizeText(only) : ''
  return rejected.some(
    (text) => names.some((name) => name.trim() !== '' && text.includes(name)) || (code !== '' && text.startsWith(code)),
  )
}

/** The words of a text with a space around each, so that `includes` matches whole words. */
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
  const rejected = [...entries.rejected, ...plan.rejected].map(({ item, reason }) => ({ item, reason }))
  return {
    total_fetched: entries.ids.size + entries.rejected.length,
    saved_to_database: added + updated,
    added,
    updated,
    unchanged: plan.confirmed.length,
    missing,
    unresolved: [...entries.items.values()].flatMap((item) =>
      item.unresolved_countries.map((name) => ({ item: item.title, name })),
    ),
    refused: rejected,
  }
}
