import * as z from 'zod'
import { fold } from '#shared/countries/fold.ts'
import { text } from '#shared/text.ts'
import { SEVERITIES, type Severity } from './severity.ts'

/** Readers that need a mapping from document fields to advisory fields. */
export const MAPPED_READERS = ['mapped-json', 'mapped-csv', 'rss', 'atom'] as const
export type MappedReader = (typeof MAPPED_READERS)[number]

/** Readers for one fixed format, which need no mapping. */
export const FIXED_READERS = ['cap', 'us-rss', 'us-json', 'uk', 'ca', 'de', 'gdacs', 'au'] as const
export const SOURCE_READERS = [...MAPPED_READERS, ...FIXED_READERS] as const

export const isMapped = (reader: string): reader is MappedReader =>
  (MAPPED_READERS as readonly string[]).includes(reader)

export const DATE_FORMATS = ['iso', 'rfc822', 'epoch_seconds', 'day_month_year', 'month_day_year'] as const

const path = text(200)

/** Maps document fields to advisory fields. Paths are dot-separated names, or column names. */
export const SourceMapping = z.strictObject({
  list: path.describe('Path of the list in a JSON document; empty for the document itself'),
  country: path,
  level: path,
  text: path,
  link: path,
  date: path.describe('Empty: the day the entry was first read'),
  id: path.describe('Empty: the countries of the entry identify it'),
  date_format: z.enum(DATE_FORMATS),
  levels: z
    .array(z.strictObject({ value: text(200).min(1), severity: z.enum(SEVERITIES) }))
    .min(1, 'Map at least one level')
    .max(100)
    .describe('Wording of the source for each level. For a news feed: words in the title or category'),
  language: z
    .string()
    .trim()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'Enter a language code, such as en or pt-BR'),
  is_whole_list: z.boolean().describe('The list is complete: an advisory that is missing has ended'),
})
export type SourceMapping = z.infer<typeof SourceMapping>

/** Severity mapped to a source's level; undefined if no mapping exists. Never guessed. */
export function severityIn(levels: SourceMapping['levels'], value: string): Severity | undefined {
  const wanted = fold(value)
  return levels.find((level) => fold(level.value) === wanted)?.severity
}
