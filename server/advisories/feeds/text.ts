import { FeedError } from './feed.ts'

/** An instant in a source, with its precision. A date without a time is 00:00 UTC of that day. */
export interface FeedDate {
  date: Date
  precision: 'day' | 'minute'
}

interface DateOptions {
  /** Only where the source's documentation says so; otherwise a time without a zone is not an instant. */
  withoutZone?: 'utc'
}

/** Bytes as text: byte-order mark, then the charset of the response, the XML declaration or meta tag, then UTF-8. */
export function decode(document: Uint8Array, declaredCharset?: string): string {
  const labels = new Set([...encodingOfMark(document), declaredCharset, encodingInside(document), 'utf-8'])
  for (const label of labels) {
    const text = label && tryDecode(document, label)
    if (typeof text === 'string') return text
  }
  throw new FeedError(`The text cannot be decoded as ${[...labels].filter(Boolean).join(' or ')}`)
}

/** Parses a JSON document; the error says what came instead. */
export function decodeJson(document: Uint8Array, declaredCharset?: string): unknown {
  const text = decode(document, declaredCharset)
  try {
    return JSON.parse(text)
  } catch {
    throw new FeedError(`The document is ${kindOfDocument(text)}, not JSON`)
  }
}

/** Describes a document for an operator who expected something else: 'an HTML page titled "Page not found"'. */
export function kindOfDocument(text: string): string {
  const start = text.slice(0, 4000).trimStart()
  if (start === '') return 'empty'
  if (/^(<\?xml[^>]*>)?\s*(<!--[^>]*>\s*)*<(!doctype\s+html|html|head|body)\b/i.test(start)) {
    const title = cleanText(/<title[^>]*>([^<]{1,120})/i.exec(start)?.[1] ?? '')
    return title ? `an HTML page titled "${title}"` : 'an HTML page'
  }
  if (start.startsWith('<')) return `an XML document <${/<([a-z_][\w:.-]{0,60})/i.exec(start)?.[1] ?? '?'}>`
  if (/^[[{]/.test(start)) return 'JSON, or the beginning of it'
  return 'plain text'
}

/** One line of text: no control or direction-override characters, every run of white space one space. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(SPACES, ' ').replace(INVISIBLE, '').replace(/ +/g, ' ').trim()
}

/** An absolute http or https address, or undefined. */
export function webAddress(text: string | undefined, baseUrl?: string): string | undefined {
  const url = URL.parse(text?.trim() ?? '', baseUrl)
  return text?.trim() && url && /^https?:$/.test(url.protocol) && !url.username ? url.href : undefined
}

// White space of every kind, including no-break and narrow no-break spaces that editors insert.
const SPACES = /[\s\u0085\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g
// Controls, soft hyphen, zero-width space, byte-order mark, tag characters, and the direction controls that can make
// text read as something else. The joiners U+200C and U+200D stay: Persian and Hindi are spelled with them.
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\u{e0000}-\u{e0fff}]/gu

/** As many whole sentences of the text as fit into `max` characters. Line breaks count as sentence ends. */
export function summary(text: string, max = 600): string {
  const whole = sentences(text)
  let result = ''
  for (const sentence of whole) {
    if (result.length + sentence.length + 1 > max) break
    result += (result && ' ') + sentence
  }
  return result || cutAtWord(whole[0] ?? '', max)
}

/** The first sentence, or the first line if that ends sooner. */
export function firstSentence(text: string): string {
  return sentences(text)[0] ?? ''
}

/** The sentences of a text, each on one line. */
export function sentences(text: string): string[] {
  return text.split(/[\r\n]+/).flatMap(sentencesOfLine)
}

function sentencesOfLine(line: string): string[] {
  const text = cleanText(line)
  const found: string[] = []
  let start = 0
  for (const end of text.matchAll(/[.!?…][.!?…"'”’)\]]{0,8}(?= ["'“‘(¿¡]?[\p{Lu}\p{Lo}\d])/gu)) {
    const until = end.index + end[0].length
    if (ABBREVIATION.test(text.slice(Math.max(start, until - 10), until))) continue
    found.push(text.slice(start, until))
    start = until + 1
  }
  if (start < text.length) found.push(text.slice(start))
  return found
}

// A single letter or a day number before the point ("U.S. Embassy", "15. Mai") does not end a sentence either.
const ABBREVIATION =
  /(^|[\s("“‘.])(\p{L}|\d{1,2}|St|Ste|Mt|Ft|Dr|Mr|Mrs|Ms|Sen|Gov|No|Nos|vs|etc|approx|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|bzw|ca|ggf|inkl|evtl|usw|Nr|Tel|bspw)\.$/u

function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text
    .slice(0, max - 1)
    .toWellFormed()
    .replace('\ufffd', '')
  return `${cut.slice(0, cut.lastIndexOf(' ') > max / 2 ? cut.lastIndexOf(' ') : undefined).trimEnd()}…`
}

/** "Wed, 08 Oct 2025" (a day), "Wed, 08 Oct 2025 17:36:06 GMT", "8 Oct 25 17:36 -0400". Anything else: undefined. */
export function rfc822Date(text: string, options: DateOptions = {}): FeedDate | undefined {
  const match =
    /^(?:[a-z]{3,9},?\s+)?(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{4}|\d{2})(?:\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s+([a-z]{1,4}|[+-]\d{2}:?\d{2}))?)?$/i
  const [, day, monthName, year, hour, minute, second, zone] = match.exec(cleanText(text)) ?? []
  if (!day || !monthName || !year) return undefined
  const month = MONTHS.indexOf(monthName.toLowerCase()) + 1
  // RFC 2822 §4.3: two-digit years below 50 are of this century.
  const fullYear = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 50 ? 2000 : 1900)
  return moment(fullYear, month, Number(day), hour, minute, second, undefined, zone, options)
}

/** ISO 8601: a day, or a time with offset or Z and a fraction of any length. Anything else: undefined. */
export function isoDate(text: string, options: DateOptions = {}): FeedDate | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i
  const [, year, month, day, hour, minute, second, fraction, zone] = match.exec(cleanText(text)) ?? []
  if (!year || !month || !day) return undefined
  return moment(Number(year), Number(month), Number(day), hour, minute, second, fraction, zone, options)
}

/** Seconds since 1970. Milliseconds and other magnitudes fall outside the years 1990 to 2100: undefined. */
export function epochSeconds(value: unknown): FeedDate | undefined {
  const seconds = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return undefined
  return plausible(new Date(Math.trunc(seconds) * 1000), 'minute')
}

function moment(
  year: number,
  month: number,
  day: number,
  hour: string | undefined,
  minute = '0',
  second = '0',
  fraction = '',
  zone: string | undefined,
  options: DateOptions,
): FeedDate | undefined {
  const midnight = new Date(Date.UTC(year, month - 1, day))
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined
  if (hour === undefined) return plausible(midnight, 'day')
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const offset = zone === undefined ? (options.withoutZone === 'utc' ? 0 : undefined) : minutesEast(zone)
  if (offset === undefined) return undefined
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const time = Date.UTC(year, month - 1, day, Number(hour), Number(minute), Number(second), millisecond)
  return plausible(new Date(time - offset * 60_000), 'minute')
}

function minutesEast(zone: string): number | undefined {
  const named = ZONES[zone.toUpperCase()]
  if (named !== undefined) return named * 60
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  if (!sign || Number(hours) > 14 || Number(minutes) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

// The names RFC 822 defines; any other abbreviation means different hours in different countries.
const ZONES: Record<string, number> = {
  ...{ Z: 0, UT: 0, UTC: 0, GMT: 0, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
}
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

// "0001-01-01" and the like are written by software for "no date".
function plausible(date: Date, precision: FeedDate['precision']): FeedDate | undefined {
  const year = date.getUTCFullYear()
  return year >= 1990 && year <= 2100 ? { date, precision } : undefined
}

function encodingOfMark(document: Uint8Array): string[] {
  const [a, b, c, d] = document
  if (a === 0xef && b === 0xbb && c === 0xbf) return ['utf-8']
  if (a === 0xfe && b === 0xff) return ['utf-16be']
  if (a === 0xff && b === 0xfe) return ['utf-16le']
  // No byte-order mark, but "<?" or "{" in two bytes per letter.
  if (a === 0 && b && c === 0 && d) return ['utf-16be']
  if (a && b === 0 && c && d === 0) return ['utf-16le']
  return []
}

function encodingInside(document: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(document.subarray(0, 1024))
  const declared =
    /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(start)?.[1] ??
    /<meta[^>]*?charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(start)?.[1]
  // A declaration that is readable byte by byte is not UTF-16, whatever it says.
  return declared && /^utf-?16/i.test(declared) ? undefined : declared
}

function tryDecode(document: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(document)
  } catch {
    return undefined
  }
}
