import type { Locale } from '#shared/churches/endpoints.ts'
import { DAYS, type ServiceSchedule } from '#shared/churches/schedule.ts'
import { HOURS_WITHOUT_END, isClosed } from './services.ts'

interface Deps {
  publicUrl: string
  /** The day for which the feed is made. */
  today: string
  titleOf: (schedule: ServiceSchedule) => string
}

/** One meeting of the Meeting Guide specification (code4recovery/spec), which supports weekly meetings only. */
export interface Meeting {
  name: string
  slug: string
  day?: number
  time?: string
  end_time?: string
  timezone?: string
  types: string[]
  location?: string
  group: string
  notes?: string
  address?: string
  formatted_address?: string
  city?: string
  state?: string
  postal_code?: string
  country?: string
  latitude?: number
  longitude?: number
  approximate: 'yes' | 'no'
  conference_url?: string
  updated?: string
  url: string
  feedback_url: string
}

/** The weekly services of a locale; without any, one entry for the locale without a time. */
export function meetingsOf(locale: Locale, deps: Deps): Meeting[] {
  const weekly = locale.service_schedules.flatMap((schedule) => {
    const { day_of_week: day, starts_on, ends_on } = schedule
    const isCurrent = (!starts_on || starts_on <= deps.today) && (!ends_on || ends_on >= deps.today)
    return day !== null && isCurrent ? [{ day, schedule }] : []
  })
  if (weekly.length === 0) return [withoutEmpty({ ...placeOf(locale, deps), name: locale.name, slug: locale.id })]
  return weekly.map(({ day, schedule }) => {
    const online = schedule.online_url ?? (schedule.is_online ? locale.online_url : null)
    const place = placeOf(locale, deps)
    return withoutEmpty({
      ...place,
      name: (schedule.title ?? deps.titleOf(schedule)).slice(0, 255),
      slug: schedule.id,
      day,
      time: schedule.time,
      // Readers assume one hour if none is set.
      end_time: schedule.end_time ?? hoursLater(schedule.time),
      types: [...place.types, ...(schedule.is_online ? ['ONL'] : [])],
      notes: schedule.note,
      conference_url: online,
    })
  })
}

function placeOf(locale: Locale, { publicUrl, today }: Deps) {
  const page = `${publicUrl}/church-locator/${locale.id}`
  const { address_line1, address_line2, city, state_province, postal_code, country } = locale
  const formatted = [
    address_line1,
    address_line2,
    city,
    [state_province, postal_code].filter(Boolean).join(' '),
    country,
  ]
  return {
    group: locale.name,
    location: locale.name,
    address: address_line1,
    formatted_address: formatted.filter(Boolean).join(', '),
    city,
    state: state_province,
    postal_code,
    country: locale.country_code,
    latitude: locale.latitude,
    longitude: locale.longitude,
    approximate: locale.discreet_mode === 'exact' && address_line1 ? ('no' as const) : ('yes' as const),
    timezone: locale.timezone,
    types: isClosed(locale, today) ? ['TC'] : [],
    updated: locale.confirmed_at?.slice(0, 19).replace('T', ' ') ?? null,
    url: page,
    feedback_url: `${page}/correct`,
  }
}

/** Without unknown fields: the specification has no null. */
function withoutEmpty(fields: { [K in keyof Meeting]: Meeting[K] | null }): Meeting {
  const filled = { ...fields }
  for (const name of Object.keys(filled) as (keyof Meeting)[])
    if (filled[name] === null || filled[name] === '') delete (filled as Partial<Meeting>)[name]
  return filled as Meeting
}

function hoursLater(time: string): string {
  const [hours, minutes] = time.split(':')
  return `${String((Number(hours) + HOURS_WITHOUT_END) % 24).padStart(2, '0')}:${minutes}`
}

/** A locale as a schema.org object. */
export function churchOf(locale: Locale, { publicUrl, titleOf }: Omit<Deps, 'today'>): object {
  const page = `${publicUrl}/church-locator/${locale.id}`
  return withoutNulls({
    '@type': 'Church',
    '@id': page,
    url: page,
    name: locale.name,
    alternateName: [locale.common_name, locale.local_name].filter((name) => name !== null),
    address: withoutNulls({
      '@type': 'PostalAddress',
      streetAddress: [locale.address_line1, locale.address_line2].filter(Boolean).join(', ') || null,
      addressLocality: locale.city,
      addressRegion: locale.state_province,
      postalCode: locale.postal_code,
      addressCountry: locale.country_code,
    }),
    geo:
      locale.latitude === null || locale.longitude === null
        ? null
        : { '@type': 'GeoCoordinates', latitude: locale.latitude, longitude: locale.longitude },
    telephone: locale.phone,
    email: locale.email,
    sameAs: locale.website,
    knowsLanguage: locale.languages,
    dateModified: locale.confirmed_at,
    event: locale.service_schedules.map((schedule) => eventOf(schedule, locale, titleOf(schedule))),
  })
}

function eventOf(schedule: ServiceSchedule, { timezone }: Locale, title: string): object {
  return withoutNulls({
    '@type': 'Event',
    name: schedule.title ?? title,
    inLanguage: schedule.language,
    eventAttendanceMode: `https://schema.org/${schedule.is_online ? 'MixedEventAttendanceMode' : 'OfflineEventAttendanceMode'}`,
    eventSchedule: withoutNulls({
      '@type': 'Schedule',
      ...(schedule.day_of_week === null
        ? { description: `RRULE:${schedule.recurrence}` }
        : { repeatFrequency: 'P1W', byDay: `https://schema.org/${DAYS[schedule.day_of_week]}` }),
      startDate: schedule.starts_on,
      endDate: schedule.ends_on,
      startTime: schedule.time,
      endTime: schedule.end_time,
      scheduleTimezone: timezone,
    }),
  })
}

const withoutNulls = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  )
