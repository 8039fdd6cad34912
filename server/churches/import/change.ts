import type { Selectable } from 'kysely'
import { countryAt, isPlausible } from '#server/countries/borders.ts'
import type { LocalesTable } from '#server/db/tables-churches.ts'
import type { Change, Fields, ReadRow } from '#server/imports/adapter.ts'
import { plain } from '#server/imports/cells.ts'
import { IMPORT_FIELDS, type ImportField, LIST_FIELDS } from '#shared/churches/import-fields.ts'
import type { RowProblem } from '#shared/imports/model.ts'
import { type Lists, listText, servantsAfter, servicesAfter } from './lists.ts'
import { phoneOf, timeZoneOf } from './place.ts'
import { CAN_BE_EMPTIED } from './row.ts'
import type { ImportedServant } from './servants.ts'
import type { ImportedService } from './services.ts'
import { readValue } from './values.ts'

export type LocaleRow = Selectable<LocalesTable>

/** Fields of a locale that a file can set: the id only identifies it, and a country is set by its code. */
export const WRITTEN_FIELDS = IMPORT_FIELDS.filter((field) => field !== 'id' && field !== 'country')
/** Those that are columns of the table `locales`. */
export const WRITTEN_COLUMNS = WRITTEN_FIELDS.filter((field) => !(LIST_FIELDS as readonly string[]).includes(field))

/** Defaults of a new locale for fields its file lacks. */
const NEW: Fields = {
  ...Object.fromEntries(WRITTEN_COLUMNS.map((column) => [column, null])),
  languages: [],
  has_physical_locale: true,
  general_contact_available: false,
  locale_status: 'active',
}

/**
 * All fields of a new locale. Whether it is public is set by the file, or else by the importing user; services are then
 * shown as not confirmed yet.
 */
export function newLocale(row: ReadRow, isPublic: boolean): Change {
  const fields: Fields = { ...NEW, is_public: isPublic, ...row.values }
  takeLists(fields, row, { services: [], servants: [] })
  fillTimeZone(fields, fields)
  const problems = placeIn(fields, fields)
  // Set with the row: a separate update would cost as much again.
  if (typeof fields.latitude === 'number') fields.located_in = countryAt(fields.latitude, fields.longitude as number)
  return { fields, before: {}, problems: [...problems, ...daysInOrder(fields, fields)] }
}

/**
 * Changes to an existing locale. Cells that are empty in the file change nothing, unless the option to clear them is
 * set; an equivalent value retains its spelling.
 */
export function changeOf(
  locale: LocaleRow & Lists,
  row: ReadRow,
  deps: { clearsEmpty: boolean; isIdTaken: boolean },
): Change {
  const fields: Fields = {}
  const problems: RowProblem[] = []
  for (const [name, value] of Object.entries(row.values))
    if (!isList(name) && !isSame(name as keyof LocaleRow, locale, value)) fields[name] = value
  if (fields.external_id !== undefined && (locale.external_id !== null || deps.isIdTaken)) {
    problems.push({ code: 'keeps_id', field: 'external_id', value: locale.external_id ?? '' })
    delete fields.external_id
  }
  if (deps.clearsEmpty)
    for (const field of row.empty)
      if (CAN_BE_EMPTIED.has(field) && locale[field as keyof LocaleRow] !== null) fields[field] = null
  takeLists(fields, row, locale)
  if (deps.clearsEmpty && row.empty.includes('services') && locale.services.length > 0) fields.services = []
  dropPartialPoint(fields, row)
  // An unchanged location retains its time zone, also if it has none.
  if ('latitude' in fields || 'longitude' in fields) fillTimeZone(fields, { ...locale, ...fields })
  if ('latitude' in fields || 'longitude' in fields || 'country_code' in fields)
    problems.push(...placeIn(fields, { ...locale, ...fields }))
  problems.push(...daysInOrder(fields, { ...locale, ...fields }))
  const before = Object.fromEntries(Object.keys(fields).map((name) => [name, locale[name as keyof LocaleRow]]))
  return { fields, before, problems }
}

const isList = (name: string) => (LIST_FIELDS as readonly string[]).includes(name)

/** Changes to the lists of a locale, where they differ from the current ones. */
function takeLists(fields: Fields, { values }: ReadRow, existing: Lists) {
  const after = {
    services: values.services && servicesAfter(values.services as ImportedService[], existing.services),
    servants: values.servants && servantsAfter(values.servants as ImportedServant[], existing.servants),
  }
  for (const field of LIST_FIELDS) {
    delete fields[field]
    if (after[field] && listText(field, after[field]) !== listText(field, existing[field])) fields[field] = after[field]
  }
}

function isSame(name: keyof LocaleRow, locale: LocaleRow, value: unknown): boolean {
  const known = locale[name]
  if (known === value) return true
  if (known === null || known === undefined) return false
  if (Array.isArray(known)) {
    const read = readValue(name as ImportField, known.join(';')).value
    return [known, read].some((list) => JSON.stringify(list) === JSON.stringify(value))
  }
  if (typeof known !== 'string') return false
  const text = plain(known)
  if (name === 'phone') return text === value || phoneOf(text, locale.country_code).value === value
  return text === value || readValue(name as ImportField, text).value === value
}

/** A point is cleared as a whole or not at all. */
function dropPartialPoint(fields: Fields, row: ReadRow) {
  const isEmptied = row.empty.includes('latitude') && row.empty.includes('longitude')
  if (isEmptied) return
  for (const name of ['latitude', 'longitude']) if (fields[name] === null) delete fields[name]
}

function fillTimeZone(fields: Fields, after: Fields) {
  if (after.timezone || typeof after.latitude !== 'number') return
  fields.timezone = timeZoneOf([after.latitude, after.longitude as number])
}

/**
 * A missing country is taken from the point. If the two disagree, the stricter rule applies and a problem is reported.
 */
function placeIn(fields: Fields, { country_code, latitude, longitude }: Fields): RowProblem[] {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return []
  const lies = countryAt(latitude, longitude)
  if (lies && !country_code) fields.country_code = lies
  if (!lies || !country_code || isPlausible(String(country_code), latitude, longitude)) return []
  return [{ code: 'point_elsewhere', field: 'country_code', value: lies }]
}

/** An end date before the start date is a mistake in the file: neither is used. */
function daysInOrder(fields: Fields, after: Fields): RowProblem[] {
  const { closed_since, closed_until } = after
  if (typeof closed_until !== 'string' || typeof closed_since !== 'string' || closed_since <= closed_until) return []
  const isNew = 'name' in fields && 'languages' in fields && 'is_public' in fields
  for (const name of ['closed_since', 'closed_until']) {
    if (isNew) fields[name] = null
    else delete fields[name]
  }
  return [{ code: 'not_understood', field: 'closed_until', value: closed_until }]
}
