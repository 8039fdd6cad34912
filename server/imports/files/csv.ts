import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { fileProblem } from './table.ts'

const DELIMITERS = [',', ';', '\t'] as const
const PIECE = 64 * 1024
const LONGEST_LINE = 32 * 1024 * 1024
/** Prefixes that the portal's exports and others put before a text that a spreadsheet would treat as a formula. */
const GUARDED = /^'(?=[=+\-@\t\r])/

/**
 * The lines of a table as text: RFC 4180 with comma, semicolon or tab, in UTF-8, or in UTF-16 with a byte-order mark.
 */
export async function* csvLines(bytes: Uint8Array): AsyncGenerator<string[]> {
  const text = decoded(bytes)
  if (text.trim() === '') throw fileProblem('empty_file', 'The file is empty.')
  const parser = parse({
    delimiter: delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LONGEST_LINE,
  })
  Readable.from(piecesOf(text)).pipe(parser)
  try {
    for await (const cells of parser as AsyncIterable<string[]>)
      yield cells.map((cell) => (cell.startsWith("'") ? cell.replace(GUARDED, '') : cell))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw fileProblem(
        'cut_off',
        'The file ends in the middle of a cell. It was not transferred whole, or a quote is missing.',
      )
    throw fileProblem('unreadable', 'The file cannot be read as CSV.')
  } finally {
    parser.destroy()
  }
}

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  try {
    if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true }).decode(bytes)
    if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true }).decode(bytes)
    if (!isUtf16WithoutBom(bytes)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Reported below.
  }
  throw fileProblem(
    'not_utf8',
    'The file is not in UTF-8. In a spreadsheet choose "Save as" and "CSV UTF-8", or save it as XLSX.',
  )
}

/** UTF-16 without a byte-order mark: every second byte of plain text is NUL. */
function isUtf16WithoutBom(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 1_000)
  return start.filter((byte) => byte === 0).length > start.length / 4
}

/** The delimiter that splits the header line into most columns. */
function delimiterOf(text: string): (typeof DELIMITERS)[number] {
  const header = /^(?:[^"\r\n]|"(?:[^"]|"")*")*/.exec(text.slice(0, PIECE))?.[0] ?? ''
  const line = header.replace(/"(?:[^"]|"")*"/g, '')
  const columns = (delimiter: string) => line.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (columns(delimiter) > columns(best) ? delimiter : best))
}

/** Parsed in chunks: the parser holds no copy of the whole. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE)
}
