import { SEVERITY_RANK, type Severity } from './severity.ts'

/**
 * What happened to an advisory. first_read: the source listed it when the portal first read that source; missing: the
 * source no longer lists it, and it stays for some days; ended: replaced, cancelled or no longer listed.
 */
export const TIMELINE_KINDS = [
  'first_read',
  'new',
  'raised',
  'lowered',
  'text',
  'missing',
  'withdrawn',
  'expired',
  'ended',
] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

interface FieldChange {
  field: string
  before: string | null
  after: string | null
}

export interface TimelineEvent {
  /** Stable within the advisory; empty for its first appearance. */
  id: string
  kind: TimelineKind
  advisory_id: string
  source_id: string
  source_organization: string
  title: string
  language: string
  /** The day of the source for what it changed; our own time for an end. */
  at: string
  date_precision: 'day' | 'minute'
  recorded_at: string
  before: Severity | null
  after: Severity | null
  /** The source's own words for the level after the event; for an end, before it. */
  wording: string
  captured_on: string | null
  changes: FieldChange[]
}

/** A change of the level outweighs every other change of the same version. */
export function changeKind(changes: readonly FieldChange[]): 'raised' | 'lowered' | 'text' {
  const level = changes.find(({ field }) => field === 'severity_level')
  if (!level) return 'text'
  return rank(level.after) > rank(level.before) ? 'raised' : 'lowered'
}

const rank = (severity: string | null) => SEVERITY_RANK[severity as Severity] ?? 0
