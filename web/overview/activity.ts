import type { Activity } from '#shared/overview/endpoints.ts'
import { ROLES, type Role } from '#shared/roles.ts'
import type { Key, Translate } from '#web/lib/i18n.tsx'

/** Label of an action; one without a label is shown by its stored name. */
export function actionText(t: Translate<'admin'>, { action, before, after }: Activity): string {
  if (action === 'user.role') {
    const [from, to] = [roleIn(before), roleIn(after)]
    if (from && to) return t('action_role', { from: t(`role_${from}`), to: t(`role_${to}`) })
  }
  const key = `action_${action}` as Key<'admin'>
  const text = t(key)
  return text === key ? action : text
}

/** Page of the entry's subject, if there is one. */
export function subjectAddress({ subject_type, subject_id, subject_name }: Activity): string | null {
  if (subject_name === null) return null
  const id = encodeURIComponent(subject_id)
  if (subject_type === 'user') return `/admin/users/${id}`
  return subject_type === 'locale' ? `/admin/my-churches/${id}` : `/admin/travel-advisories/${id}`
}

function roleIn(value: Activity['before']): Role | undefined {
  const role = value !== null && typeof value === 'object' && !Array.isArray(value) ? value.role : undefined
  return ROLES.find((known) => known === role)
}
