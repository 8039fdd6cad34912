import type { Countries } from '#server/countries/reference.ts'
import type { ImportField, ListField } from '#shared/churches/import-fields.ts'
import type { ImportMapping, RowProblem } from '#shared/churches/imports.ts'
import { TEXT_LENGTHS } from '#shared/churches/lengths.ts'
import { createCountryReader, phoneOf, pointOf } from './place.ts'
import { readServants } from './servants.ts'
import { readServices } from './services.ts'
import { plain, readValue, shortened } from './values.ts'

/** A parsed row. */
export interface ReadRow {
  /** By column of the table `locales`; only fields the file has a value for. */
  values: Record<string, unknown>
  /** Fields that the file has and that are empty in this row. */
  empty: string[]
  /** The portal's own id of the locale, from an export. */
  id?: string | undefined
  problems: RowProblem[]
}

/** Fields read together: a point, a country or a number uses more than one cell. */
const TOGETHER = new Set<ImportField>([
  'latitude',
  'longitude',
  'country',
  'country_code',
  'phone',
  'services',
  'servants',
])

/** How the rows of one file are parsed. */
export function createRowReader(columns: readonly string[], how: ImportMapping, countries: Countries) {
  const missing = new Set(how.options.missing_words)
  const fields = columns.map((column) => (Object.hasOwn(how.mapping, column) ? how.mapping[column] : undefined))
  const fieldSet = new Set(fields)
  const countryOf = createCountryReader(countries, missing)

  return function read(cells: readonly string[]): ReadRow {
    const row: ReadRow = { values: {}, empty: [], problems: [] }
    const texts = new Map<ImportField, string>()
    for (const [i, field] of fields.entries()) {
      if (!field) continue
      // In a list a line break separates entries.
      const cell = field === 'services' || field === 'servants' ? (cells[i] ?? '').replace(/[\r\n]+/g, ' | ') : cells[i]
      const text = plain(cell ?? '')
      // createCountryReader decides what NA means in the country columns.
      const isCountry = field === 'country' || field === 'country_code'
      if (text !== '' && (isCountry || !missing.has(text))) texts.set(field, text)
      else if (!isCountry) row.empty.push(field)
      if (text.includes('\uFFFD')) row.problems.push({ code: 'lost_letter', field, value: shortened(text) })
    }
    if (row.problems.length > 0) return { ...row, values: { name: texts.get('name') } }
    for (const [field, text] of texts) if (!TOGETHER.has(field)) take(row, field, text)
    takePlace(row, texts)
    takePhone(row, texts.get('phone'))
    takeLists(row, texts)
    if (!row.values.name && !row.problems.some(({ code }) => code === 'name_too_long'))
      row.problems.push({ code: 'no_name' })
    return row
  }

  function take(row: ReadRow, field: ImportField, text: string) {
    const { value, problem } = readValue(field, field === 'external_id' ? how.id_prefix + text : text)
    if (problem) row.problems.push(problem)
    else if (field === 'id') row.id = value as string
    else row.values[field] = field === 'city' && how.options.title_case_cities ? titleCase(String(value)) : value
  }

  function takePlace(row: ReadRow, texts: Map<ImportField, string>) {
    const { point, problem } = pointOf(texts.get('latitude'), texts.get('longitude'))
    if (problem) row.problems.push(problem)
    if (point) [row.values.latitude, row.values.longitude] = point
    const country = countryOf({ country: texts.get('country'), code: texts.get('country_code') })
    const code = country.code ?? (country.problem ? undefined : how.options.default_country)
    if (country.problem) row.problems.push(country.problem)
    if (code) row.values.country_code = code
    else if (!country.problem) {
      row.problems.push({ code: 'no_country' })
      if (fieldSet.has('country') || fieldSet.has('country_code')) row.empty.push('country_code')
    }
  }

  /** A list that is not fully understood is left out: half of one would imply that there is nothing else. */
  function takeLists(row: ReadRow, texts: Map<ImportField, string>) {
    const country = (row.values.country_code as string | undefined) ?? null
    const services = texts.get('services')
    const servants = texts.get('servants')
    if (services !== undefined) setList('services', services, readServices(services))
    if (servants !== undefined) setList('servants', servants, readServants(servants, country))

    function setList(field: ListField, text: string, list: readonly object[] | undefined) {
      if (list) row.values[field] = list
      else row.problems.push({ code: 'not_understood', field, value: shortened(text) })
    }
  }

  function takePhone(row: ReadRow, text: string | undefined) {
    if (text === undefined) return
    const { value, problem } = phoneOf(text, (row.values.country_code as string | undefined) ?? null)
    if (value !== undefined) row.values.phone = value
    if (problem) row.problems.push(problem)
  }
}

/** 'PRAIRIE GROVE' as 'Prairie Grove'; text that is not all capitals is unchanged. */
function titleCase(city: string): string {
  if (city !== city.toUpperCase() || city === city.toLowerCase() || city.length < 3) return city
  return city
    .toLowerCase()
    .replace(/(^|[\s\-(/'’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}

/** Fields that an empty cell may clear: all but the required ones. */
export const CAN_BE_EMPTIED: ReadonlySet<string> = new Set([
  ...Object.keys(TEXT_LENGTHS).filter((field) => field !== 'name'),
  'country_code',
  'latitude',
  'longitude',
  'timezone',
  'phone',
  'email',
  'website',
  'online_url',
  'discreet_mode',
  'closed_since',
  'closed_until',
  'chapter_id',
])
