import { Link } from 'react-router'
import type { ShownEntry } from '#web/audit/entries.server.ts'
import { Sentence } from '#web/audit/Sentence.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Overview.module.css'

/** The latest entries of the audit log. */
export function RecentActivity({ activity }: { activity: readonly ShownEntry[] }) {
  const t = useT('admin')
  return (
    <AdminPanel id="activity" title={t('activity_title')} end={<Link to="/admin/data">{t('activity_all')}</Link>}>
      {activity.length === 0 ? (
        <p className={styles.nothing}>{t('activity_none')}</p>
      ) : (
        <ul className={styles.rows}>
          {activity.map((entry) => (
            <li key={entry.id}>
              <span className={styles.when}>
                <Time value={entry.at} look="relative" />
              </span>
              <span className={styles.what}>
                <Sentence parts={entry.sentence} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </AdminPanel>
  )
}
