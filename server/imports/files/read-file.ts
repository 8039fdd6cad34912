import { csvLines } from './csv.ts'
import { linesElsewhere } from './file-reader-child.ts'
import type { FileKind } from './file-reader-process.ts'
import { jsonLines } from './json.ts'
import { type FileTable, fileProblem, tableOf } from './table.ts'

/** A text up to this size is read in a few milliseconds, less than a child process takes to start. */
const SMALL_BYTES = 64 * 1024
const SPACES = new Set([0x09, 0x0a, 0x0d, 0x20])

/** Detects the format by content, not by file name. Large or compressed files are read in a child process. */
export async function readFile(bytes: Uint8Array): Promise<FileTable> {
  const kind = kindOf(bytes)
  if (kind === 'workbook' || bytes.byteLength > SMALL_BYTES) return tableOf(linesElsewhere(kind, bytes))
  return tableOf(kind === 'json' ? jsonLines(bytes) : csvLines(bytes))
}

function kindOf(bytes: Uint8Array): FileKind {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 8)).toString('latin1')
  if (bytes.byteLength === 0) throw fileProblem('empty_file', 'The file is empty.')
  if (start.startsWith('PK')) return 'workbook'
  if (start.startsWith('\xD0\xCF\x11\xE0'))
    throw fileProblem('old_excel', 'This is an old Excel file. Save it as XLSX or as CSV UTF-8.')
  if (start.startsWith('%PDF')) throw fileProblem('no_table', 'This is a PDF and no table.')
  return beginsAsJson(bytes) ? 'json' : 'csv'
}

function beginsAsJson(bytes: Uint8Array): boolean {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb ? 3 : 0
  const first = bytes.subarray(mark, mark + 1_000).find((byte) => !SPACES.has(byte))
  return first === 0x7b || first === 0x5b
}
