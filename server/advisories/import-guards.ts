import { dayOf } from './advisory-row.ts'
import type { ParsedFeed } from './feeds/feed.ts'
import { isCountrySet } from './identity.ts'
import { hasOwnText } from './own-text.ts'
import type { Source } from './sources.ts'

/** A list this long covers the world's countries; shorter ones are events, which come and go. */
const WHOLE_WORLD = 50

interface ExistingRow {
  last_updated: Date
  captured_on: string | null
  is_active: boolean
  has_text: boolean
}

interface GuardContext {
  cause: 'schedule' | 'manual' | 'file' | 'sample'
  now: Date
  /** The operator has checked the document and forces the import. */
  isForced: boolean
}

/**
 * How a list that claims to be complete may be imported: as whole, as partial (nothing has vanished), or not at all,
 * with the reason. A list that shrank or is empty is far more likely a fault than a safer world.
 */
export function judgeList(
  source: Source,
  listed: number,
  context: GuardContext,
): 'whole' | 'partial' | { rejected: string } {
  if (context.cause === 'sample') return 'partial'
  if (context.isForced) return 'whole'
  // Without a minimum the length of a whole list is unknown; documents of several senders may be read one after
  // another.
  if (context.cause === 'file' && source.minimum_items === 0) return 'partial'
  const before = source.item_count
  // A dated extract, or some manually saved entries, do not show how long the list really is.
  const wasWhole = source.captured_on === null && before >= source.minimum_items && before > 0
  if (listed < source.minimum_items) {
    if (context.cause === 'file' && listed > 0 && !wasWhole) return 'partial'
    return {
      rejected: `It lists ${entries(listed)}, fewer than the ${source.minimum_items} that this source always has`,
    }
  }
  if (wasWhole && source.minimum_items >= WHOLE_WORLD && listed * 2 < before)
    return { rejected: `It lists ${entries(listed)}, less than half of the ${before} it listed before` }
  return 'whole'
}

function entries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`
}

/**
 * Whether a document as a whole is older than the previous one (one source serves such copies on some days): some of
 * its entries are older than the stored ones, none is newer or new, and its newest date is older too. Returns the
 * reason. It is refused however long that goes on, since older entries never replace newer ones; an administrator may
 * force it.
 */
export function olderCopy(
  parsed: ParsedFeed,
  existingById: ReadonlyMap<string, ExistingRow>,
  context: GuardContext,
): string | undefined {
  if (context.isForced || !parsed.isComplete) return undefined
  let older = 0
  let newest = 0
  let newestExisting = 0
  for (const item of parsed.items) {
    const { external_id, last_updated } = item
    const existing = existingById.get(external_id)
    // Countries that come back also count as new; ended events are expected in an older copy.
    if (!existing || (!existing.is_active && isCountrySet(external_id))) return undefined
    // For an extract only the day of capture may be known; a date ahead of the clock is a mistake of the source.
    if (existing.captured_on || existing.last_updated > context.now) continue
    // The date of a placeholder that was read first is meaningless.
    if (!existing.has_text && hasOwnText(item)) continue
    if (last_updated > existing.last_updated) return undefined
    if (last_updated < existing.last_updated) older += 1
    newest = Math.max(newest, last_updated.getTime())
    newestExisting = Math.max(newestExisting, existing.last_updated.getTime())
  }
  if (older === 0 || newest === newestExisting) return undefined
  return `It is an older copy: ${entries(older)} older than already read, none newer`
}

/** Why a dated extract is refused: the source itself has answered since its date. */
export function olderExtract(source: Source, capturedOn: string | undefined, isForced: boolean): string | undefined {
  const spoke = source.last_success_at
  if (isForced || !capturedOn || !spoke || capturedOn >= dayOf(spoke)) return undefined
  return `It is an extract of ${capturedOn}; the source itself was read on ${dayOf(spoke)}`
}
