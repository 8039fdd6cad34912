import type { AdvisoryRow } from '#server/advisories/advisory-row.ts'
import { plainLine } from '#server/advisories/feeds/html.ts'
import { isInForce } from '#server/advisories/state.ts'
import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import type { AdvisoryReason } from '#shared/delivery/kinds.ts'

/** The fields of an advisory that decide whether a change is notifiable. */
export type AdvisoryState = Pick<
  AdvisoryRow,
  | 'status'
  | 'is_active'
  | 'is_urgent'
  | 'severity_level'
  | 'expiry_date'
  | 'withdrawn_at'
  | 'country_codes'
  | 'unresolved_countries'
  | 'recommendations'
  | 'detailed_information'
> &
  Partial<Pick<AdvisoryRow, 'advisory_type' | 'advisory_types'>>

export interface Change<S extends AdvisoryState = AdvisoryRow> {
  /** Null: the advisory is new. */
  before: S | null
  after: S
  /** Withdrawn by its source or an administrator, rather than expired. */
  isTakenBack?: boolean
  /** Imported from a feed, whose lists often arrive before the texts. */
  isFromFeed?: boolean
}

/**
 * Why a change matters to subscribers, or null: a mere import, another date, a reworded title or an end announced
 * beforehand is not news.
 */
export function notifyReasonOf(change: Change<AdvisoryState>, now: Date): Exclude<AdvisoryReason, 'manual'> | null {
  const { before, after } = change
  const was = before !== null && isInForce(before, now)
  if (!isInForce(after, now)) return was && change.isTakenBack ? 'withdrawn' : null
  if (!was) return 'new'
  if (isMoreSevere(before, after) || isForMore(before, after)) return 'escalated'
  if (isWarningOrAbove(after) && isInstructionChanged(change, before)) return 'instruction_changed'
  // Subscribers to that type alone have not been notified of it yet.
  return newTypes(before, after).length > 0 ? 'escalated' : null
}

const rank = ({ severity_level }: AdvisoryState) => SEVERITY_RANK[severity_level]

const isMoreSevere = (before: AdvisoryState, after: AdvisoryState) =>
  rank(after) > rank(before) || (after.is_urgent && !before.is_urgent)

/** Countries not covered before. An advisory without any, or with only unresolved names, covers the whole world. */
function isForMore(before: AdvisoryState, after: AdvisoryState): boolean {
  if (before.country_codes.length === 0 && before.unresolved_countries.length === 0) return false
  const isForAll = after.country_codes.length === 0 && after.unresolved_countries.length === 0
  return isForAll || newCountries(before, after).length > 0
}

export const newCountries = (before: AdvisoryState, after: AdvisoryState): string[] =>
  after.country_codes.filter((code) => !before.country_codes.includes(code))

/** Types that were not named before. Without a type of its own, the advisory already went to every subscriber. */
export function newTypes(before: AdvisoryState, after: AdvisoryState): string[] {
  const known = before.advisory_types ?? []
  if (known.length === 0 || before.advisory_type === 'general') return []
  return (after.advisory_types ?? []).filter((type) => !known.includes(type) && type !== before.advisory_type)
}

const isWarningOrAbove = (after: AdvisoryState) => rank(after) >= SEVERITY_RANK.warning

function isInstructionChanged({ after, isFromFeed }: Change<AdvisoryState>, before: AdvisoryState): boolean {
  if (before.recommendations.map(lettersOf).join('\n') !== after.recommendations.map(lettersOf).join('\n')) return true
  if (isFromFeed && before.detailed_information === null) return false
  return detailTextOf(before) !== detailTextOf(after)
}

const detailTextOf = ({ detailed_information }: AdvisoryState) => lettersOf(plainLine(detailed_information ?? ''))
/** Letters and digits only: spaces, punctuation and stray formatting do not make a different text. */
const lettersOf = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
