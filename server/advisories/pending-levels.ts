import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import { dayOf } from './advisory-row.ts'
import type { ExistingAdvisory } from './existing-advisory.ts'
import type { FeedItem } from './feeds/feed.ts'
import { isCountrySet } from './identity.ts'
import { hasOwnText } from './own-text.ts'

/** Why a lower level is not accepted yet. */
export type PendingReason = 'no_text' | 'two_levels' | 'same_date' | 'mass'

/** A lower level that is recorded but not accepted yet. */
export interface PendingFall {
  known: ExistingAdvisory
  item: FeedItem
  reason: PendingReason
}

/** An entry whose level is lower than the one in force. */
export interface Fall {
  known: ExistingAdvisory
  item: FeedItem
}

/** More lowered levels in one run are far more likely a fault than a safer world: administrators decide. */
const MASS_FEW = 5
const MASS_SHARE = 0.05

/** Whether so many country levels are lowered at once that none is accepted. Levels already pending do not count. */
export function isMassFall(falls: Fall[], listed: number): boolean {
  const fresh = falls.filter(
    ({ known }) => !known.pending_since && !known.captured_on && isCountrySet(known.external_id),
  )
  return fresh.length > Math.max(MASS_FEW, listed * MASS_SHARE)
}

/**
 * Whether a lower level is accepted: at once with a text, a newer date and by one level; else when a later document
 * repeats it with a text. For a source that publishes no texts, the repetition is enough.
 */
export function judgeFall(
  { known, item }: Fall,
  { document, givesTexts }: { document: string | undefined; givesTexts: boolean },
): 'believed' | PendingReason {
  // If the full text is gone and only its summary is left, that does not count as a text.
  const hasText = hasOwnText(item) && !(known.has_text && item.detailed_information === null)
  const lacksText = !hasText && (known.has_text || givesTexts)
  // An extract is replaced by the source's first own response, which needs no repetition: only the text can be missing.
  if (known.captured_on) return lacksText ? 'no_text' : 'believed'
  if (known.pending_reason === 'mass') return 'mass'
  const levels = SEVERITY_RANK[known.severity_level] - SEVERITY_RANK[item.severity_level]
  if (hasText && levels === 1 && isNewer(item, known)) return 'believed'
  const isRepeated = known.pending_severity_level === item.severity_level && known.pending_document !== document
  if (isRepeated && !lacksText) return 'believed'
  if (!hasText) return 'no_text'
  return levels > 1 ? 'two_levels' : 'same_date'
}

function isNewer(item: FeedItem, known: ExistingAdvisory): boolean {
  if (item.date_precision === 'minute' && known.date_precision === 'minute')
    return item.last_updated > known.last_updated
  return dayOf(item.last_updated) > dayOf(known.last_updated)
}

/** Records lower levels beside the levels in force. The entries are listed, so vanished ones are back. */
export async function writePending(
  db: Db,
  pending: PendingFall[],
  { now, document }: { now: Date; document: string | undefined },
): Promise<void> {
  for (const { known, item, reason } of pending) {
    const isKnown = known.pending_severity_level === item.severity_level && known.pending_reason === reason
    if (isKnown && known.is_active && !known.missing_since) continue
    await db
      .updateTable('travel_advisories')
      .set({
        pending_severity_level: item.severity_level,
        pending_wording: item.original_wording,
        pending_since: isKnown ? known.pending_since : now,
        pending_reason: reason,
        pending_document: isKnown ? known.pending_document : (document ?? null),
        pending_item: JSON.stringify(item),
        missing_since: null,
        is_active: true,
        updated_at: now,
      })
      .where('id', '=', known.id)
      .execute()
  }
}

/** How many levels of a source are pending because it lowered very many at once. */
export async function countMassFalls(db: Db, sourceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('travel_advisories')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('source_id', '=', sourceId)
    .where('pending_reason', '=', 'mass')
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow()
  return count
}
