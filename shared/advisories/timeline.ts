import { SEVERITY_RANK, type Severity } from './severity.ts'

/**
 * Events of an advisory. first_read: already listed when the portal first read the source; missing: no longer listed by
 * the source, but still shown for some days; ended: replaced, cancelled or no longer listed.
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
  /** The source's date for its changes; our own time for an end. */
  at: string
  date_precision: 'day' | 'minute'
  recorded_at: string
  before: Severity | null
  after: Severity | null
  /** The source's wording for the level after the event, or before it if the advisory ended. */
  wording: string
  captured_on: string | null
  changes: FieldChange[]
}

/** A level change outweighs every other change in the same version. */
export function changeKind(changes: readonly FieldChange[]): 'raised' | 'lowered' | 'text' {
  const level = changes.find(({ field }) => field === 'severity_level')
  if (!level) return 'text'
  return rank(level.after) > rank(level.before) ? 'raised' : 'lowered'
}

const rank = (severity: string | null) => SEVERITY_RANK[severity as Severity] ?? 0
