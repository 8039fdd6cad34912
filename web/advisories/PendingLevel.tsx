import type { Advisory } from '#shared/advisories/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './PendingLevel.module.css'

/** Marks a level that stays in force although its source shows a lower one. */
export function PendingLevel({ reason }: { reason: Advisory['pending_reason'] }) {
  const t = useT('common')
  if (!reason) return null
  return (
    <p className={styles.pending}>
      <Icon name="unknown" />
      <span>{t(TEXTS[reason])}</span>
    </p>
  )
}

const TEXTS = {
  no_text: 'pending_no_text',
  two_levels: 'pending_again',
  same_date: 'pending_again',
  mass: 'pending_mass',
} as const satisfies Record<NonNullable<Advisory['pending_reason']>, string>
