/** Most serious first; also the order of filters and legends. */
export const SEVERITIES = ['emergency', 'critical', 'warning', 'caution', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** 000 §4: emergency 5 … info 1. */
export const SEVERITY_RANK: Record<Severity, number> = { emergency: 5, critical: 4, warning: 3, caution: 2, info: 1 }

export const ADVISORY_TYPES = [
  'general',
  'security',
  'health',
  'weather',
  'political',
  'entry_requirements',
  'transport',
  'other',
] as const
export type AdvisoryType = (typeof ADVISORY_TYPES)[number]

/** The crisis alert levels of the Philippine Department of Foreign Affairs, with the severity of each. */
export const NATIONAL_ALERT_LEVELS = {
  1: 'caution',
  2: 'warning',
  3: 'critical',
  4: 'emergency',
} as const satisfies Record<number, Severity>

/** The Department's wording of each level, the default for an entry without its own wording. */
export const NATIONAL_ALERT_WORDING = {
  1: 'Alert Level 1: Precautionary Phase',
  2: 'Alert Level 2: Restriction Phase',
  3: 'Alert Level 3: Voluntary Repatriation',
  4: 'Alert Level 4: Mandatory Repatriation',
} as const satisfies Record<keyof typeof NATIONAL_ALERT_LEVELS, string>

interface OrderFields {
  is_urgent: boolean
  severity_level: Severity
  last_updated: string
  id: string
}

/** 000 §4: urgent first, then severity, then newest; the id only makes the order total. */
export function byUrgency(a: OrderFields, b: OrderFields): number {
  return (
    Number(b.is_urgent) - Number(a.is_urgent) ||
    SEVERITY_RANK[b.severity_level] - SEVERITY_RANK[a.severity_level] ||
    (b.last_updated > a.last_updated ? 1 : b.last_updated < a.last_updated ? -1 : 0) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

/** The most serious severity in a list, or null if the list is empty. */
export function highestSeverity(levels: readonly Severity[]): Severity | null {
  return levels.reduce<Severity | null>((top, s) => (!top || SEVERITY_RANK[s] > SEVERITY_RANK[top] ? s : top), null)
}
