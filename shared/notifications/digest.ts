import { Temporal } from 'temporal-polyfill'
import type { Digest } from '#shared/delivery/kinds.ts'

const AT = Temporal.PlainTime.from('08:00')

/**
 * The latest digest time in the user's zone: every morning, or Monday morning. Messages deferred before it are due. For
 * users without a digest this is now.
 */
export function lastDigest(now: Date, zone: string, digest: Digest): Date {
  if (digest === 'at_once') return now
  const moment = Temporal.Instant.fromEpochMilliseconds(now.valueOf()).toZonedDateTimeISO(zone)
  const morning = (daysAgo: number) =>
    moment.toPlainDate().subtract({ days: daysAgo }).toZonedDateTime({ timeZone: zone, plainTime: AT })
  const days = digest === 'weekly' ? moment.dayOfWeek - 1 : 0
  const last = morning(days)
  const isPast = Temporal.ZonedDateTime.compare(last, moment) <= 0
  return new Date((isPast ? last : morning(days + (digest === 'weekly' ? 7 : 1))).epochMilliseconds)
}
