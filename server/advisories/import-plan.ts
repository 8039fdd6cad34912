import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import type { FetchStats } from '#shared/advisories/endpoints.ts'
import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import { dayOf, hashOf, reasonAgainst, storable } from './advisory-row.ts'
import { type CoveringAdvisory, isLowerThanCover, isLowerThanSibling } from './country-cover.ts'
import type { ExistingAdvisory } from './existing-advisory.ts'
import { anyOf } from './expiry.ts'
import { chooseOfTwo } from './feeds/duplicates.ts'
import type { FeedItem, ParsedFeed, RejectedEntry } from './feeds/feed.ts'
import { hasOwnText } from './own-text.ts'
import { type Fall, isMassFall, judgeFall, type PendingFall } from './pending-levels.ts'
import type { Source } from './sources.ts'

/** Import context: the origin of a document, and what is known of it besides its entries. */
export interface ImportContext {
  cause: 'schedule' | 'manual' | 'file' | 'sample'
  now: Date
  countries: Countries
  /** Hash of the document's bytes: only a different document counts as a repetition. */
  document?: string | undefined
  /** YYYY-MM-DD when the document is a dated extract and not the source's current response. */
  capturedOn?: string | undefined
  /** The document contains only some entries: the others have not vanished. */
  isPartial?: boolean | undefined
  /** Imports a list although it is shorter or older than the stored one, or lowers levels. */
  isForced?: boolean | undefined
  /** By external id: why the page of a listed entry could not be read. */
  failedPages?: ReadonlyMap<string, string> | undefined
  graceDays?: number | undefined
}

/** Whether the document comes from the source itself, not from a saved copy. */
export function isLive({ cause }: ImportContext): boolean {
  return cause === 'schedule' || cause === 'manual'
}

/** The entries of a document, without duplicates. */
export interface Entries {
  items: Map<string, FeedItem>
  /** Listed, but the page with their content was not read this time. */
  unread: Set<string>
  /** By external id: the addresses of those pages. */
  pages: Map<string, string>
  ids: Set<string>
  rejected: RejectedEntry[]
}

/** Groups the entries by identity; an invalid or duplicate entry is refused with its reason. */
export function sortEntries(parsed: ParsedFeed): Entries {
  const items = new Map<string, FeedItem>()
  const rejected = [...parsed.rejected]
  for (const item of storable(parsed.items)) {
    const reason = reasonAgainst(item)
    if (reason) {
      rejected.push({ item: item.title || item.external_id, reason })
      continue
    }
    const known = items.get(item.external_id)
    const choice = known && chooseOfTwo(known, item)
    if (choice) rejected.push({ item: choice.loser.title, reason: choice.reason, isUnderstood: true })
    items.set(item.external_id, choice?.item ?? item)
  }
  const pages = new Map(storable(parsed.follow.map((page) => [page.external_id, page.url])))
  const unread = new Set(pages.keys())
  return { items, unread, pages, ids: new Set([...items.keys(), ...unread]), rejected }
}

/** Characters loaded to decide whether an advisory has a text of its own. */
const TEXT_START = 2_000

/** The stored advisories of a source: all in force, and ended ones that are listed again. */
export async function findExisting(db: Db, source: Source, { ids }: Entries): Promise<Map<string, ExistingAdvisory>> {
  const rows = await db
    .selectFrom('travel_advisories')
    .select(['id', 'external_id', 'title', 'content_hash', 'last_updated', 'date_precision', 'severity_level'])
    .select(['is_urgent', 'original_wording', 'country_codes', 'missing_since', 'withdrawn_at', 'expiry_date'])
    .select(['captured_on', 'is_active', 'pending_severity_level', 'pending_since', 'pending_reason'])
    .select(['pending_document', 'version', 'description'])
    .select(sql<string | null>`left(detailed_information, ${TEXT_START})`.as('text_start'))
    .where('source_id', '=', source.id)
    // Ended advisories accumulate over the years.
    .where((eb) => eb.or([eb('is_active', '=', true), eb('external_id', '=', anyOf([...ids]))]))
    .execute()
  return new Map(
    rows.map(({ text_start, description, ...row }) => {
      const has_text = text_start !== null && hasOwnText({ ...row, description, detailed_information: text_start })
      return [row.external_id, { ...row, has_text }]
    }),
  )
}

/** What to do with each entry. */
export interface Plan {
  changed: FeedItem[]
  /** Existing, listed and unchanged. */
  confirmed: ExistingAdvisory[]
  /** Existing at a higher level than the source shows now. */
  pending: PendingFall[]
  /** Listed in an older state than the stored one; `isBack`: at the stored level again. */
  older: { known: ExistingAdvisory; isBack: boolean }[]
  rejected: FetchStats['refused']
}

/**
 * Compares the listed entries with the stored ones. Every listed entry is changed, confirmed, pending, older or
 * refused.
 */
export function planOf(
  entries: Entries,
  { existing, siblings }: { existing: Map<string, ExistingAdvisory>; siblings: readonly CoveringAdvisory[] },
  context: ImportContext,
): Plan {
  const { items, ids } = entries
  const plan: Plan = { changed: [], confirmed: [], pending: [], older: [], rejected: [] }
  const falls: Fall[] = []
  const givesTexts = [...items.values()].some(hasOwnText)
  for (const id of ids) {
    const item = items.get(id)
    const known = existing.get(id)
    const refuse = (reason: string) =>
      plan.rejected.push({ item: item?.title ?? known?.title ?? entries.pages.get(id) ?? id, reason })
    if (item && !known && isUnbelievable(item, { existing, siblings, givesTexts }, context))
      refuse('It is lower than what was said of these countries before, and has no text: not believed yet')
    else if (item && known && isOlder(known, item, context)) {
      plan.older.push({ known, isBack: isNoFall(known, item) })
      refuse(olderReason(known, item))
    } else if (item && known && isFall(known, item, context)) falls.push({ known, item })
    else if (item && !(known && isUnchanged(known, item, { entries, givesTexts, context }))) plan.changed.push(item)
    else if (known && !context.failedPages?.has(id)) plan.confirmed.push(known)
    else refuse(context.failedPages?.get(id) ?? 'Its own page was not read')
  }
  const isMass = isMassFall(falls, ids.size)
  for (const fall of falls) {
    const isAlone = isLowerThanSibling(fall.item, siblings)
    const judged = judgeFall(fall, { document: context.document, givesTexts: givesTexts || isAlone })
    const reason = isMass && !fall.known.pending_since ? 'mass' : judged
    if (reason === 'believed') plan.changed.push(fall.item)
    else plan.pending.push({ ...fall, reason })
  }
  return plan
}

function isUnchanged(
  known: ExistingAdvisory,
  item: FeedItem,
  on: { entries: Entries; givesTexts: boolean; context: ImportContext },
): boolean {
  if (isSameItem(known, item, on.context)) return true
  const hasLostText = !on.context.isForced && on.givesTexts && !hasOwnText(item)
  return (on.entries.unread.has(item.external_id) || hasLostText) && retainsText(known, item)
}

/** A new entry without a text that lowers the level of its countries: in another group, or through another feed. */
function isUnbelievable(
  item: FeedItem,
  on: { existing: Map<string, ExistingAdvisory>; siblings: readonly CoveringAdvisory[]; givesTexts: boolean },
  { isForced }: ImportContext,
): boolean {
  if (isForced || hasOwnText(item)) return false
  return (on.givesTexts && isLowerThanCover(item, on.existing.values())) || isLowerThanSibling(item, on.siblings)
}

/**
 * An entry of an older copy never replaces a newer one. A stored date in the future is a mistake of the source and
 * blocks nothing, nor does an entry that never had a text; for a dated extract only the day of capture may be known.
 */
function isOlder(known: ExistingAdvisory, item: FeedItem, context: ImportContext): boolean {
  if (context.isForced || known.last_updated > context.now || (known.captured_on && isLive(context))) return false
  if (!known.has_text && hasOwnText(item)) return false
  if (known.date_precision === 'minute' && item.date_precision === 'minute')
    return item.last_updated < known.last_updated
  return dayOf(item.last_updated) < dayOf(known.last_updated)
}

const isNoFall = (known: ExistingAdvisory, item: FeedItem) =>
  SEVERITY_RANK[item.severity_level] >= SEVERITY_RANK[known.severity_level]

function olderReason(known: ExistingAdvisory, item: FeedItem): string {
  return `It is of ${dayOf(item.last_updated)}, older than what was read before (${dayOf(known.last_updated)}), which was kept`
}

/** A lower level of an entry that is in force, or that comes back after it had vanished. */
function isFall(known: ExistingAdvisory, item: FeedItem, { now, isForced }: ImportContext): boolean {
  if (isForced || isNoFall(known, item)) return false
  if (item.status !== 'actual' || item.is_cancellation || known.withdrawn_at) return false
  const hasExpired = known.expiry_date !== null && known.expiry_date <= now
  return !hasExpired && (known.is_active || known.missing_since !== null)
}

function isSameItem(known: ExistingAdvisory, item: FeedItem, context: ImportContext): boolean {
  if (known.content_hash === hashOf(item)) return true
  // A list without dates is dated with the day of its reading; on another day that is not a change.
  const isUndated = item.date_precision === 'day' && dayOf(item.last_updated) === readingDay(context)
  return isUndated && known.content_hash === hashOf({ ...item, last_updated: known.last_updated })
}

function readingDay({ capturedOn, now }: ImportContext): string {
  return capturedOn ?? dayOf(now)
}

/**
 * An index gives date and level, the page the reason. Until the page is read again the text stays, except that the text
 * of one level is never shown with another level.
 */
function retainsText(known: ExistingAdvisory, item: FeedItem): boolean {
  return (
    known.has_text && known.severity_level === item.severity_level && known.original_wording === item.original_wording
  )
}
