import { Temporal } from 'temporal-polyfill'
import type { ServiceMoment, ServiceSchedule } from '#shared/churches/schedule.ts'
import { daysOfRule } from './recurrence.ts'

/** The fields of a locale from which its services are computed. */
export interface ServiceFields {
  timezone: string | null
  closed_since: string | null
  closed_until: string | null
  schedules: readonly ServiceSchedule[]
}

/** Default length of a service. */
export const HOURS_WITHOUT_END = 2

/**
 * The services that begin before `to` and end after `from`, in order, in the locale's time zone. A locale without a
 * known time zone has none: its times are shown as local times.
 */
export function momentsOf(locale: ServiceFields, from: Date, to: Date): ServiceMoment[] {
  const { timezone } = locale
  if (!timezone || !isZone(timezone)) return []
  // A day more on both sides: one that began yesterday may still be going on.
  const first = dayIn(timezone, from).subtract({ days: 2 })
  const last = dayIn(timezone, to).add({ days: 1 })
  return locale.schedules
    .flatMap((schedule) =>
      daysOf(schedule, first, last)
        .filter((day) => !isClosed(locale, day.toString()))
        .map((day) => momentOn(day, schedule, timezone, from)),
    )
    .filter(({ starts_at, ends_at }) => ends_at > from.toISOString() && starts_at < to.toISOString())
    .sort((a, b) => compare(a.starts_at, b.starts_at) || compare(a.schedule_id, b.schedule_id))
}

/** The days on which a service begins, inclusive. */
export function daysOf(
  schedule: Pick<ServiceSchedule, 'day_of_week' | 'recurrence' | 'starts_on' | 'ends_on'>,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Temporal.PlainDate[] {
  const { day_of_week, recurrence, starts_on, ends_on } = schedule
  const first = later(from, starts_on)
  const last = earlier(to, ends_on)
  if (Temporal.PlainDate.compare(first, last) > 0) return []
  if (recurrence && starts_on) return daysOfKnownRule(recurrence, starts_on, first, last)
  return day_of_week === null ? [] : weekly(day_of_week, first, last)
}

/** An unchecked rule in the tables gives no services, and does not affect the others. */
function daysOfKnownRule(...args: Parameters<typeof daysOfRule>): Temporal.PlainDate[] {
  try {
    return daysOfRule(...args)
  } catch {
    return []
  }
}

function weekly(dayOfWeek: number, first: Temporal.PlainDate, last: Temporal.PlainDate): Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = []
  // Temporal counts Sunday as 7.
  let day = first.add({ days: (dayOfWeek - (first.dayOfWeek % 7) + 7) % 7 })
  for (; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 7 })) days.push(day)
  return days
}

function momentOn(day: Temporal.PlainDate, schedule: ServiceSchedule, zone: string, now: Date): ServiceMoment {
  const { time, end_time } = schedule
  const start = instantOf(day, time, zone)
  const end =
    end_time === null
      ? start + HOURS_WITHOUT_END * 3_600_000
      : instantOf(end_time <= time ? day.add({ days: 1 }) : day, end_time, zone)
  // If the clock skips the end time, it ends when it begins.
  const starts_at = new Date(start).toISOString()
  const ends_at = new Date(Math.max(start, end)).toISOString()
  const nowIso = now.toISOString()
  return { schedule_id: schedule.id, starts_at, ends_at, in_progress: starts_at <= nowIso && nowIso < ends_at }
}

/**
 * The instant of a local time. A time the clock skips is shifted forward by the gap; of a repeated time the first
 * counts: calendars do the same.
 */
const instantOf = (day: Temporal.PlainDate, time: string, zone: string): number =>
  day.toPlainDateTime(Temporal.PlainTime.from(time)).toZonedDateTime(zone, { disambiguation: 'compatible' })
    .epochMilliseconds

/** Whether a locale is closed on a day in its time zone. */
export function isClosed(
  { closed_since, closed_until }: Pick<ServiceFields, 'closed_since' | 'closed_until'>,
  day: string,
) {
  if (closed_since === null && closed_until === null) return false
  return (closed_since === null || closed_since <= day) && (closed_until === null || day <= closed_until)
}

const zones = new Map<string, boolean>()
export function isZone(zone: string): boolean {
  const known = zones.get(zone)
  if (known !== undefined) return known
  let isKnown = true
  try {
    Temporal.Now.zonedDateTimeISO(zone)
  } catch {
    isKnown = false
  }
  zones.set(zone, isKnown)
  return isKnown
}

const dayIn = (zone: string, moment: Date) =>
  Temporal.Instant.fromEpochMilliseconds(moment.valueOf()).toZonedDateTimeISO(zone).toPlainDate()

const later = (day: Temporal.PlainDate, other: string | null) =>
  other !== null && other > day.toString() ? Temporal.PlainDate.from(other) : day
const earlier = (day: Temporal.PlainDate, other: string | null) =>
  other !== null && other < day.toString() ? Temporal.PlainDate.from(other) : day
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
