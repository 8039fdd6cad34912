import type { Severity } from '#shared/advisories/severity.ts'

/** How the head of an advisory looks: filled for the two most serious levels, grey once it is over. */
export function lookOf({ severity_level, is_active = true }: { severity_level: Severity; is_active?: boolean }) {
  if (!is_active) return 'over'
  return severity_level === 'emergency' || severity_level === 'critical' ? severity_level : 'plain'
}
