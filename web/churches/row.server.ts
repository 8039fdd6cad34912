import type { FoundLocale, Locale } from '#shared/churches/endpoints.ts'
import type { ServiceMoment, ServiceSchedule } from '#shared/churches/schedule.ts'
import type { Language } from '#shared/language.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { clockText, formatDay } from '#web/lib/format.ts'
import { type Translate, translator } from '#web/lib/i18n.tsx'
import { momentIn, shortDay, zonePlace } from './days.ts'
import { describeRecurrence } from './recurrence.server.ts'
import { distanceText, languagesText, roleText } from './texts.server.ts'

/** A locale in the list, in the user's language; kept small: it is sent as markup and again as data. */
export interface Row {
  id: string
  mode: Locale['discreet_mode']
  name: string
  /** Empty without a search location. */
  distance: string
  point: [latitude: number, longitude: number] | null
  next: Next | null
  address: string
  weekly: string
  servants: { name: string | null; role: string; contact: string | null }[]
  phone: string | null
  email: string | null
  languages: string
  /** Why there are no services at present. */
  closed: string
  isUnsure: boolean
  directions: string | null
  online: string | null
  website: string | null
}

/** A service at a given instant; the place determines the time zone. */
export interface Next {
  service: string
  starts_at: string
  in_progress: boolean
  zone: string
  place: string
}

interface Reader {
  language: Language
  now: Date
  /** Days for which a confirmation is valid. */
  callFirstAfterDays: number
}

export function rowOf(locale: FoundLocale, services: readonly ServiceMoment[], reader: Reader): Row {
  const t = translator(reader.language, 'localePhrases')
  const { discreet_mode: mode, latitude, longitude } = locale
  return {
    id: locale.id,
    mode,
    name: nameOf(locale, reader.language),
    distance: distanceText(t, locale.distance_km, mode !== 'exact'),
    point: latitude === null || longitude === null ? null : [latitude, longitude],
    next: nextOf(locale, services, t),
    address: addressLine(locale),
    weekly: locale.service_schedules.map((schedule) => shortTime(schedule, t, reader.language)).join(' · '),
    servants: locale.servants.map(({ name, role, contact }) => ({ name, role: roleText(t, role), contact })),
    phone: locale.phone,
    email: locale.email,
    languages: languagesText(reader.language, locale.languages),
    closed: closedText(locale, t, reader),
    isUnsure: mode === 'exact' && isUnsure(locale, reader),
    directions: directionsTo(locale),
    online: locale.online_url,
    website: locale.website,
  }
}

/** A group without an address is named after its place, in the user's language; a church keeps its own name. */
export function nameOf(locale: Locale, language: Language): string {
  if (locale.discreet_mode === 'exact') return locale.name
  const country = locale.country_code && nameIn(language)(locale.country_code, locale.country)
  const place = locale.city ?? locale.state_province ?? country
  const t = translator(language, 'localePhrases')
  return place ? t('group_in', { place }) : t('group')
}

export function serviceName(t: Translate<'localePhrases'>, { title, service_type }: ServiceSchedule): string {
  return title ?? t(`service_${service_type}`)
}

export function nextOf(locale: Locale, services: readonly ServiceMoment[], t: Translate<'localePhrases'>): Next | null {
  const [first] = services
  const schedule = locale.service_schedules.find(({ id }) => id === first?.schedule_id)
  if (!first || !schedule || !locale.timezone) return null
  return {
    service: serviceName(t, schedule),
    starts_at: first.starts_at,
    in_progress: first.in_progress,
    zone: locale.timezone,
    place: locale.city ?? zonePlace(locale.timezone),
  }
}

function shortTime(schedule: ServiceSchedule, t: Translate<'localePhrases'>, language: Language): string {
  const day =
    schedule.recurrence === null && schedule.day_of_week !== null
      ? shortDay(language, schedule.day_of_week)
      : (describeRecurrence(t, language, schedule) ?? t('rule_other'))
  return `${day} ${clockText(language, schedule.time)} ${serviceName(t, schedule)}`
}

export function addressLine({ address_line1, address_line2, city, state_province, postal_code }: Locale): string {
  const town = [postal_code, city].filter(Boolean).join(' ')
  // Address line 1 often contains the city already.
  const isNamed = city && address_line1?.toLowerCase().includes(city.toLowerCase())
  return [address_line1, address_line2, isNamed ? postal_code : town, state_province === city ? null : state_province]
    .filter(Boolean)
    .join(', ')
}

/** By the local date of the church. */
export function closedText(locale: Locale, t: Translate<'localePhrases'>, { language, now }: Reader): string {
  const { closed_since, closed_until, closed_reason } = locale
  if (!closed_since && !closed_until) return ''
  const today = momentIn(locale.timezone ?? 'UTC', now.valueOf()).date
  if (closed_until && closed_until < today) return ''
  const reason = closed_reason ? t('closed_reason', { reason: closed_reason }) : ''
  if (closed_since && closed_since > today) {
    const since = formatDay(language, closed_since)
    const until = closed_until && formatDay(language, closed_until)
    return (until ? t('closes_between', { since, until }) : t('closes_from', { since })) + reason
  }
  return (closed_until ? t('closed_until', { until: formatDay(language, closed_until) }) : t('closed')) + reason
}

export function isUnsure({ confirmed_at }: Locale, { now, callFirstAfterDays }: Reader): boolean {
  return confirmed_at === null || now.valueOf() - Date.parse(confirmed_at) > callFirstAfterDays * 86_400_000
}

/** Directions on a map service that needs no key (D-21). */
export function directionsTo(locale: Locale): string | null {
  if (locale.discreet_mode !== 'exact') return null
  const { latitude, longitude } = locale
  if (latitude !== null && longitude !== null)
    return `https://www.openstreetmap.org/directions?route=${encodeURIComponent(`;${latitude},${longitude}`)}`
  const address = [addressLine(locale), locale.country].filter(Boolean).join(', ')
  return locale.address_line1 ? `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}` : null
}
