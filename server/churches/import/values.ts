import { EMAIL } from '#shared/accounts/text.ts'
import type { ImportField } from '#shared/churches/import-fields.ts'
import type { RowProblem } from '#shared/churches/imports.ts'
import { TEXT_LENGTHS } from '#shared/churches/lengths.ts'

/** Result of reading a cell: a value, nothing, or a rejected value. */
export type Read = { value: unknown; problem?: undefined } | { value?: undefined; problem: RowProblem }

const YES = new Set(['yes', 'y', 'true', 't', '1', 'x'])
const NO = new Set(['no', 'n', 'false', 'f', '0'])
const LONGEST = {
  ...TEXT_LENGTHS,
  external_id: 120,
  email: 320,
  website: 500,
  online_url: 500,
  timezone: 60,
} as Partial<Record<ImportField, number>>
// Line breaks do not belong in a single-line value, the other characters in no text at all.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/gu

/** One line without invisible characters. */
export const plain = (text: string) => text.replace(INVISIBLE, ' ').replace(/\s+/gu, ' ').trim()

/** Converts a non-empty cell to the value of its field; points, countries and telephones are read with other cells. */
export function readValue(field: ImportField, text: string): Read {
  const value = READERS[field] ? READERS[field](text) : text
  if (value === undefined) return { problem: { code: 'not_understood', field, value: shortened(text) } }
  const longest = LONGEST[field]
  if (longest !== undefined && String(value).length > longest)
    return { problem: { code: field === 'name' ? 'name_too_long' : 'too_long', field, value: shortened(text) } }
  return { value }
}

/** Undefined: not understood. */
const READERS: Partial<Record<ImportField, (text: string) => unknown>> = {
  id: (text) => (isUuid(text) ? text.toLowerCase() : undefined),
  chapter_id: (text) => (isUuid(text) ? text.toLowerCase() : undefined),
  email: (text) => (EMAIL.test(text) ? text : undefined),
  website: webAddress,
  online_url: webAddress,
  timezone: (text) => (isTimeZone(text) ? text : undefined),
  languages: languagesOf,
  has_physical_locale: truthOf,
  general_contact_available: truthOf,
  is_public: truthOf,
  locale_status: oneOf(['active', 'inactive', 'closed']),
  discreet_mode: oneOf(['exact', 'approximate', 'contact_only', 'hidden']),
  closed_since: dayOf,
  closed_until: dayOf,
}

const isUuid = (text: string) => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)

function webAddress(text: string): string | undefined {
  const address = /^https?:\/\//i.test(text) ? text : /^[\w-]+(\.[\w-]+)+([/?#]|$)/.test(text) ? `https://${text}` : ''
  const { protocol } = URL.parse(address) ?? {}
  return protocol && /^https?:\/\/[^\s/]/i.test(address) && !/\s/.test(address)
    ? address.replace(/^https?/i, (scheme) => scheme.toLowerCase())
    : undefined
}

function isTimeZone(text: string): boolean {
  try {
    return text.includes('/') && Boolean(new Intl.DateTimeFormat('en', { timeZone: text }))
  } catch {
    return text === 'UTC'
  }
}

/** "en; tl, pt-BR" */
function languagesOf(text: string): string[] | undefined {
  try {
    const tags = text.split(/[;,|/]/).flatMap((tag) => Intl.getCanonicalLocales(tag.trim() || []))
    return [...new Set(tags)].slice(0, 30)
  } catch {
    return undefined
  }
}

function truthOf(text: string): boolean | undefined {
  const value = text.toLowerCase()
  return YES.has(value) ? true : NO.has(value) ? false : undefined
}

function oneOf(values: readonly string[]) {
  return (text: string) => {
    const value = text.toLowerCase().replace(/[\s-]+/g, '_')
    return values.includes(value) ? value : undefined
  }
}

function dayOf(text: string): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0]
  const date = day ? new Date(`${day}T00:00:00Z`) : undefined
  return date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day!) ? day : undefined
}

/** Enough of the cell's text to find it again. */
export const shortened = (text: string) => (text.length > 120 ? `${text.slice(0, 120)}…` : text)
