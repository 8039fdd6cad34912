import { readSheet } from 'read-excel-file/node'
import { MAX_COLUMNS, MAX_ROWS } from '#shared/imports/limits.ts'
import { fileProblem } from './table.ts'

/** The lines of the first sheet of a workbook, which is unpacked in memory: use only in a separate process. */
export async function* workbookLines(bytes: Buffer): AsyncGenerator<string[]> {
  const sheet = await readSheet(bytes).catch(() => {
    throw fileProblem('unreadable', 'This workbook cannot be read. It may not have been transferred whole.')
  })
  if (sheet.length > MAX_ROWS * 2 || (sheet[0]?.length ?? 0) > MAX_COLUMNS * 2)
    throw fileProblem('too_large_inside', 'Unpacked, this workbook is too large to be read. Save it as CSV UTF-8.')
  for (const line of sheet) yield line.map(textOf)
}

/** Numbers unchanged, dates without a time of midnight. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '')
  return String(value)
}
