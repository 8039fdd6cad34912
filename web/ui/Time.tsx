import { useNow, useZone } from '#web/lib/clock.ts'
import { formatDay, formatMoment, formatRelative, formatShortDay, type Precision } from '#web/lib/format.ts'
import { useLanguage } from '#web/lib/i18n.tsx'
import styles from './Time.module.css'

interface Props {
  /** ISO 8601 instant. */
  value: string
  /**
   * 'relative' is "12 minutes ago" with the exact time on focus and in print; without scripts it is exact. 'moment' is
   * "21 Nov 2026, 16:28 UTC", 'day' is "21 Nov 2026", 'short' is "21 Nov".
   */
  look?: 'relative' | 'moment' | 'day' | 'short'
  /** 'day': the source gives no time of day, so none is shown. */
  precision?: Precision
}

export function Time({ value, look = 'moment', precision = 'minute' }: Props) {
  const language = useLanguage()
  const zone = useZone()
  // A plain date is the same everywhere; an instant is shown with its date in the portal's zone.
  const zoneOfDay = precision === 'day' ? 'UTC' : zone
  const isRelative = look === 'relative' && precision === 'minute'
  if (isRelative) return <RelativeTime value={value} exact={formatMoment(language, value, zone)} />
  const exact = precision === 'day' ? formatDay(language, value) : formatMoment(language, value, zone)
  const text =
    look === 'short'
      ? formatShortDay(language, value, zoneOfDay)
      : look === 'day'
        ? formatDay(language, value, zoneOfDay)
        : exact
  return (
    <time dateTime={machineReadable(value, precision)} title={text === exact ? undefined : exact}>
      {text}
    </time>
  )
}

function RelativeTime({ value, exact }: { value: string; exact: string }) {
  const language = useLanguage()
  const now = useNow()
  if (now === null) return <time dateTime={value}>{exact}</time>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: shows the exact time on focus, for keyboard users
    <time dateTime={value} title={exact} tabIndex={0} className={styles.relative}>
      <span className={styles.distance}>{formatRelative(language, value, now)}</span>
      <span className={styles.exact}>{exact}</span>
    </time>
  )
}

const machineReadable = (value: string, precision: Precision) => (precision === 'day' ? value.slice(0, 10) : value)
