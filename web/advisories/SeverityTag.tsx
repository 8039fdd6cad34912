import type { Severity } from '#shared/advisories/severity.ts'
import { useT } from '#web/lib/i18n.tsx'
import styles from './SeverityTag.module.css'

interface Props {
  severity: Severity
  /** Only an emergency may pulse, and an urgent advisory on its detail page (000 §4). */
  isPulsing?: boolean
}

/** The level as text, icon shape and weight together: it works without colour, in greyscale print and by ear. */
export function SeverityTag({ severity, isPulsing = severity === 'emergency' }: Props) {
  const t = useT('common')
  return (
    <span
      className={`${styles.tag} ${styles[severity]} ${isPulsing ? styles.pulsing : ''}`.trim()}
      data-severity={severity}
    >
      {t(`severity_${severity}`)}
    </span>
  )
}
