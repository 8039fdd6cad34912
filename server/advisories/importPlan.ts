import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import type { FetchStats } from '#shared/advisories/endpoints.ts'
import { type AdvisoryRow, dayOf, hashOf, reasonAgainst, storable } from './advisoryRow.ts'
import { anyOf } from './ending.ts'
import type { FeedItem, ParsedFeed } from './feeds/feed.ts'
import type { Source } from './sources.ts'

/** How a document is to be taken: where it is from, and what is known of it besides its entries. */
export interface ImportContext {
  cause: 'schedule' | 'manual' | 'file' | 'sample'
  now: Date
  countries: Countries
  /** YYYY-MM-DD when the document is a dated extract and not the source's answer of today. */
  capturedOn?: string | undefined
  /** The document holds some of the entries only: what it lacks has not vanished. */
  isPart?: boolean | undefined
  /** Reads a list although it is shorter or older than what is held. */
  isForced?: boolean | undefined
  /** By external id: why the page of a listed entry could not be read. */
  failedPages?: ReadonlyMap<string, string> | undefined
  graceDays?: number | undefined
}

/** Read from the source itself, not from something saved. */
export function isLive({ cause }: ImportContext): boolean {
  return cause === 'schedule' || cause === 'manual'
}

/** The entries of a document, each once. */
export interface Entries {
  items: Map<string, FeedItem>
  /** Listed, but the page that says what they are was not read this time. */
  unread: Set<string>
  ids: Set<string>
  refused: FetchStats['refused']
}

/** Puts the entries by their identity; what cannot be stored, or stands there twice, is refused with its reason. */
export function sortEntries(parsed: ParsedFeed): Entries {
  const items = new Map<string, FeedItem>()
  const refused = [...parsed.refused]
  for (const item of storable(parsed.items)) {
    const reason = reasonAgainst(item)
    const known = items.get(item.external_id)
    if (reason) refused.push({ item: item.title || item.external_id, reason })
    else if (known) {
      refused.push({
        item: item.title,
        reason: `The id ${item.external_id} stands here twice; the newer entry was kept`,
      })
      if (item.last_updated > known.last_updated) items.set(item.external_id, item)
    } else items.set(item.external_id, item)
  }
  const unread = new Set(storable(parsed.follow.map((page) => page.external_id)))
  return { items, unread, ids: new Set([...items.keys(), ...unread]), refused }
}

/** What is needed of every advisory to see whether it changed; the long texts only of those that did. */
export type Held = Pick<
  AdvisoryRow,
  | 'id'
  | 'external_id'
  | 'title'
  | 'content_hash'
  | 'last_updated'
  | 'severity_level'
  | 'original_wording'
  | 'missing_since'
  | 'captured_on'
  | 'is_active'
> & { has_text: boolean }

/** What is held of a source: all in force, and of the ended ones those that are listed again. */
export async function findHeld(db: Db, source: Source, { ids }: Entries): Promise<Map<string, Held>> {
  const rows = await db
    .selectFrom('travel_advisories')
    .select(['id', 'external_id', 'title', 'content_hash', 'last_updated', 'severity_level', 'original_wording'])
    .select(['missing_since', 'captured_on', 'is_active'])
    .select(sql<boolean>`detailed_information is not null`.as('has_text'))
    .where('source_id', '=', source.id)
    // Ended ones pile up over the years.
    .where((eb) => eb.or([eb('is_active', '=', true), eb('external_id', '=', anyOf([...ids]))]))
    .execute()
  return new Map(rows.map((row) => [row.external_id, row]))
}

/** What is to be done with each entry. */
export interface Plan {
  changed: FeedItem[]
  /** Held, listed and the same as before. */
  confirmed: Held[]
  refused: FetchStats['refused']
}

/** Compares what is listed with what is held. Every listed entry comes out in exactly one of the three lists. */
export function planOf({ items, unread, ids }: Entries, held: Map<string, Held>, context: ImportContext): Plan {
  const plan: Plan = { changed: [], confirmed: [], refused: [] }
  for (const id of ids) {
    const item = items.get(id)
    const known = held.get(id)
    const isSame = known && (!item || isSameItem(known, item, context) || (unread.has(id) && keepsItsText(known, item)))
    if (item && !isSame) plan.changed.push(item)
    else if (isSame && !context.failedPages?.has(id)) plan.confirmed.push(known)
    else
      plan.refused.push({
        item: item?.title ?? id,
        reason: context.failedPages?.get(id) ?? 'Its own page was not read',
      })
  }
  return plan
}

function isSameItem(known: Held, item: FeedItem, context: ImportContext): boolean {
  if (known.content_hash === hashOf(item)) return true
  // A list without dates is given the day of its reading; read on another day it has not changed by that.
  const isUndated = item.date_precision === 'day' && dayOf(item.last_updated) === readingDay(context)
  return isUndated && known.content_hash === hashOf({ ...item, last_updated: known.last_updated })
}

function readingDay({ capturedOn, now }: ImportContext): string {
  return capturedOn ?? dayOf(now)
}

/**
 * An index says when and at which level, its page says why. Until the page was read again the text stays as it is,
 * except that the text of one level never stands beside another level.
 */
function keepsItsText(known: Held, item: FeedItem): boolean {
  return (
    known.has_text && known.severity_level === item.severity_level && known.original_wording === item.original_wording
  )
}
