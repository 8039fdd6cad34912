import { shortened, VALUES } from '#server/imports/cells.ts'
import type { ImportField } from '#shared/churches/import-fields.ts'
import { TEXT_LENGTHS } from '#shared/churches/lengths.ts'
import type { RowProblem } from '#shared/imports/model.ts'

/** Result of reading a cell: a value, nothing, or a rejected value. */
export type Read = { value: unknown; problem?: undefined } | { value?: undefined; problem: RowProblem }

const LONGEST = {
  ...TEXT_LENGTHS,
  external_id: 120,
  email: 320,
  website: 500,
  online_url: 500,
  timezone: 60,
} as Partial<Record<ImportField, number>>
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
  id: VALUES.uuid,
  chapter_id: VALUES.uuid,
  email: VALUES.email,
  website: VALUES.webAddress,
  online_url: VALUES.webAddress,
  timezone: VALUES.timeZone,
  languages: VALUES.languages,
  has_physical_locale: VALUES.yesOrNo,
  general_contact_available: VALUES.yesOrNo,
  is_public: VALUES.yesOrNo,
  locale_status: VALUES.oneOf(['active', 'inactive', 'closed']),
  discreet_mode: VALUES.oneOf(['exact', 'approximate', 'contact_only', 'hidden']),
  closed_since: VALUES.day,
  closed_until: VALUES.day,
}
