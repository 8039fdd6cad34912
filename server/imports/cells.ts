import { EMAIL } from '#shared/accounts/text.ts'
import type { RowProblem } from '#shared/imports/model.ts'
import type { HowToRead } from './adapter.ts'

// Line breaks do not belong in a single-line value, the other characters in no text at all.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/gu

/** One line without invisible characters. */
export const plain = (text: string) => text.replace(INVISIBLE, ' ').replace(/\s+/gu, ' ').trim()

/** Enough of the cell's text to find it again. */
export const shortened = (text: string) => (text.length > 120 ? `${text.slice(0, 120)}…` : text)

/** The cells of a row by field, cleaned. */
export interface Cells<Field extends string> {
  /** Fields the row has a text for. */
  texts: Map<Field, string>
  /** Mapped fields that are empty in this row, or hold a word that means "unknown". */
  empty: Field[]
  /** Characters lost in a conversion; such a row is not imported. */
  problems: RowProblem[]
}

/** Reads the mapped cells of each row. */
export function createCellReader<Field extends string>(
  { columns, mapping }: Pick<HowToRead, 'columns' | 'mapping'>,
  options: {
    /** Words that mean "unknown". */
    missing: ReadonlySet<string>
    /** Fields whose reader decides itself which words mean that. */
    readsMissing?: ReadonlySet<Field>
    /** Fields that hold a list, in which a line break separates entries. */
    lists?: ReadonlySet<Field>
  },
) {
  const fields = columns.map((column) => (Object.hasOwn(mapping, column) ? (mapping[column] as Field) : undefined))
  return (cells: readonly string[]): Cells<Field> => {
    const row: Cells<Field> = { texts: new Map(), empty: [], problems: [] }
    for (const [i, field] of fields.entries()) {
      if (!field) continue
      const cell = cells[i] ?? ''
      const text = plain(options.lists?.has(field) ? cell.replace(/[\r\n]+/g, ' | ') : cell)
      const readsMissing = options.readsMissing?.has(field) ?? false
      if (text !== '' && (readsMissing || !options.missing.has(text))) row.texts.set(field, text)
      else if (!readsMissing) row.empty.push(field)
      if (text.includes('\uFFFD')) row.problems.push({ code: 'lost_letter', field, value: shortened(text) })
    }
    return row
  }
}

const YES = new Set(['yes', 'y', 'true', 't', '1', 'x'])
const NO = new Set(['no', 'n', 'false', 'f', '0'])

/** Readers of common kinds of values, from a cleaned text; undefined: not understood. */
export const VALUES = {
  uuid: (text: string) => (/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined),
  email: (text: string) => (EMAIL.test(text) ? text : undefined),

  webAddress(text: string): string | undefined {
    const address = /^https?:\/\//i.test(text)
      ? text
      : /^[\w-]+(\.[\w-]+)+([/?#]|$)/.test(text)
        ? `https://${text}`
        : ''
    const { protocol } = URL.parse(address) ?? {}
    return protocol && /^https?:\/\/[^\s/]/i.test(address) && !/\s/.test(address)
      ? address.replace(/^https?/i, (scheme) => scheme.toLowerCase())
      : undefined
  },

  timeZone(text: string): string | undefined {
    if (text === 'UTC') return text
    try {
      return text.includes('/') && new Intl.DateTimeFormat('en', { timeZone: text }) ? text : undefined
    } catch {
      return undefined
    }
  },

  /** "en; tl, pt-BR" */
  languages(text: string): string[] | undefined {
    try {
      const tags = text.split(/[;,|/]/).flatMap((tag) => Intl.getCanonicalLocales(tag.trim() || []))
      return [...new Set(tags)].slice(0, 30)
    } catch {
      return undefined
    }
  },

  yesOrNo(text: string): boolean | undefined {
    const value = text.toLowerCase()
    return YES.has(value) ? true : NO.has(value) ? false : undefined
  },

  day(text: string): string | undefined {
    const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0]
    const date = day ? new Date(`${day}T00:00:00Z`) : undefined
    return day && date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : undefined
  },

  oneOf: (values: readonly string[]) => (text: string) => {
    const value = text.toLowerCase().replace(/[\s-]+/g, '_')
    return values.includes(value) ? value : undefined
  },
} as const
