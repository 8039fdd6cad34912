import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import styles from './Charts.module.css'

/** Each is a pattern too: plain, hollow, grid, lines, dots; diagonal stripes only for what is not known. */
export type ShareLook = 'ok' | 'done' | 'bad' | 'attention' | 'other' | 'unknown'

export interface Share {
  key: string
  label: string
  value: number
  look: ShareLook
}

/**
 * How a whole divides, as one bar and, below it, the same in words: the words are the table. Parts of zero are not
 * shown. Needs the namespace `charts`.
 */
export function ShareBar({ label, shares }: { label: string; shares: readonly Share[] }) {
  const t = useT('charts')
  const language = useLanguage()
  const shown = shares.filter(({ value }) => value > 0)
  if (shown.length === 0) return <p className={styles.none}>{t('share_none')}</p>
  return (
    <figure className={styles.figure} aria-label={label}>
      <div className={styles.shares} aria-hidden="true">
        {shown.map(({ key, value, look }) => (
          <span key={key} className={styles[look]} style={{ flexGrow: value }} />
        ))}
      </div>
      {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
      <ul className={styles.shareList} role="list">
        {shown.map(({ key, label, value, look }) => (
          <li key={key}>
            <span className={`${styles.swatch} ${styles[look]}`} aria-hidden="true" />
            <strong>{formatNumber(language, value)}</strong> {label}
          </li>
        ))}
      </ul>
    </figure>
  )
}
