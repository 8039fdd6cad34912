import { isClosed, momentsOf } from '#server/churches/services.ts'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import type { ServiceMoment, ServiceSchedule } from '#shared/churches/schedule.ts'
import type { Speech } from '../composing/speech.ts'

interface ChurchTextContext {
  speech: Speech
  now: Date
  /** Days after which the service times of a church count as unconfirmed. */
  callFirstAfter: number
}

const DAY_MS = 86_400_000
const DAYS_AHEAD = 14

/** A church on one line: name and place, notes for visitors, and its next service. */
export function churchText(locale: FoundLocale, { speech, now, callFirstAfter }: ChurchTextContext): string {
  const next = momentsOf({ ...locale, schedules: locale.service_schedules }, now, daysAfter(now, DAYS_AHEAD))[0]
  return [
    nameAndPlace(locale, speech),
    locale.distance_km === null
      ? null
      : speech.say('church_distance', { distance: speech.distance(locale.distance_km) }),
    locale.discreet_mode === 'exact' ? null : speech.say('church_area_only'),
    closedText(locale, speech, now),
    isUnsure(locale, now, callFirstAfter) ? speech.say('church_call_first') : null,
    next ? momentText(next, locale, speech) : null,
  ]
    .filter((text) => text !== null)
    .join(' · ')
}

/** The name in bold and the address, as far as published. */
export function nameAndPlace(locale: FoundLocale, speech: Speech): string {
  const { name, address_line1, address_line2, city, state_province, country, country_code } = locale
  const lines = [
    address_line1,
    address_line2,
    city,
    state_province,
    country_code ? speech.country(country_code) : country,
  ]
  return speech.say('church_item', { name, address: [...new Set(lines.filter(Boolean))].join(', ') })
}

function closedText(locale: FoundLocale, speech: Speech, now: Date): string | null {
  if (!isClosed(locale, now.toISOString().slice(0, 10))) return null
  return locale.closed_until
    ? speech.say('church_closed_until', { date: speech.date(locale.closed_until) })
    : speech.say('church_closed')
}

const isUnsure = ({ confirmed_at, discreet_mode }: FoundLocale, now: Date, days: number) =>
  discreet_mode === 'exact' && (confirmed_at === null || now.valueOf() - Date.parse(confirmed_at) > days * DAY_MS)

/** Weekly services in local time; for the next one, its date. */
export function serviceTexts(services: readonly ServiceSchedule[], locale: FoundLocale, speech: Speech, now: Date) {
  const moments = momentsOf({ ...locale, schedules: services }, now, daysAfter(now, 60))
  return services.map((service) => {
    const moment = moments.find(({ schedule_id }) => schedule_id === service.id)
    const isNext = moment !== undefined && moment === moments[0]
    return [
      serviceText(service, locale, speech, now, moment),
      service.is_online ? speech.say('service_online') : null,
      isNext ? momentText(moment, locale, speech) : null,
    ]
      .filter((text) => text !== null)
      .join(' · ')
  })
}

function serviceText(
  { title, service_type, day_of_week, time }: ServiceSchedule,
  locale: FoundLocale,
  speech: Speech,
  now: Date,
  moment: ServiceMoment | undefined,
): string {
  const day = day_of_week === null ? moment && speech.date(localDay(moment, locale)) : speech.weekday(day_of_week)
  return speech.say('service_item', {
    service: title ?? speech.plain(`service_${service_type}`),
    day: day ?? '',
    time: speech.time(time),
    zone: locale.timezone ? speech.zone(locale.timezone, now) : (locale.city ?? locale.name),
  })
}

/** Date and time of the next service, in local time. */
function momentText(moment: ServiceMoment, locale: FoundLocale, speech: Speech): string {
  if (moment.in_progress) return speech.say('service_in_progress')
  return speech.say('service_next', {
    day: speech.wholeDate(localDay(moment, locale)),
    time: speech.time(clockTime(moment, locale)),
  })
}

/** Local time of a church at an instant, as "2026-03-01 10:00". */
const wall = ({ starts_at }: ServiceMoment, { timezone }: FoundLocale) =>
  new Date(starts_at).toLocaleString('sv-SE', { timeZone: timezone ?? 'UTC', dateStyle: 'short', timeStyle: 'short' })

const localDay = (moment: ServiceMoment, locale: FoundLocale) => wall(moment, locale).slice(0, 10)
const clockTime = (moment: ServiceMoment, locale: FoundLocale) => wall(moment, locale).slice(11)
const daysAfter = (now: Date, days: number) => new Date(now.valueOf() + days * DAY_MS)
