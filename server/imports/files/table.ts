import { AppError } from '#shared/errors.ts'
import { MAX_COLUMNS, MAX_ROWS } from '#shared/imports/limits.ts'

/** A line of a file with its number as in a spreadsheet: the header is 1. */
export interface FileRow {
  row_number: number
  cells: string[]
}

/** Content of a file: headings, and rows that are streamed while it is read. */
export interface FileTable {
  columns: string[]
  rows: AsyncIterable<FileRow>
}

/** More than the longest field takes; a cut cell is too long for any of them. */
const LONGEST_CELL = 2_000
const LOST = '\uFFFD'

/** An error in the file itself, reported on its field. */
export function fileProblem(code: string, text: string): AppError {
  return new AppError(422, code, text, { fields: { file: text } })
}

/** A cell as it can be stored: text that PostgreSQL accepts, of limited length. Other characters count as lost. */
function cellText(value: string): string {
  const text = value.length > LONGEST_CELL ? `${value.slice(0, LONGEST_CELL)}…` : value
  return text.replaceAll('\0', LOST).toWellFormed()
}

/**
 * Headings and rows from lines of cells: every line padded to the header, empty ones skipped. The source is closed
 * after the last row, or when the consumer stops.
 */
export async function tableOf(lines: AsyncGenerator<string[]>): Promise<FileTable> {
  try {
    const first = await lines.next()
    if (first.done) throw fileProblem('empty_file', 'The file is empty.')
    const columns = headingsOf(first.value)
    return { columns, rows: rowsAfter(lines, columns) }
  } catch (error) {
    await lines.return(undefined)
    throw error
  }
}

async function* rowsAfter(lines: AsyncGenerator<string[]>, columns: string[]): AsyncGenerator<FileRow> {
  try {
    yield* checkedRows(lines, columns)
  } finally {
    await lines.return(undefined)
  }
}

async function* checkedRows(lines: AsyncGenerator<string[]>, columns: string[]): AsyncGenerator<FileRow> {
  let row_number = 1
  let count = 0
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    row_number += 1
    const cells = next.value
    if (cells.every((cell) => cell.trim() === '')) continue
    if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
      throw fileProblem('uneven_rows', `Row ${row_number} has more cells than there are headings.`)
    count += 1
    if (count > MAX_ROWS) throw fileProblem('too_many_rows', `The file has more than ${MAX_ROWS} rows.`)
    yield { row_number, cells: columns.map((_, i) => cellText(cells[i] ?? '')) }
  }
  if (count === 0) throw fileProblem('no_rows', 'The file has headings but no rows.')
}

function headingsOf(cells: string[]): string[] {
  const columns = withoutEmptyEnd(cells).map((cell) =>
    cellText(cell.replace(/^\uFEFF/, ''))
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 200),
  )
  if (columns.every((name) => name === '')) throw fileProblem('no_headings', 'The first row has no headings.')
  if (columns.some((name) => /^-?\d+([.,]\d+)?$/.test(name)))
    throw fileProblem('no_headings', 'The first row looks like data. Put the headings there.')
  if (columns.length > MAX_COLUMNS)
    throw fileProblem('too_many_columns', `The file has more than ${MAX_COLUMNS} columns.`)
  const named = columns.map((name, i) => name || `Column ${i + 1}`)
  if (new Set(named.map((name) => name.toLowerCase())).size < named.length)
    throw fileProblem('same_headings', 'Two columns have the same heading. Give every column its own.')
  return named
}

function withoutEmptyEnd(cells: string[]): string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '')
  return cells.slice(0, last + 1)
}
