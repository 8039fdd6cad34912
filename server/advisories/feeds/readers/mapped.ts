import { CsvError, parse } from 'csv-parse/sync'
import { isMapped, type SourceMapping, severityIn } from '#shared/advisories/mapping.ts'
import { fold } from '#shared/countries/fold.ts'
import { ADVICE_DEFAULTS, FeedError, type FeedItem, type FeedReader, type ReadContext } from '../feed.ts'
import { plainLine, plainText, sanitizeDetail } from '../html.ts'
import {
  cleanText,
  decode,
  decodeJson,
  epochSeconds,
  type FeedDate,
  isoDate,
  rfc822Date,
  summary,
  webAddress,
} from '../text.ts'
import { Refusal, readEntries, withItems } from './entries.ts'
import { newsReader } from './news.ts'

type Entry = Record<string, unknown>

/** The reader that a mapping describes. Throws when the reader does not support mappings. */
export function mappedReader(reader: string, mapping: SourceMapping): FeedReader {
  if (!isMapped(reader)) throw new Error(`The reader "${reader}" takes no mapping`)
  if (reader === 'rss' || reader === 'atom') return newsReader(mapping)
  return (document, context) =>
    withItems(
      readEntries(entriesOf(reader, document, mapping), {
        label: (entry) => labelOf(entry, mapping),
        read: (entry) => toItem(entry, mapping, context),
        isComplete: mapping.is_whole_list,
      }),
    )
}

/** The level values in a document, with their counts. */
export function levelsIn(reader: string, document: Uint8Array, mapping: SourceMapping): Map<string, number> {
  const counts = new Map<string, number>()
  if (reader !== 'mapped-json' && reader !== 'mapped-csv') return counts
  for (const entry of entriesOf(reader, document, mapping)) {
    const value = lineAt(entry, mapping.level)
    if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

const MAX_ENTRIES = 20_000

function entriesOf(reader: 'mapped-json' | 'mapped-csv', document: Uint8Array, mapping: SourceMapping): Entry[] {
  const entries = reader === 'mapped-csv' ? rowsOf(decode(document)) : listAt(decodeJson(document), mapping.list)
  if (entries.length > MAX_ENTRIES) throw new FeedError(`The document has more than ${MAX_ENTRIES} entries`)
  return entries
}

function listAt(document: unknown, path: string): Entry[] {
  const found = valueAt(document, path)
  if (Array.isArray(found)) return found as Entry[]
  // Some governments key their list by country.
  if (found && typeof found === 'object' && path) return Object.values(found) as Entry[]
  const names = document && typeof document === 'object' ? Object.keys(document).slice(0, 10).join(', ') : 'none'
  throw new FeedError(`There is no list at "${path}" in the document. Its fields are: ${cleanText(names) || 'none'}`)
}

function rowsOf(text: string): Entry[] {
  let lines: string[][]
  try {
    lines = parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true, delimiter: delimiterOf(text) })
  } catch (error) {
    if (error instanceof CsvError)
      throw new FeedError(`The document cannot be read as CSV: ${error.message.slice(0, 200)}`)
    throw error
  }
  const [names, ...rows] = lines
  if (!names || names.length < 2) throw new FeedError('The document is no CSV table with a line of column names')
  const columns = names.map((name) => name.trim())
  return rows.map((cells) =>
    // A row that is longer or shorter has its values under the wrong columns; it is refused below.
    cells.length === columns.length ? Object.fromEntries(columns.map((name, i) => [name, cells[i]])) : { '': cells },
  )
}

function delimiterOf(text: string): string {
  const [line = ''] = text.slice(0, 10_000).split(/\r?\n/, 1)
  const count = (delimiter: string) => line.split(delimiter).length
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

/** The value at the path "country.name" or in the column of that very name. Own properties only. */
function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value
  if (!value || typeof value !== 'object') return undefined
  if (Object.hasOwn(value, path)) return (value as Entry)[path]
  return path.split('.').reduce<unknown>((inner, name) => {
    return inner && typeof inner === 'object' && Object.hasOwn(inner, name) ? (inner as Entry)[name] : undefined
  }, value)
}

function textAt(entry: Entry, path: string): string {
  if (path === '') return ''
  const value = valueAt(entry, path)
  const values = Array.isArray(value) ? value : [value]
  return values
    .filter((item) => ['string', 'number', 'boolean'].includes(typeof item))
    .map(String)
    .join(', ')
}

const lineAt = (entry: Entry, path: string) => cleanText(plainLine(textAt(entry, path))).slice(0, 300)

const labelOf = (entry: Entry, { country, id }: SourceMapping) =>
  lineAt(entry, country) || lineAt(entry, id) || cleanText(JSON.stringify(entry) ?? '')

function toItem(entry: Entry, mapping: SourceMapping, context: ReadContext): FeedItem {
  if (!entry || typeof entry !== 'object') throw new Refusal('The entry is not an object with fields')
  if (Object.hasOwn(entry, '')) throw new Refusal('The row has more or fewer cells than there are columns')
  const country = lineAt(entry, mapping.country)
  if (!country) throw new Refusal(`It has no country in "${mapping.country}"`)
  const wording = lineAt(entry, mapping.level)
  if (!wording) throw new Refusal(`It has no level in "${mapping.level}"`)
  const severity_level = severityIn(mapping.levels, wording)
  if (!severity_level) throw new Refusal(`Its level "${wording}" is not in the table of levels`)

  const { codes, unresolved } = context.countries.resolveAll(country)
  const detail = textAt(entry, mapping.text)
  const date = dateOf(entry, mapping, context)
  const id = lineAt(entry, mapping.id)
  return {
    ...ADVICE_DEFAULTS,
    external_id:
      id || `countries:${[...codes.toSorted(), ...unresolved.map((name) => fold(name)).toSorted()].join('+')}`,
    title: `${country}: ${wording}`,
    description: summary(plainText(detail)) || wording,
    detailed_information: sanitizeDetail(detail, context.baseUrl) || null,
    recommendations: [],
    severity_level,
    is_urgent: false,
    advisory_type: 'general',
    original_level: wording,
    original_wording: wording,
    country_codes: codes,
    unresolved_countries: unresolved,
    last_updated: date.date,
    date_precision: date.precision,
    source_url: webAddress(textAt(entry, mapping.link), context.baseUrl) ?? context.baseUrl,
    language: mapping.language,
  }
}

/** A list without dates is dated with the day of its reading. An unreadable date is not replaced by a guess. */
function dateOf(entry: Entry, mapping: SourceMapping, { now }: ReadContext): FeedDate {
  if (mapping.date === '') return { date: dayOf(now), precision: 'day' }
  const text = lineAt(entry, mapping.date)
  const found = DATES[mapping.date_format](text)
  if (!found)
    throw new Refusal(text ? `Its date "${text.slice(0, 60)}" cannot be read` : `It has no date in "${mapping.date}"`)
  return found
}

const dayOf = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))

export const DATES: Record<SourceMapping['date_format'], (text: string) => FeedDate | undefined> = {
  iso: (text) => isoDate(text, { withoutZone: 'utc' }),
  rfc822: (text) => rfc822Date(text, { withoutZone: 'utc' }),
  epoch_seconds: epochSeconds,
  day_month_year: (text) => numbered(text, 'day'),
  month_day_year: (text) => numbered(text, 'month'),
}

function numbered(text: string, first: 'day' | 'month'): FeedDate | undefined {
  const [, a, b, year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(text) ?? []
  if (!a || !b || !year) return undefined
  const [day, month] = first === 'day' ? [a, b] : [b, a]
  return isoDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}
