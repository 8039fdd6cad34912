import { setImmediate as turn } from 'node:timers/promises'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { csvResponse, fileNamed } from '#server/http/csv.ts'
import type { SignedIn } from '#server/http/session.ts'
import { writeXlsx } from '#server/http/xlsx.ts'
import { plain } from '#server/imports/cells.ts'
import { IMPORT_FIELDS } from '#shared/churches/import-fields.ts'
import type { ManagedLocaleQuery } from '#shared/churches/managed-list.ts'
import { listManagedIds, wholeManagedRows } from '../admin/queries.ts'
import { type Lists, listsOf, listText } from './lists.ts'

const ROWS_AT_ONCE = 2_000
const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Columns that an import can read back, then those it ignores. */
const COLUMNS = [
  ...IMPORT_FIELDS,
  'mode',
  'chapter_name',
  'confirmed_at',
  'confirmed_as',
  'created_at',
  'updated_at',
] as const
type Column = (typeof COLUMNS)[number]
type Line = Record<Column, string>

/** The requested list under the field names, so that importing it changes nothing. */
export async function linesToSave(
  db: Db,
  { format, ...query }: ManagedLocaleQuery & { format: 'csv' | 'xlsx' },
  { by, nameOf }: { by: SignedIn; nameOf: (code: string) => string },
): Promise<Line[]> {
  const ids = await listManagedIds(db, query)
  const lines: Line[] = []
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const some = ids.slice(at, at + ROWS_AT_ONCE)
    const rows = new Map((await wholeManagedRows(db, some)).map((row) => [row.id, row]))
    const lists = await listsOf(db, some)
    for (const id of some) {
      const [row, own] = [rows.get(id), lists.get(id)]
      if (row && own) lines.push(lineOf({ ...row, ...own }, nameOf))
    }
    await turn()
  }
  await audit(db, by, {
    action: 'locale.export',
    subject_type: 'locale_export',
    subject_id: format,
    after: { format, locales: lines.length },
  })
  return lines
}

/** The same as a file. A large workbook is slow: do not create it inside a transaction. */
export async function savedLines(lines: Line[], format: 'csv' | 'xlsx', now: Date): Promise<Response> {
  const name = `locales-${now.toISOString().slice(0, 10)}`
  if (format === 'csv')
    return csvResponse(
      name,
      COLUMNS.map((column) => ({ label: column, value: (line: Line) => line[column] })),
      lines,
    )
  return new Response(await writeXlsx('Locales', batchesOf(lines)), {
    headers: { 'content-type': XLSX_TYPE, ...fileNamed(name, 'xlsx') },
  })
}

type Row = Awaited<ReturnType<typeof wholeManagedRows>>[number] & Lists

function lineOf(row: Row, nameOf: (code: string) => string): Line {
  const country = row.country_code === null ? '' : nameOf(row.country_code)
  return Object.fromEntries(
    COLUMNS.map((column) => [column, column === 'country' ? country : textOf(column, row[column])]),
  ) as Line
}

function textOf(column: Column, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (column === 'services' || column === 'servants') return listText(column, value)
  if (Array.isArray(value)) return value.join('; ')
  if (value instanceof Date) return value.toISOString()
  return plain(String(value))
}

function* batchesOf(lines: Line[]): Generator<string[][]> {
  yield [[...COLUMNS]]
  for (let at = 0; at < lines.length; at += ROWS_AT_ONCE)
    yield lines.slice(at, at + ROWS_AT_ONCE).map((line) => COLUMNS.map((column) => line[column]))
}
