import ical, { ICalCalendarMethod } from 'ical-generator'
import { Temporal } from 'temporal-polyfill'
import type { Locale } from '#shared/churches/endpoints.ts'
import type { ServiceSchedule } from '#shared/churches/schedule.ts'
import { daysOf, HOURS_WITHOUT_END, isClosed, isZone } from './services.ts'
import { stampOf, timeZoneComponent } from './zones.ts'

/** How far back a calendar includes services. */
const WEEKS_BACK = 4
/** How far ahead the days on which a closed locale has no service are excluded one by one. */
const CLOSED_DAYS_NAMED = 800
const DAY_CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/**
 * The services of a public locale as a calendar subscription (RFC 5545): each schedule is one recurring event in the
 * locale's time zone, or in floating time where the zone is unknown.
 */
export function calendarOf(
  locale: Locale,
  deps: { publicUrl: string; now: Date; titleOf: (schedule: ServiceSchedule) => string },
): string {
  const { publicUrl, now } = deps
  const host = new URL(publicUrl).hostname
  const page = `${publicUrl}/church-locator/${locale.id}`
  const zone = locale.timezone && isZone(locale.timezone) ? locale.timezone : null
  const calendar = ical({
    name: locale.name,
    prodId: { company: host, product: 'Church services', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    source: `${page}/services.ics`,
    url: page,
    ttl: 86_400,
    ...(zone ? { timezone: { name: null, generator: (name: string) => timeZoneComponent(name, now) } } : {}),
  })
  for (const schedule of locale.service_schedules) {
    const series = seriesOf(schedule, locale, zone, now)
    if (!series) continue
    calendar.createEvent({
      id: `${schedule.id}@${host}`,
      stamp: now,
      start: series.start,
      end: series.end,
      ...(zone ? { timezone: zone } : { floating: true }),
      repeating: series.rule,
      summary: `${schedule.title ?? deps.titleOf(schedule)} · ${locale.name}`,
      url: page,
      description: [schedule.note, schedule.online_url ?? (schedule.is_online ? locale.online_url : null), page]
        .filter(Boolean)
        .join('\n'),
      ...placeOf(locale),
    })
  }
  return calendar.toString()
}

/** The first service to include, and the rule for all later ones. Undefined: none left. */
function seriesOf(schedule: ServiceSchedule, locale: Locale, zone: string | null, now: Date) {
  const today = Temporal.Instant.fromEpochMilliseconds(now.valueOf())
    .toZonedDateTimeISO(zone ?? 'UTC')
    .toPlainDate()
  // A rule is counted from its first day; a weekday may start anywhere.
  const earliest = Temporal.PlainDate.from(schedule.starts_on ?? today.subtract({ weeks: WEEKS_BACK }).toString())
  const [first] = firstDays(schedule, earliest)
  if (!first) return undefined
  const last = lastDay(schedule, locale)
  if (last && (Temporal.PlainDate.compare(last, first) < 0 || Temporal.PlainDate.compare(last, today) < 0))
    return undefined
  const start = first.toPlainDateTime(schedule.time)
  const end = endOf(start, schedule)
  const days = last ? daysOf(schedule, earliest, last) : undefined
  if (days?.length === 0) return undefined
  const rule = [`RRULE:${ruleOf(schedule, days?.at(-1), zone)}`, ...exceptions(schedule, locale, zone)].join('\n')
  return { start, end, rule }
}

function firstDays(schedule: ServiceSchedule, from: Temporal.PlainDate): Temporal.PlainDate[] {
  for (const years of [1, 12]) {
    const days = daysOf(schedule, from, from.add({ years }))
    if (days.length > 0) return days
  }
  return []
}

/** The last day with a service: of the schedule, or before the locale closed indefinitely. */
function lastDay({ ends_on }: ServiceSchedule, { closed_since, closed_until }: Locale): Temporal.PlainDate | undefined {
  const closing =
    closed_since && !closed_until ? Temporal.PlainDate.from(closed_since).subtract({ days: 1 }).toString() : null
  const days = [ends_on, closing].filter((day) => day !== null).sort()
  return days[0] ? Temporal.PlainDate.from(days[0]) : undefined
}

/** RFC 5545 allows either a count or an end date; where both exist, the end date suffices. */
function ruleOf(schedule: ServiceSchedule, last: Temporal.PlainDate | undefined, zone: string | null): string {
  const rule = schedule.recurrence ?? `FREQ=WEEKLY;BYDAY=${DAY_CODES[schedule.day_of_week ?? 0]}`
  if (!last) return rule
  const wall = last.toPlainDateTime(schedule.time)
  const until = zone ? `${stampOf(wall.toZonedDateTime(zone).withTimeZone('UTC').toPlainDateTime())}Z` : stampOf(wall)
  return `${rule.replace(/;COUNT=\d+/, '')};UNTIL=${until}`
}

/** The cancelled services of a closed locale. */
function exceptions(schedule: ServiceSchedule, locale: Locale, zone: string | null): string[] {
  const { closed_since, closed_until } = locale
  if (!closed_until) return []
  const to = Temporal.PlainDate.from(closed_until)
  const bound = to.subtract({ days: CLOSED_DAYS_NAMED })
  const since = closed_since && closed_since > bound.toString() ? Temporal.PlainDate.from(closed_since) : bound
  const days = daysOf(schedule, since, to).filter((day) => isClosed(locale, day.toString()))
  const tag = zone ? `EXDATE;TZID=${zone}:` : 'EXDATE:'
  return days.map((day) => `${tag}${stampOf(day.toPlainDateTime(schedule.time))}`)
}

function endOf(start: Temporal.PlainDateTime, { time, end_time }: ServiceSchedule): Temporal.PlainDateTime {
  if (end_time === null) return start.add({ hours: HOURS_WITHOUT_END })
  return start
    .toPlainDate()
    .add({ days: end_time <= time ? 1 : 0 })
    .toPlainDateTime(end_time)
}

function placeOf({ name, address_line1, address_line2, postal_code, city, country, latitude, longitude }: Locale) {
  const address = [address_line1, address_line2, [postal_code, city].filter(Boolean).join(' '), country]
    .filter(Boolean)
    .join(', ')
  const geo = latitude !== null && longitude !== null ? { geo: { lat: latitude, lon: longitude } } : {}
  return address_line1 ? { location: { title: name, address, ...geo } } : {}
}
