import { FORMAT_TAGS, type Language } from '#shared/language.ts'

/* Dates are formatted from plain numbers: month names differ between the server and old phones ("Sep", "Sept"), which
 * would cause hydration mismatches. Digits are 0-9 in both languages. */
const MONTHS: Record<Language, readonly string[]> = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  ar: ['يناير', 'فبراير', 'مارس', 'أبريل', 'مايو', 'يونيو', 'يوليو', 'أغسطس', 'سبتمبر', 'أكتوبر', 'نوفمبر', 'ديسمبر'],
  tl: ['Ene', 'Peb', 'Mar', 'Abr', 'May', 'Hun', 'Hul', 'Ago', 'Set', 'Okt', 'Nob', 'Dis'],
}

const COMMA: Record<Language, string> = { en: ',', ar: '،', tl: ',' }

/** A source without times of day gives a date, stored as midnight UTC: it must not shift with the zone. */
export type Precision = 'day' | 'minute'

/** '21 Nov 2026'; in Tagalog 'Nob 21, 2026'. */
export function formatDay(language: Language, instant: string | number, zone = 'UTC'): string {
  const { day, month, year } = dateFieldsIn(zone, instant)
  const name = MONTHS[language][month - 1]
  return language === 'tl' ? `${name} ${day}, ${year}` : `${day} ${name} ${year}`
}

/** '21 Nov', for recent dates. */
export function formatShortDay(language: Language, instant: string | number, zone = 'UTC'): string {
  const { day, month } = dateFieldsIn(zone, instant)
  const name = MONTHS[language][month - 1]
  return language === 'tl' ? `${name} ${day}` : `${day} ${name}`
}

/** '16:28'; in Tagalog '4:28 PM'. */
export function formatClock(language: Language, instant: string | number, zone: string): string {
  const { hour, minute } = dateFieldsIn(zone, instant)
  return clockText(language, `${pad(hour)}:${pad(minute)}`)
}

/** A time of day, from '16:28'. */
export function clockText(language: Language, clock: string): string {
  if (language !== 'tl') return clock
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return `${hour % 12 || 12}:${pad(minute)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** '21 Nov 2026, 16:28 UTC': a time always needs its zone. */
export function formatMoment(language: Language, instant: string | number, zone: string): string {
  return `${formatDay(language, instant, zone)}${COMMA[language]} ${formatClock(language, instant, zone)} ${zoneName(zone)}`
}

/** '21 Nov, 16:28 UTC', with the year only if it differs from `thisYear`: for narrow columns. */
export function formatRecent(language: Language, instant: string | number, zone: string, thisYear: number): string {
  if (dateFieldsIn(zone, instant).year !== thisYear) return formatMoment(language, instant, zone)
  return `${formatShortDay(language, instant, zone)}${COMMA[language]} ${formatClock(language, instant, zone)} ${zoneName(zone)}`
}

/** 'UTC', or the city of the zone: '(Manila)'. */
export function zoneName(zone: string): string {
  return isUtc(zone) ? 'UTC' : `(${zone.replace(/^.*\//, '').replaceAll('_', ' ')})`
}

/** '12 minutes ago', 'yesterday'. Only in the browser: a cached page does not know its age. */
export function formatRelative(language: Language, instant: string | number, now: number): string {
  const seconds = Math.round((new Date(instant).getTime() - now) / 1000)
  const [amount, unit] = inUnits(seconds)
  return relativeIn(language).format(amount, unit)
}

/** '1,234'; in Arabic the separators differ, the digits do not. */
export const formatNumber = (language: Language, value: number): string => numbersIn(language).format(value)

/** For concatenated text: isolates a name of the other direction from its neighbours (as `bdi` does). */
export const isolated = (text: string) => `\u2068${text}\u2069`

/** 'Kyoto, Japan': names of either direction on one line. */
export const namesInLine = (language: Language, names: readonly (string | null)[]): string =>
  names.flatMap((name) => (name ? [isolated(name)] : [])).join(`${COMMA[language]} `)

function inUnits(seconds: number): [number, Intl.RelativeTimeFormatUnit] {
  const minutes = Math.trunc(seconds / 60)
  // Clocks differ by some seconds; avoid 'in 3 seconds' for a past event.
  if (minutes === 0) return [0, 'second']
  if (Math.abs(minutes) < 60) return [minutes, 'minute']
  const hours = Math.trunc(minutes / 60)
  return Math.abs(hours) < 24 ? [hours, 'hour'] : [Math.trunc(hours / 24), 'day']
}

interface DateFields {
  year: number
  month: number
  day: number
  hour: number
  minute: number
}

function dateFieldsIn(zone: string, instant: string | number): DateFields {
  const date = new Date(instant)
  if (isUtc(zone)) return utcDateFields(date)
  const parts = clockIn(zone).formatToParts(date)
  const field = (name: keyof DateFields) => Number(parts.find(({ type }) => type === name)?.value)
  return { year: field('year'), month: field('month'), day: field('day'), hour: field('hour'), minute: field('minute') }
}

function utcDateFields(date: Date): DateFields {
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  }
}

const isUtc = (zone: string) => /^(Etc\/)?(UTC|GMT|UCT|Zulu)$/.test(zone)
const pad = (value: number) => String(value).padStart(2, '0')

const clockIn = remembered(
  (zone: string) =>
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    }),
)
const relativeIn = remembered(
  (language: Language) => new Intl.RelativeTimeFormat(FORMAT_TAGS[language], { numeric: 'auto' }),
)
const numbersIn = remembered((language: Language) => new Intl.NumberFormat(FORMAT_TAGS[language]))

/** Memoises: creating a formatter is far slower than using it. */
function remembered<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>()
  return (key) => {
    let value = made.get(key)
    if (value === undefined) {
      value = make(key)
      made.set(key, value)
    }
    return value
  }
}
