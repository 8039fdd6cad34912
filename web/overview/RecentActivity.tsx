import { Link } from 'react-router'
import type { Activity } from '#shared/overview/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Time } from '#web/ui/Time.tsx'
import { actionText, subjectAddress } from './activity.ts'
import styles from './Overview.module.css'

/** The latest entries of the audit log. */
export function RecentActivity({ activity }: { activity: readonly Activity[] }) {
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
                {actionText(t, entry)} <Subject entry={entry} />
              </span>
              <span className={styles.muted}>
                <bdi>{entry.actor_name ?? t('activity_portal')}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
    </AdminPanel>
  )
}

function Subject({ entry }: { entry: Activity }) {
  const address = subjectAddress(entry)
  const name = <bdi>{entry.subject_name ?? entry.subject_id}</bdi>
  return address ? <Link to={address}>{name}</Link> : <span className={styles.muted}>{name}</span>
}
