import { LanguageTag } from '#shared/churches/language-tag.ts'
import { endsTooLate, SERVICE_TYPES, type ServiceType } from '#shared/churches/schedule.ts'
import { fold } from '#shared/countries/fold.ts'
import { checkRecurrence, tidyRecurrence } from '../recurrence.ts'

/** A service from a file; times as HH:MM. */
export interface ImportedService {
  day_of_week: number | null
  recurrence: string | null
  starts_on: string | null
  ends_on: string | null
  start_time: string
  end_time: string | null
  service_type: ServiceType
  title: string | null
  language: string | null
  is_online: boolean
  online_url: string | null
  note: string | null
}

/** Services per cell; beyond this it is not a list of services. */
const MAX_SERVICES = 40
const LONGEST_TITLE = 120

/**
 * Parses the services of one cell: 'Sun 09:00-11:00 worship_service (en); Wed, Fri 19:00', as in spreadsheets, and 'Su
 * 10:00,18:00; Mo-Fr 08:00', as in OpenStreetMap's `service_times`. Day names are recognised in twelve languages.
 * Undefined when a part is not understood: visitors would miss the services of an incomplete list.
 */
export function readServices(text: string): ImportedService[] | undefined {
  const services: ImportedService[] = []
  for (const entry of splitEntries(text)) {
    const read = readEntry(entry)
    if (!read) return undefined
    services.push(...read)
  }
  return services.length > 0 && services.length <= MAX_SERVICES ? services : undefined
}

/** Serialises services so that readServices returns the same ones. */
export function writeServices(services: readonly ImportedService[]): string {
  return services.map(writeService).join(' | ')
}

function writeService(service: ImportedService): string {
  const { recurrence, starts_on, ends_on, note } = service
  const when = recurrence === null ? DAYS[service.day_of_week ?? 0] : `[${recurrence}]`
  return [
    when,
    service.end_time ? `${service.start_time}-${service.end_time}` : service.start_time,
    service.service_type,
    service.language && `(${service.language})`,
    service.is_online && 'online',
    service.online_url,
    starts_on && `from ${starts_on}`,
    ends_on && `until ${ends_on}`,
    service.title && quoted(service.title),
    note && `note ${quoted(note)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

const quoted = (text: string) => `"${text.replaceAll('"', '”')}"`

/** At '|' and ';', but not within quotes and rules. */
const splitEntries = (text: string) =>
  (text.match(/(?:"[^"]*"|\[[^\]]*\]|[^|;"[])+/g) ?? []).map((entry) => entry.trim()).filter(Boolean)

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
/** A Sunday. */
const SUNDAY = Date.UTC(2026, 0, 4)
const LANGUAGES = ['en', 'ar', 'es', 'fr', 'it', 'de', 'pt', 'ja', 'ko', 'zh', 'hi', 'ru']
/** Names of days in Tagalog, which Intl lacks on some systems. */
const TAGALOG = ['linggo', 'lunes', 'martes', 'miyerkules', 'huwebes', 'biyernes', 'sabado']

const DAY_NAMES = dayNames()

function dayNames(): ReadonlyMap<string, number> {
  const names = new Map<string, number | null>()
  const add = (name: string, day: number) => {
    const key = fold(name).replace(/\.$/, '')
    // A name that means two days in two languages is ignored.
    names.set(key, names.has(key) && names.get(key) !== day ? null : day)
  }
  for (let day = 0; day < 7; day++) {
    for (const language of LANGUAGES)
      for (const weekday of ['long', 'short'] as const)
        add(new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }).format(SUNDAY + day * 86_400_000), day)
  }
  for (const [day, name] of TAGALOG.entries()) add(name, day)
  for (const [day, name] of DAYS.entries()) {
    names.set(name.toLowerCase(), day)
    names.set(name.slice(0, 2).toLowerCase(), day)
    names.set(
      `${fold(new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(SUNDAY + day * 86_400_000))}s`,
      day,
    )
  }
  return new Map([...names].filter((entry): entry is [string, number] => entry[1] !== null))
}

const CLOCK = /^(\d{1,2})(?:[:.h](\d{2}))?\s*([ap])?\.?m?\.?$/i
const TIME = String.raw`\d{1,2}(?:[:.h]\d{2})?\s*(?:[ap]\.?m\.?)?`
const TIMES = new RegExp(String.raw`(?<![\d-])(${TIME})(?:\s*(?:-|–|—|to)\s*(${TIME}))?`, 'i')

function readEntry(entry: string): ImportedService[] | undefined {
  let rest = entry
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(rest)
    if (found) rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`
    return found
  }
  const note = take(/\bnote "([^"]*)"/i)?.[1] ?? null
  const title = take(/"([^"]*)"/)?.[1] ?? null
  const rule = take(/\[([^\]]+)\]/)?.[1]
  const online_url = take(/https?:\/\/[^\s,]+/i)?.[0] ?? null
  const starts_on = take(/\bfrom (\d{4}-\d{2}-\d{2})\b/i)?.[1] ?? null
  const ends_on = take(/\buntil (\d{4}-\d{2}-\d{2})\b/i)?.[1] ?? null
  const language = languageOf(take(/\(([a-z]{2,3}(?:-[a-z0-9]{2,8})*)\)/i)?.[1])
  const times: [string, string | null][] = []
  for (let found = take(TIMES); found; found = take(TIMES)) {
    const [, from = '', to] = found
    const start = clockOf(from)
    const end = to === undefined ? null : clockOf(to)
    if (start === undefined || end === undefined) return undefined
    if (end !== null && endsTooLate(start, end)) return undefined
    times.push([start, end])
  }
  if (times.length === 0) return undefined
  const tokens = rest.split(/[\s,]+/).filter(Boolean)
  const days = rule === undefined ? daysOf(tokens) : []
  if (!days) return undefined
  const service_type = typeOf(tokens)
  const is_online = online_url !== null || takeToken(tokens, 'online')
  const titleText = title ?? tokens.join(' ')
  if (titleText.length > LONGEST_TITLE) return undefined
  const same = { service_type, title: titleText || null, language, is_online, online_url, note, starts_on, ends_on }
  if (rule !== undefined) {
    const recurrence = tidyRecurrence(rule)
    if (checkRecurrence(recurrence, starts_on)) return undefined
    return times.map(([start_time, end_time]) => ({ day_of_week: null, recurrence, start_time, end_time, ...same }))
  }
  return days.flatMap((day_of_week) =>
    times.map(([start_time, end_time]) => ({ day_of_week, recurrence: null, start_time, end_time, ...same })),
  )
}

/** '9', '9:30 pm', '19h30' as HH:MM. */
function clockOf(text: string): string | undefined {
  const [, hours, minutes = '00', half] = CLOCK.exec(text.trim().replace(/([ap])\.m\.?$/i, '$1m')) ?? []
  // A bare number may as well be a date or a house number.
  if (hours === undefined || (half === undefined && !/[:.h]\d{2}/i.test(text))) return undefined
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59 || (half !== undefined && (Number(hours) > 12 || Number(hours) === 0)))
    return undefined
  return `${String(hour).padStart(2, '0')}:${minutes}`
}

/** Removes leading day names: 'Sun', 'Mo-Fr', 'Wed and Fri', 'daily'. */
function daysOf(tokens: string[]): number[] | undefined {
  const days = new Set<number>()
  for (let [next] = tokens; next !== undefined; [next] = tokens) {
    const token = fold(next).replace(/[.:]+$/, '')
    if (days.size > 0 && (token === 'and' || token === '&')) {
      tokens.shift()
      continue
    }
    if (token === 'daily' || token === 'everyday') {
      for (let day = 0; day < 7; day++) days.add(day)
      tokens.shift()
      continue
    }
    const [, from = token, to = from] = /^(.+?)[-–](.+)$/.exec(token) ?? []
    const first = DAY_NAMES.get(from)
    const last = DAY_NAMES.get(to)
    if (first === undefined || last === undefined) break
    for (let day = first; ; day = (day + 1) % 7) {
      days.add(day)
      if (day === last) break
    }
    tokens.shift()
  }
  return days.size > 0 ? [...days] : undefined
}

const TYPES: Record<string, ServiceType> = {
  worship: 'worship_service',
  service: 'worship_service',
  prayer: 'prayer_meeting',
}

function typeOf(tokens: string[]): ServiceType {
  for (const [i, token] of tokens.entries()) {
    const type = SERVICE_TYPES.find((known) => known === token.toLowerCase())
    if (!type) continue
    tokens.splice(i, 1)
    return type
  }
  const text = tokens.join('_').toLowerCase()
  const named = SERVICE_TYPES.find((type) => type === text)
  if (named) tokens.length = 0
  return named ?? TYPES[tokens[0]?.toLowerCase() ?? ''] ?? 'worship_service'
}

function takeToken(tokens: string[], token: string): boolean {
  const at = tokens.findIndex((candidate) => candidate.toLowerCase() === token)
  if (at >= 0) tokens.splice(at, 1)
  return at >= 0
}

/** Canonical language code: 'tl' is 'fil'. */
function languageOf(tag: string | undefined): string | null {
  return (tag && LanguageTag.safeParse(tag).data) ?? null
}
