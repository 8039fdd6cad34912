import type { AuditEntry } from '#shared/audit/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Audit.module.css'
import { useAction } from './action.ts'
import { Difference } from './Difference.tsx'

/** Audit log entries of one record, the latest first. */
export function EntryList({ entries }: { entries: AuditEntry[] }) {
  const t = useT('users')
  const actionOf = useAction()
  if (entries.length === 0) return <p className={styles.none}>{t('history_none')}</p>
  return (
    <ol className={styles.entries}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <div className={styles.line}>
            <strong>{actionOf(entry.action)}</strong>
            <span>
              <bdi>{entry.actor_name ?? t('portal_itself')}</bdi>
              {t('comma')}
              <Time value={entry.at} />
            </span>
          </div>
          {entry.reason && (
            <p>
              {t('reason')}: <bdi>{entry.reason}</bdi>
            </p>
          )}
          <Difference before={entry.before} after={entry.after} />
        </li>
      ))}
    </ol>
  )
}
