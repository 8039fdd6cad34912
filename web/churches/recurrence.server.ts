import type { ServiceSchedule } from '#shared/churches/schedule.ts'
import type { Language } from '#shared/language.ts'
import { formatDay } from '#web/lib/format.ts'
import type { Translate } from '#web/lib/i18n.tsx'
import { anyDay, longDay } from './days.ts'

type T = Translate<'localePhrases'>
type Times = Pick<ServiceSchedule, 'day_of_week' | 'recurrence' | 'starts_on' | 'ends_on'>

const DAY_CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/**
 * Describes the recurrence rules that congregations use: every n weeks, a weekday or a day of the month, once a year.
 * Null for any other rule, which is better shown by its next dates.
 */
export function describeRecurrence(t: T, language: Language, { day_of_week, recurrence, ends_on }: Times) {
  const until = ends_on ? t('rule_until', { day: formatDay(language, ends_on) }) : ''
  const rule = recurrence === null ? null : rulesOf(recurrence)
  const text =
    rule === null
      ? day_of_week === null
        ? null
        : t('rule_weekly', { days: anyDay(language, day_of_week) })
      : ruleText(t, language, rule)
  return text === null ? null : text + until
}

function ruleText(t: T, language: Language, rule: Map<string, string>): string | null {
  const interval = Number(rule.get('INTERVAL') ?? 1)
  const days = daysOf(rule.get('BYDAY'))
  const known = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'WKST', 'UNTIL', 'COUNT'])
  if (days === null || [...rule.keys()].some((part) => !known.has(part))) return null
  const names = (nameOf: typeof anyDay) =>
    listed(
      language,
      days.map(({ day }) => nameOf(language, day)),
    )
  const isPlain = days.every(({ nth }) => nth === 0)
  switch (rule.get('FREQ')) {
    case 'DAILY':
      return interval === 1 && days.length === 0 ? t('rule_daily') : null
    case 'WEEKLY':
      if (days.length === 0 || !isPlain) return null
      return interval === 1
        ? t('rule_weekly', { days: names(anyDay) })
        : t('rule_weeks', { count: interval, days: names(longDay) })
    case 'MONTHLY':
      return interval === 1 ? inMonth(t, language, days, rule.get('BYMONTHDAY')) : null
    case 'YEARLY':
      return interval === 1 && rule.size === 1 ? t('rule_yearly') : null
    default:
      return null
  }
}

function inMonth(t: T, language: Language, days: Day[], monthDay: string | undefined): string | null {
  if (monthDay !== undefined) {
    if (monthDay === '-1') return t('rule_last_day')
    return days.length === 0 && /^\d{1,2}$/.test(monthDay) ? t('rule_month_day', { day: monthDay }) : null
  }
  if (days.length === 0 || days.some(({ nth }) => nth === 0 || nth < -1 || nth > 5)) return null
  const texts = days.map(({ nth, day }) =>
    t(`rule_nth_${nth as -1 | 1 | 2 | 3 | 4 | 5}`, { day: anyDay(language, day) }),
  )
  return t('rule_monthly', { days: listed(language, texts) })
}

interface Day {
  day: number
  /** The first, second … or last (-1) of the month; 0 for every one. */
  nth: number
}

/** Null if any part is not a weekday. */
function daysOf(text: string | undefined): Day[] | null {
  const days = (text ?? '')
    .split(',')
    .filter(Boolean)
    .map((part) => /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(part))
    .map((match) => match && { nth: Number(match[1] ?? 0), day: DAY_CODES.indexOf(match[2] ?? '') })
  return days.every((day) => day !== null && day.day >= 0) ? (days as Day[]) : null
}

const rulesOf = (recurrence: string) =>
  new Map(
    recurrence
      .replace(/^RRULE:/i, '')
      .toUpperCase()
      .split(';')
      .filter(Boolean)
      .map((part) => part.split('=') as [string, string]),
  )

const listed = (language: Language, items: string[]) =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(items)
