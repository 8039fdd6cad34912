import type { ManagedSource, SourceReading } from '#shared/advisories/admin-sources.ts'
import { isMapped, type SourceMapping } from '#shared/advisories/mapping.ts'
import { SEVERITIES, type Severity } from '#shared/advisories/severity.ts'

/** All form fields, as text. */
export const SOURCE_FIELDS = [
  ...(['id', 'name', 'organization', 'country_code', 'reader', 'url', 'homepage', 'language', 'licence'] as const),
  ...(['licence_url', 'interval', 'minimum_items', 'auto_notify', 'list', 'country', 'level', 'text', 'link'] as const),
  ...(['date', 'entry_id', 'date_format', 'levels', 'is_whole_list'] as const),
] as const
export type SourceField = (typeof SOURCE_FIELDS)[number]
export type SourceValues = Record<SourceField, string>

export const NEW_SOURCE: SourceValues = {
  ...{ id: '', name: '', organization: '', country_code: '', reader: 'mapped-json', url: '', homepage: '' },
  ...{ language: 'en', licence: '', licence_url: '', interval: '30', minimum_items: '1', auto_notify: 'on' },
  ...{ list: '', country: '', level: '', text: '', link: '', date: '', entry_id: '', date_format: 'iso' },
  ...{ levels: '', is_whole_list: '' },
}

export function valuesIn(form: FormData): SourceValues {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  return Object.fromEntries(SOURCE_FIELDS.map((name) => [name, text(name)])) as SourceValues
}

/** Form values of an existing source. */
export function valuesOf(source: ManagedSource): SourceValues {
  const { mapping, id, name, organization, reader, homepage, language, licence } = source
  return {
    ...NEW_SOURCE,
    ...{ id, name, organization, reader, homepage, language, licence },
    country_code: source.country_code ?? '',
    url: source.url ?? '',
    licence_url: source.licence_url ?? '',
    interval: String(source.interval_seconds / 60),
    minimum_items: String(source.minimum_items),
    auto_notify: source.auto_notify ? 'on' : '',
    ...(mapping && {
      ...{ list: mapping.list, country: mapping.country, level: mapping.level, text: mapping.text },
      ...{ link: mapping.link, date: mapping.date, entry_id: mapping.id, date_format: mapping.date_format },
      levels: mapping.levels.map(({ value, severity }) => `${value} = ${severity}`).join('\n'),
      is_whole_list: mapping.is_whole_list ? 'on' : '',
    }),
  }
}

/** A line of the table of levels names no known level; line numbers are 1-based. */
export class LevelLineError extends Error {
  readonly line: number

  constructor(line: number) {
    super('A line of levels cannot be read')
    this.line = line
  }
}

/**
 * "Do not travel = critical", one per line; our level in English or in the user's language. Incomplete lines are
 * skipped.
 */
export function levelsIn(text: string, nameOf: (severity: Severity) => string): SourceMapping['levels'] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return []
    const at = line.lastIndexOf('=')
    const [value, name] = [
      line.slice(0, Math.max(0, at)).trim(),
      line
        .slice(at + 1)
        .trim()
        .toLowerCase(),
    ]
    if (at >= 0 && value && !name) return []
    const severity = SEVERITIES.find((known) => known === name || nameOf(known).toLowerCase() === name)
    if (!value || !severity) throw new LevelLineError(index + 1)
    return [{ value, severity }]
  })
}

/** The settings that decide how the document is read. */
export function readingOf(values: SourceValues, nameOf: (severity: Severity) => string): SourceReading {
  const { reader, url, homepage, list, country, level, text, link, date, entry_id: id, language } = values
  return {
    reader: reader as SourceReading['reader'],
    url,
    homepage,
    minimum_items: Number(values.minimum_items || Number.NaN),
    mapping: isMapped(reader)
      ? {
          ...{ list, country, level, text, link, date, id, language },
          date_format: values.date_format as SourceMapping['date_format'],
          levels: levelsIn(values.levels, nameOf),
          is_whole_list: values.is_whole_list === 'on',
        }
      : null,
  }
}

/** The whole source, with the proof of its preview. */
export function definitionOf(values: SourceValues, proof: string, nameOf: (severity: Severity) => string) {
  const { name, organization, country_code, language, licence, licence_url } = values
  return {
    ...readingOf(values, nameOf),
    ...{ name, organization, language, licence, proof },
    country_code: country_code || null,
    licence_url: licence_url || null,
    interval_seconds: Math.round(Number(values.interval || Number.NaN) * 60),
    auto_notify: values.auto_notify === 'on',
  }
}
