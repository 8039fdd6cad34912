import { Link } from 'react-router'
import { useNow } from '#web/lib/clock.ts'
import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Overview.module.css'
import { isLate, type Task, tasksOf } from './overview.ts'

/** Pending tasks, the longest waiting first. */
export function DoFirst({ waiting }: { waiting: Parameters<typeof tasksOf>[0] }) {
  const t = useT('admin')
  const tasks = tasksOf(waiting)
  return (
    <AdminPanel id="do-first" title={t('first_title')}>
      {tasks.length === 0 ? (
        <p className={styles.nothing}>{t('first_nothing')}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('first_what')}</th>
              <th scope="col" className={styles.end}>
                {t('first_since')}
              </th>
            </tr>
          </thead>
          <tbody>
            {tasks.map((task) => (
              <tr key={task.key}>
                <th scope="row">
                  <Link to={task.to}>{t(task.label, isolatedValues(task.values))}</Link>
                </th>
                <td className={styles.end}>
                  <Since task={task} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </AdminPanel>
  )
}

function Since({ task }: { task: Task }) {
  const t = useT('admin')
  const now = useNow()
  if (!task.since)
    return <span className={styles.muted}>{t(task.label === 'task_source' ? 'never_confirmed' : 'first_unknown')}</span>
  if (!isLate(task, now)) return <Time value={task.since} look="relative" />
  return (
    <span className={styles.bad}>
      <Icon name="critical" /> <span className="visually-hidden">{t('first_late')} </span>
      <Time value={task.since} look="relative" />
    </span>
  )
}

const isolatedValues = (values: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(values).map(([name, v]) => [name, typeof v === 'string' ? isolated(v) : v]))
