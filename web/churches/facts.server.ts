import type { Locale } from '#shared/churches/endpoints.ts'
import type { ServiceSchedule } from '#shared/churches/schedule.ts'
import type { Language } from '#shared/language.ts'
import { formatDay } from '#web/lib/format.ts'
import { type Key, translator } from '#web/lib/i18n.tsx'
import { describeRecurrence } from './recurrence.server.ts'

export interface ChurchFact {
  label: Key<'churchForms'>
  lines: string[]
}

/** A Sunday, the base for the names of the weekdays. */
const SUNDAY = Date.UTC(2026, 10, 22)
const DAY_MS = 86_400_000

/** All public data of a church, line by line, for a reader who knows the church. */
export function factsOf(locale: Locale, language: Language): ChurchFact[] {
  const translate = translator(language, 'churchForms')
  const { address_line1, address_line2, postal_code, city, state_province, country, closed_since, closed_until } =
    locale
  const lines = (...texts: (string | null)[]) => texts.filter((line): line is string => Boolean(line))
  const facts: ChurchFact[] = [
    { label: 'fact_name', lines: lines(locale.name, locale.common_name, locale.local_name) },
    {
      label: locale.discreet_mode === 'exact' ? 'fact_address' : 'fact_place',
      lines: lines(address_line1, address_line2, lines(postal_code, city, state_province).join(' '), country),
    },
  ]
  if (locale.discreet_mode !== 'exact') return facts
  if (locale.local_address) facts.push({ label: 'fact_local_address', lines: [locale.local_address] })
  facts.push({
    label: 'fact_services',
    lines: locale.service_schedules.map((schedule) => serviceLine(schedule, language)),
  })
  facts.push({ label: 'fact_phone', lines: lines(locale.phone) }, { label: 'fact_email', lines: lines(locale.email) })
  facts.push({ label: 'fact_website', lines: lines(locale.website) })
  if (closed_since) {
    const [from = '', to = ''] = [closed_since, closed_until].map((day) => (day ? formatDay(language, day) : ''))
    const when = closed_until ? translate('closed_from_to', { from, to }) : translate('closed_from', { from })
    facts.push({ label: 'fact_closed', lines: lines(when, locale.closed_reason) })
  }
  const contacts = locale.servants.flatMap(({ name, contact }) => lines([name, contact].filter(Boolean).join(' · ')))
  if (contacts.length > 0) facts.push({ label: 'fact_contacts', lines: contacts })
  return facts
}

/** 'Sunday 10:00–12:00 · Worship service'. */
function serviceLine(schedule: ServiceSchedule, language: Language): string {
  const translate = translator(language, 'churchForms')
  const day =
    schedule.day_of_week === null
      ? (describeRecurrence(translator(language, 'localePhrases'), language, schedule) ??
        translate('by_rule', {
          rule: schedule.recurrence ?? '',
          from: schedule.starts_on ? formatDay(language, schedule.starts_on) : '',
        }))
      : new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(
          SUNDAY + schedule.day_of_week * DAY_MS,
        )
  const time = schedule.end_time ? `${schedule.time}–${schedule.end_time}` : schedule.time
  return `${day} ${time} · ${schedule.title ?? translate(`service_${schedule.service_type}`)}`
}
