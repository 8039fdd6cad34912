import type { ReactNode } from 'react'
import type { DeliveryStats } from '#shared/notifications/status.ts'
import { formatNumber } from '#web/lib/format.ts'
import { type Translate, useLanguage, useT } from '#web/lib/i18n.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import { inTime } from './duration.ts'
import styles from './StatusPage.module.css'

interface Props {
  stats: readonly DeliveryStats[]
  days: number
  name: string
}

/** One row per channel used. Unsent messages are stated, never shown as good. */
export function StatsTable({ stats, days, name }: Props) {
  const t = useT('status')
  const language = useLanguage()
  const all = stats.find(({ channel }) => channel === 'all')
  const number = (n: number) => formatNumber(language, n)
  const announced = all?.announcements ?? 0
  if (announced === 0) return <p>{t('announced_none', { days: number(days) })}</p>
  const rows = stats.filter(({ channel, messages }) => channel !== 'all' && messages > 0)
  return (
    <>
      <p>{t('announced', { count: announced, n: number(announced), days: number(days) })}</p>
      {rows.length === 0 ? (
        <p>{t('sent_none', { days: number(days) })}</p>
      ) : (
        <Surface className={styles.sheet}>
          <table className={styles.figures} aria-label={t('table_label', { name })}>
            <thead>
              <tr>
                {(['channel', 'messages', 'handed_over', 'arrived', 'failed', 'waiting'] as const).map((label) => (
                  <th key={label} scope="col">
                    {t(label)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row key={row.channel} row={row} t={t} number={number} />
              ))}
            </tbody>
          </table>
        </Surface>
      )}
    </>
  )
}

function Row({ row, t, number }: { row: DeliveryStats; t: Translate<'status'>; number: (n: number) => string }) {
  const within = (half: number | null, p95: number | null, otherwise: string) =>
    half === null || p95 === null ? (
      <span className={styles.muted}>{otherwise}</span>
    ) : (
      <>
        <span>{t('half', { time: inTime(t, half, number) })}</span>{' '}
        <span>{t('percentile_95', { time: inTime(t, p95, number) })}</span>
      </>
    )
  return (
    <tr>
      <th scope="row">{t(`channel_${row.channel}`)}</th>
      <Cell label={t('messages')}>
        <span>{number(row.messages)}</span>
        {row.recorded > 0 && (
          <span className={styles.muted}>{t('recorded', { count: row.recorded, n: number(row.recorded) })}</span>
        )}
      </Cell>
      <Cell label={t('handed_over')}>{within(row.handed_over_p50, row.handed_over_p95, t('nothing'))}</Cell>
      <Cell label={t('arrived')}>
        {within(row.delivered_p50, row.delivered_p95, t('not_known'))}
        {row.delivered > 0 && (
          <span className={styles.muted}>{t('delivered_count', { n: number(row.delivered) })}</span>
        )}
      </Cell>
      <Cell label={t('failed')}>{number(row.failed)}</Cell>
      <Cell label={t('waiting')}>{number(row.waiting)}</Cell>
    </tr>
  )
}

/** On a narrow screen each value is below its own label. */
function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <td>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>{children}</span>
    </td>
  )
}
