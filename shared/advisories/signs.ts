import type { Severity } from './severity.ts'

/**
 * A sign and a colour for each level, where no icon of the portal can be drawn: in mails and in what a browser shows.
 * They only repeat the word beside them. No level is green: that is how people read "safe".
 */
export const SEVERITY_SIGNS = {
  emergency: { sign: '⛔', colour: '#6f0a17' },
  critical: { sign: '🔴', colour: '#b91c1c' },
  warning: { sign: '🟠', colour: '#9a4a00' },
  caution: { sign: '🟡', colour: '#7a5c00' },
  info: { sign: '🔵', colour: '#1e40af' },
} as const satisfies Record<Severity, { sign: string; colour: string }>
