import { SEVERITY_RANK, type Severity } from './severity.ts'

/**
 * Events of an advisory. first_read: already listed when the portal first read the source; urgency, date: nothing else
 * changed; excluded: it no longer covers the country; missing: no longer listed by the source, but still shown for some
 * days; ended: no longer listed, and no longer shown; cancelled: withdrawn or replaced by its source; withdrawn: taken
 * off the list by an administrator of the portal.
 */
export const TIMELINE_KINDS = [
  'first_read',
  'new',
  'raised',
  'lowered',
  'text',
  'urgency',
  'date',
  'excluded',
  'missing',
  'withdrawn',
  'cancelled',
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

/** A level change outweighs every other change in the same version. A new date comes with most changes. */
export function changeKind(
  changes: readonly FieldChange[],
): Extract<TimelineKind, 'raised' | 'lowered' | 'text' | 'urgency' | 'date'> {
  const level = changes.find(({ field }) => field === 'severity_level')
  if (level) return rank(level.after) > rank(level.before) ? 'raised' : 'lowered'
  const fields = changes.map(({ field }) => field).filter((field) => field !== 'last_updated')
  if (fields.length === 0) return 'date'
  return fields.every((field) => field === 'is_urgent') ? 'urgency' : 'text'
}

const rank = (severity: string | null) => SEVERITY_RANK[severity as Severity] ?? 0
