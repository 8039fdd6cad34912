import { Link } from 'react-router'
import type { DeliveryDay } from '#shared/overview/endpoints.ts'
import { formatNumber, formatShortDay } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import styles from './DeliveriesPanel.module.css'

/** What became of the messages of the last days. */
export function DeliveriesPanel({ days }: { days: readonly DeliveryDay[] }) {
  const t = useT('queue')
  const language = useLanguage()
  const n = (value: number) => formatNumber(language, value)
  const sum = (of: (day: DeliveryDay) => number) => days.reduce((total, day) => total + of(day), 0)
  const [delivered, failed, recorded] = [sum((d) => d.delivered), sum((d) => d.failed), sum((d) => d.recorded)]
  const share = delivered + failed > 0 ? Math.round((failed / (delivered + failed)) * 1000) / 10 : 0
  return (
    <AdminPanel
      id="deliveries"
      title={t('deliveries_title')}
      end={<Link to="/admin/outbox">{t('deliveries_outbox')}</Link>}
    >
      {delivered + failed + recorded === 0 ? (
        <p className={styles.summary}>{t('deliveries_none')}</p>
      ) : (
        <>
          {delivered + failed > 0 && (
            <p className={styles.summary}>
              {t('deliveries_summary', { delivered: n(delivered), failed: n(failed), share: n(share) })}
            </p>
          )}
          {recorded > 0 && <p className={styles.recorded}>{t('deliveries_recorded', { n: n(recorded) })}</p>}
          <table className={styles.days}>
            <thead>
              <tr>
                <th scope="col">{t('deliveries_day')}</th>
                <th scope="col">{t('deliveries_sent')}</th>
                <th scope="col">{t('deliveries_failed')}</th>
              </tr>
            </thead>
            <tbody>
              {days.map((day) => (
                <tr key={day.day}>
                  <th scope="row">{formatShortDay(language, day.day)}</th>
                  <td>{n(day.delivered)}</td>
                  <td>{n(day.failed)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </AdminPanel>
  )
}
