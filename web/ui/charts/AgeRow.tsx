import type { ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Charts.module.css'

interface Props {
  name: ReactNode
  /** How old it is; null if not known. */
  ageSeconds: number | null
  /** From this age it is late. */
  limitSeconds: number
  /** The age in words. */
  children: ReactNode
}

/** How fresh something is, as a bar against its limit and in words: a full bar is late. Needs the namespace `charts`. */
export function AgeRow({ name, ageSeconds, limitSeconds, children }: Props) {
  const t = useT('charts')
  const share = ageSeconds === null ? 1 : Math.max(0, Math.min(1, ageSeconds / Math.max(1, limitSeconds)))
  const isLate = ageSeconds !== null && share === 1
  return (
    <div className={styles.age}>
      <span className={styles.ageName}>{name}</span>
      <span className={styles.ageTrack} aria-hidden="true">
        <span
          className={classes(ageSeconds === null ? styles.unknown : isLate ? styles.bad : styles.ageBar)}
          style={{ inlineSize: `${Math.round(share * 100)}%` }}
        />
      </span>
      <span className={classes(styles.ageText, isLate && styles.late)}>
        {children}
        {ageSeconds === null ? ` (${t('age_unknown')})` : isLate && ` (${t('age_late')})`}
      </span>
    </div>
  )
}
