import type { ReactNode } from 'react'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage } from '#web/lib/i18n.tsx'
import styles from './SignIns.module.css'

/** Counts with bars relative to the largest. */
export function Bars({ rows }: { rows: { key: string; label: ReactNode; failures: number }[] }) {
  const language = useLanguage()
  const max = Math.max(1, ...rows.map(({ failures }) => failures))
  return (
    <dl className={styles.bars}>
      {rows.map(({ key, label, failures }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            <svg className={styles.bar} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(100 * failures) / max} height="8" />
            </svg>
            {formatNumber(language, failures)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
