import { useSyncExternalStore } from 'react'
import { useNow } from '#web/lib/clock.ts'
import { clockText, formatShortDay } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { momentIn, shortDay, zonePlace } from './days.ts'
import styles from './NextService.module.css'
import type { Next } from './row.server.ts'

const DAY_MS = 24 * 3600_000
const neverChanges = () => () => {}

/** The device's time zone; on the server and in the first render only that of the profile. */
export function useOwnZone(ofProfile: string | null): string | null {
  return useSyncExternalStore(
    neverChanges,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => ofProfile,
  )
}

/** Day and local time with the place; below it the same in the user's time zone. */
export function NextService({ next, zone }: { next: Next; zone: string | null }) {
  const t = useT('churches')
  const moment = useMoment()
  return (
    <div className={styles.next}>
      <b>
        {t(next.in_progress ? 'now' : 'next', {
          service: next.service,
          moment: moment(next.zone, next.starts_at),
          place: next.place,
        })}
      </b>
      <div className={styles.own}>
        <Countdown next={next} />
        {zone && <OwnTime next={next} zone={zone} />}
      </div>
    </div>
  )
}

/** 'Sun 4 Oct, 10:00' in a given time zone. */
export function useMoment() {
  const t = useT('churches')
  const language = useLanguage()
  return (zone: string, instant: string) => {
    const { weekday, clock } = momentIn(zone, instant)
    const [day, time] = [formatShortDay(language, instant, zone), clockText(language, clock)]
    return t('moment', { weekday: shortDay(language, weekday), day, clock: time })
  }
}

/** 'in 2 h 10 min', within a day. */
function Countdown({ next }: { next: Next }) {
  const t = useT('churches')
  const now = useNow()
  const left = now === null || next.in_progress ? 0 : Date.parse(next.starts_at) - now
  if (left <= 0 || left > DAY_MS) return null
  const minutes = Math.ceil(left / 60_000)
  const hours = Math.trunc(minutes / 60)
  return (
    <span className={styles.countdown}>
      {hours > 0 ? t('in_hours', { hours, minutes: minutes % 60 }) : t('in_minutes', { minutes })}
    </span>
  )
}

function OwnTime({ next, zone }: { next: Next; zone: string }) {
  const t = useT('churches')
  const language = useLanguage()
  const [there, own] = [momentIn(next.zone, next.starts_at), momentIn(zone, next.starts_at)]
  const place = zonePlace(zone)
  const clock = clockText(language, own.clock)
  if (there.date === own.date)
    return (
      <span>{there.clock === own.clock ? t('own_same_time', { place }) : t('own_same_day', { clock, place })}</span>
    )
  return (
    <span>
      {t('own_other_day', {
        weekday: shortDay(language, own.weekday),
        day: formatShortDay(language, next.starts_at, zone),
        clock,
        place,
      })}
    </span>
  )
}
