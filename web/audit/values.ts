import type { AuditEntry } from '#shared/audit/endpoints.ts'
import { ROLES } from '#shared/roles.ts'
import { isolated } from '#web/lib/format.ts'
import type { Key, Translate } from '#web/lib/i18n.tsx'

/** What a sentence needs besides its texts. */
export interface Names {
  /** Name of a country by its code, in the reader's language. */
  nameOf(code: string): string
  /** 'A, B' in the reader's language. */
  list(names: readonly string[]): string
}

/** A value for the reader; an instant is written in their time zone. */
export type ShownValue = { text: string } | { at: string } | { day: string }

/** One changed field, with a name that people know. */
export interface ShownChange {
  field: string
  before: ShownValue | null
  after: ShownValue | null
}

type Fields = Record<string, unknown>

const MAX_SHOWN = 400
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const DAY = /^\d{4}-\d\d-\d\d$/
const PLACES = new Set(['country_code', 'country_codes', 'countries', 'scope_countries'])

/** The fields of an entry, before and after; a missing side is null. */
export function changesOf({ before, after, names }: AuditEntry, t: Translate<'audit'>, n: Names): ShownChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map((field) => {
    const shown = (side: Fields) => (field in side ? shownOf(field, side[field], { names, t, n }) : null)
    return { field: fieldName(field, t), before: shown(was), after: shown(is) }
  })
}

/** Before or after of an entry as fields; a single value is the field `value`. */
export function fieldsOf(value: unknown): Fields {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : { value }
}

/** A field without a name of its own keeps its stored one, in words. */
function fieldName(field: string, t: Translate<'audit'>): string {
  const key = `field_${field}` as Key<'audit'>
  const text = t(key)
  return text === key ? field.replaceAll('_', ' ') : text
}

interface Context {
  names: AuditEntry['names']
  t: Translate<'audit'>
  n: Names
}

function shownOf(field: string, value: unknown, context: Context): ShownValue {
  if (typeof value === 'string' && INSTANT.test(value)) return { at: value }
  if (typeof value === 'string' && DAY.test(value)) return { day: value }
  return { text: cut(textOf(field, value, context)) }
}

function textOf(field: string, value: unknown, { names, t, n }: Context): string {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return t('nothing')
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  const one = (item: unknown) => {
    if (typeof item === 'object') return JSON.stringify(item)
    const text = String(item)
    if (names[text] !== undefined) return names[text]
    return PLACES.has(field) ? n.nameOf(text) : text
  }
  if (field === 'role' && isRole(value)) return t(`as_${value}`)
  return Array.isArray(value) ? n.list(value.map((item) => isolated(one(item)))) : one(value)
}

/** Whether a stored value is a role of today. */
export const isRole = (value: unknown): value is (typeof ROLES)[number] => (ROLES as readonly unknown[]).includes(value)

const cut = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)
