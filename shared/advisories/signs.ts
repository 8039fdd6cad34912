import type { Severity } from './severity.ts'

/**
 * Sign and colour of each level for mails and browser notifications, where the portal's icons cannot be drawn. They
 * only repeat the text beside them. No level is green, since people read green as "safe".
 */
export const SEVERITY_SIGNS = {
  emergency: { sign: '⛔', colour: '#6f0a17' },
  critical: { sign: '🔴', colour: '#b91c1c' },
  warning: { sign: '🟠', colour: '#9a4a00' },
  caution: { sign: '🟡', colour: '#7a5c00' },
  info: { sign: '🔵', colour: '#1e40af' },
} as const satisfies Record<Severity, { sign: string; colour: string }>
