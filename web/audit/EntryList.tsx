import { useT } from '#web/lib/i18n.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Audit.module.css'
import { Changes } from './Changes.tsx'
import type { ShownEntry } from './entries.server.ts'
import { Sentence } from './Sentence.tsx'

/** Audit log entries of one record, the latest first. */
export function EntryList({ entries }: { entries: readonly ShownEntry[] }) {
  const t = useT('users')
  if (entries.length === 0) return <p className={styles.none}>{t('history_none')}</p>
  return (
    <ol className={styles.entries}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <p>
            <Sentence parts={entry.sentence} />
          </p>
          <p className={styles.none}>
            <Time value={entry.at} />
          </p>
          {entry.reason && (
            <p>
              {t('reason')}: <bdi>{entry.reason}</bdi>
            </p>
          )}
          {entry.changes.length > 0 && (
            <Fold look="link" summary={t('what_changed')}>
              <Changes changes={entry.changes} />
            </Fold>
          )}
        </li>
      ))}
    </ol>
  )
}
