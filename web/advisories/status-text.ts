import { ADVISORY_TYPES, type AdvisoryType } from '#shared/advisories/severity.ts'
import type { Translate } from '#web/lib/i18n.tsx'

/** 'Active • Urgent'. */
export const statusText = (t: Translate<'advisory'>, isActive: boolean, isUrgent: boolean) =>
  t(isActive ? 'status_active' : 'status_inactive') + (isUrgent ? t('status_urgent') : '')

/** 'Security'; General if the source names no kind; an unknown kind is capitalised. */
export function typeText(t: Translate<'advisory'>, type: string | null | undefined): string {
  const known = (type || 'general').trim().toLowerCase()
  return (ADVISORY_TYPES as readonly string[]).includes(known)
    ? t(`type_${known as AdvisoryType}`)
    : known.charAt(0).toUpperCase() + known.slice(1).replaceAll('_', ' ')
}
