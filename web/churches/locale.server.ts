import { getLocale, type Locale } from '#shared/churches/endpoints.ts'
import { endsNextDay, type ServiceMoment, type ServiceSchedule } from '#shared/churches/schedule.ts'
import type { Language } from '#shared/language.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { clockText, formatDay, namesInLine } from '#web/lib/format.ts'
import { translator } from '#web/lib/i18n.tsx'
import type { CallEndpoint } from '#web/lib/visitor.ts'
import { longDay, zonePlace } from './days.ts'
import { servicesOf } from './locator.server.ts'
import { describeRecurrence } from './recurrence.server.ts'
import { addressLine, closedText, directionsTo, isUnsure, nameOf, nextOf, serviceName } from './row.server.ts'
import { structuredData } from './structured.server.ts'
import { languagesText, languageText, roleText } from './texts.server.ts'

const SHOWN_SERVICES = 6

interface Reader {
  language: Language
  now: Date
  callFirstAfterDays: number
  publicUrl: string
}

/** Data of the page of one locale in the user's language; undefined if it does not exist or is not public. */
export async function localePage(api: CallEndpoint, id: string, reader: Reader) {
  const { locale } = await api(getLocale, { params: { id } })
  if (!locale) return undefined
  const { language } = reader
  const translate = translator(language, 'localePhrases')
  const moments = (await servicesOf(api, [locale]))[id] ?? []
  const name = nameOf(locale, language)
  const country = locale.country_code ? nameIn(language)(locale.country_code, locale.country) : null
  return {
    id,
    mode: locale.discreet_mode,
    name,
    title: name,
    description: translator(language, 'church')('description', { name }),
    localName: locale.local_name,
    commonName: locale.common_name === locale.name ? null : locale.common_name,
    place: namesInLine(language, [...new Set([locale.city, locale.state_province, country])]),
    country: country && locale.country_code ? { code: locale.country_code, name: country } : null,
    address: locale.address_line1 || locale.address_line2 ? addressLine(locale) : '',
    localAddress: locale.local_address,
    hasBuilding: locale.has_physical_locale,
    point: pointOf(locale),
    directions: directionsTo(locale),
    phone: locale.phone,
    email: locale.email,
    website: locale.website,
    online: locale.online_url,
    servants: locale.servants.map(({ role, ...same }) => ({ ...same, role: roleText(translate, role) })),
    languages: languagesText(language, locale.languages),
    chapter: locale.chapter_name,
    closed: closedText(locale, translate, reader),
    confirmed: confirmation(locale, reader),
    photos: locale.photos,
    zone: locale.timezone && { name: locale.timezone, place: locale.city ?? zonePlace(locale.timezone) },
    next: nextOf(locale, moments, translate),
    moments: momentsOf(locale, moments, language),
    week: weekOf(locale, language),
    structured: structuredData(locale, reader.publicUrl),
  }
}

export type LocalePageData = NonNullable<Awaited<ReturnType<typeof localePage>>>

const pointOf = ({ discreet_mode, latitude, longitude }: Locale) =>
  discreet_mode !== 'exact' || latitude === null || longitude === null ? null : { lat: latitude, lng: longitude }

function confirmation(locale: Locale, reader: Reader) {
  const { confirmed_at, confirmed_as, discreet_mode } = locale
  if (discreet_mode !== 'exact') return null
  const t = translator(reader.language, 'church')
  if (confirmed_at === null) return { text: t('never_confirmed'), isUnsure: true }
  const day = formatDay(reader.language, confirmed_at)
  if (isUnsure(locale, reader)) return { text: t('not_confirmed_since', { day }), isUnsure: true }
  const by = (['local_servant', 'mfa_coordinator', 'admin', 'contact'] as const).find((each) => each === confirmed_as)
  return { text: t(`confirmed_${by ?? 'contact'}`, { day }), isUnsure: false }
}

/** The next services, each in local time. */
function momentsOf(locale: Locale, moments: readonly ServiceMoment[], language: Language) {
  const translate = translator(language, 'localePhrases')
  return moments.slice(0, SHOWN_SERVICES).flatMap((moment) => {
    const next = nextOf(locale, [moment], translate)
    return next ? [next] : []
  })
}

export interface ServiceLine {
  id: string
  time: string
  until: string | null
  /** It ends after midnight. */
  isNextDay: boolean
  service: string
  /** Recurrence text, if no weekday applies. */
  rule: string
  language: string
  isOnline: boolean
  onlineUrl: string | null
  note: string | null
}

/** Services by weekday, Sunday first; those of other rules last. */
function weekOf({ service_schedules }: Locale, language: Language) {
  const byDay = Map.groupBy(service_schedules, (schedule) =>
    schedule.recurrence === null ? schedule.day_of_week : null,
  )
  const days = [...byDay].sort(([a], [b]) => (a ?? 7) - (b ?? 7))
  return days.map(([day, services]) => ({
    day: day === null ? null : longDay(language, day),
    services: services
      .toSorted((a, b) => (a.time < b.time ? -1 : 1))
      .map((schedule) => lineOf(schedule, language, day === null)),
  }))
}

function lineOf(schedule: ServiceSchedule, language: Language, isByRule: boolean): ServiceLine {
  const translate = translator(language, 'localePhrases')
  return {
    id: schedule.id,
    time: clockText(language, schedule.time),
    until: schedule.end_time && clockText(language, schedule.end_time),
    isNextDay: schedule.end_time !== null && endsNextDay(schedule.time, schedule.end_time),
    service: serviceName(translate, schedule),
    rule: isByRule ? (describeRecurrence(translate, language, schedule) ?? '') : lastDay(schedule, language),
    language: schedule.language ? languageText(language, schedule.language) : '',
    isOnline: schedule.is_online,
    onlineUrl: schedule.online_url,
    note: schedule.note,
  }
}

function lastDay({ ends_on }: ServiceSchedule, language: Language): string {
  if (!ends_on) return ''
  return translator(language, 'localePhrases')('rule_until', { day: formatDay(language, ends_on) }).replace(
    /^[,،]\s*/,
    '',
  )
}
