import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { BarsByDay, type DayOfMessages } from '#web/ui/charts/BarsByDay.tsx'
import styles from './Overview.module.css'

/** What became of the messages of the last days. */
export function DeliveriesPanel({ days }: { days: readonly DayOfMessages[] }) {
  const t = useT('queue')
  return (
    <AdminPanel
      id="deliveries"
      title={t('deliveries_title')}
      end={<Link to="/admin/outbox">{t('deliveries_outbox')}</Link>}
    >
      <div className={styles.chart}>
        <BarsByDay days={days} />
      </div>
    </AdminPanel>
  )
}
