import type { getDashboard } from '#shared/overview/endpoints.ts'

type Dashboard = (typeof getDashboard)['~']['output']

export type NextStep =
  | { kind: 'confirm_email' }
  | { kind: 'choose_countries' }
  | { kind: 'finish_profile'; missing: Dashboard['missing'] }

/**
 * The next step for the user. First what keeps the portal from reaching them, then what it needs for advice, then what
 * others need in an emergency. Null when nothing is left.
 */
export function nextStep({ email_verified, missing }: Pick<Dashboard, 'email_verified' | 'missing'>): NextStep | null {
  if (!email_verified) return { kind: 'confirm_email' }
  if (missing.includes('countries')) return { kind: 'choose_countries' }
  return missing.length > 0 ? { kind: 'finish_profile', missing } : null
}
