import { formatNumber, formatShortDay } from '#web/lib/format.ts'
import { type Key, useLanguage, useT } from '#web/lib/i18n.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import styles from './Charts.module.css'

export interface DayOfMessages {
  /** '2026-11-21' */
  day: string
  /** Sent or delivered. */
  sent: number
  failed: number
  /** Stored without a provider, so never sent. */
  recorded: number
}

/**
 * Messages of some days: what was sent as bars, failedTexts as numbers, since on the same scale nobody would see them.
 * Needs the namespace `charts`.
 */
export function BarsByDay({ days }: { days: readonly DayOfMessages[] }) {
  const t = useT('charts')
  const max = Math.max(1, ...days.map(({ sent, recorded }) => sent + recorded))
  const isEmpty = days.every(({ sent, failed, recorded }) => sent + failed + recorded === 0)
  if (isEmpty) return <p className={styles.none}>{t('bars_none')}</p>
  return (
    <figure className={styles.figure} aria-label={t('bars_label')}>
      <Sum days={days} />
      <div className={styles.plot} aria-hidden="true">
        {days.map((day) => (
          <Column key={day.day} day={day} max={max} />
        ))}
      </div>
      <Legend days={days} />
      <Fold look="link" summary={t('table')}>
        <DayTable days={days} />
      </Fold>
    </figure>
  )
}

const total = (days: readonly DayOfMessages[], field: 'sent' | 'failed' | 'recorded') =>
  days.reduce((sum, day) => sum + day[field], 0)

/** With one decimal below ten percent: 0.8 is not 1, and a few failedTexts among many are not 0. */
export function percentOf(part: number, whole: number): number {
  const percent = (100 * part) / whole
  return percent >= 10 ? Math.round(percent) : Math.max(0.1, Math.round(percent * 10) / 10)
}

function Sum({ days }: { days: readonly DayOfMessages[] }) {
  const t = useT('charts')
  const language = useLanguage()
  const number = (value: number) => formatNumber(language, value)
  const [sent, failed, recorded] = [total(days, 'sent'), total(days, 'failed'), total(days, 'recorded')]
  const failedText =
    failed === 0
      ? t('bars_failed_none')
      : t('bars_failed', { failed: number(failed), percent: number(percentOf(failed, sent + failed)) })
  return (
    <p className={styles.sum}>
      {sent + failed > 0 && (
        <>
          <strong>{t('bars_sum', { sent: number(sent) })}</strong> · {failedText}
        </>
      )}
      {sent + failed > 0 && recorded > 0 && ' · '}
      {recorded > 0 && t('bars_recorded', { recorded: number(recorded) })}
    </p>
  )
}

function Column({ day: { day, sent, failed, recorded }, max }: { day: DayOfMessages; max: number }) {
  const t = useT('charts')
  const language = useLanguage()
  const heightOf = (value: number) => ({ blockSize: `${value === 0 ? 0 : Math.max(2, (100 * value) / max)}%` })
  return (
    <div className={styles.column}>
      <div className={styles.stack}>
        {failed > 0 && <span className={styles.failed}>{formatNumber(language, failed)}</span>}
        {recorded > 0 && <span className={styles.recorded} style={heightOf(recorded)} />}
        {sent > 0 && <span className={styles.bar} style={heightOf(sent)} />}
      </div>
      <span className={styles.day}>{t(weekdayOf(day))}</span>
      <span className={styles.count}>{formatNumber(language, sent + recorded)}</span>
    </div>
  )
}

function weekdayOf(day: string): Key<'charts'> {
  return `weekday_${new Date(`${day}T00:00:00Z`).getUTCDay()}` as Key<'charts'>
}

function Legend({ days }: { days: readonly DayOfMessages[] }) {
  const t = useT('charts')
  return (
    <p className={styles.legend} aria-hidden="true">
      {total(days, 'sent') > 0 && <span className={styles.keySent}>{t('sent')}</span>}
      {total(days, 'recorded') > 0 && <span className={styles.keyRecorded}>{t('recorded')}</span>}
      {total(days, 'failed') > 0 && <span className={styles.keyFailed}>{t('failed')}</span>}
    </p>
  )
}

function DayTable({ days }: { days: readonly DayOfMessages[] }) {
  const t = useT('charts')
  const language = useLanguage()
  const fields = (['sent', 'failed', 'recorded'] as const).filter(
    (field) => field !== 'recorded' || total(days, field) > 0,
  )
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('day')}</th>
          {fields.map((field) => (
            <th key={field} scope="col">
              {t(field)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.day}>
            <th scope="row">{formatShortDay(language, `${day.day}T00:00:00Z`)}</th>
            {fields.map((field) => (
              <td key={field}>{formatNumber(language, day[field])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
