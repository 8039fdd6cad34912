import type { Countries } from '#server/countries/reference.ts'
import type { ReadRow } from '#server/imports/adapter.ts'
import { createCellReader, shortened } from '#server/imports/cells.ts'
import { type ImportField, LIST_FIELDS, type ListField } from '#shared/churches/import-fields.ts'
import type { LocaleSettings } from '#shared/churches/imports.ts'
import { TEXT_LENGTHS } from '#shared/churches/lengths.ts'
import type { Mapping } from '#shared/imports/model.ts'
import { createCountryReader, phoneOf, pointOf } from './place.ts'
import { readServants } from './servants.ts'
import { readServices } from './services.ts'
import { readValue } from './values.ts'

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

const LISTS = new Set<ImportField>(LIST_FIELDS)
const COUNTRY = new Set<ImportField>(['country', 'country_code'])

/** How the rows of one file are parsed. */
export function createRowReader(
  columns: readonly string[],
  how: Pick<LocaleSettings, 'id_prefix' | 'options'> & { mapping: Mapping },
  countries: Countries,
) {
  const missing = new Set(how.options.missing_words)
  const fieldSet = new Set(Object.values(how.mapping))
  // createCountryReader decides what NA means in the country columns.
  const cellsOf = createCellReader<ImportField>(
    { columns, mapping: how.mapping },
    { missing, readsMissing: COUNTRY, lists: LISTS },
  )
  const countryOf = createCountryReader(countries, missing)

  return function read(cells: readonly string[]): ReadRow {
    const { texts, empty, problems } = cellsOf(cells)
    if (problems.length > 0) return { values: { name: texts.get('name') }, empty, problems }
    const row: ReadRow = { values: {}, empty, problems }
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
