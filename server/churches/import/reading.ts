import { readCsv } from './csv.ts'
import { readJson } from './json.ts'
import { type FileTable, fileProblem } from './table.ts'
import { readXlsx } from './xlsx.ts'

const SPACES = new Set([0x09, 0x0a, 0x0d, 0x20])

/** Reads a file by what it holds; its name says nothing. */
export async function readFile(bytes: Uint8Array): Promise<FileTable> {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 8)).toString('latin1')
  if (bytes.byteLength === 0) throw fileProblem('empty_file', 'The file is empty.')
  if (start.startsWith('PK')) return readXlsx(bytes)
  if (start.startsWith('\xD0\xCF\x11\xE0'))
    throw fileProblem('old_excel', 'This is an old Excel file. Save it as XLSX or as CSV UTF-8.')
  if (start.startsWith('%PDF')) throw fileProblem('no_table', 'This is a PDF and no table.')
  return beginsAsJson(bytes) ? readJson(bytes) : readCsv(bytes)
}

function beginsAsJson(bytes: Uint8Array): boolean {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb ? 3 : 0
  const first = bytes.subarray(mark, mark + 1_000).find((byte) => !SPACES.has(byte))
  return first === 0x7b || first === 0x5b
}
