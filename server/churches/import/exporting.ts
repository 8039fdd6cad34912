import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { audit } from '#server/audit/writing.ts'
import type { Db } from '#server/db/connection.ts'
import { csvResponse, fileNamed } from '#server/http/csv.ts'
import type { SignedIn } from '#server/http/session.ts'
import { IMPORT_FIELDS, type ImportField } from '#shared/churches/import-fields.ts'
import { plain } from './values.ts'
import { writeXlsx } from './xlsx-writing.ts'

const ROWS_AT_ONCE = 2_000
const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type Line = Record<ImportField, string>

/** All locales under the names of the fields, so that an import reads them back without a change. */
export async function linesToSave(
  db: Db,
  { format, by, nameOf }: { format: 'csv' | 'xlsx'; by: SignedIn; nameOf: (code: string) => string },
): Promise<Line[]> {
  const lines: Line[] = []
  for (let after: string | null = null; ; await turn()) {
    const rows = await page(db, after)
    lines.push(...rows.map((row) => lineOf(row, nameOf)))
    if (rows.length < ROWS_AT_ONCE) break
    after = rows.at(-1)!.id
  }
  await audit(db, by, {
    action: 'locale.export',
    subject_type: 'locale_export',
    subject_id: format,
    after: { format, locales: lines.length },
  })
  return lines
}

/** The same as a file. A large workbook takes its time: not to be waited for in a transaction. */
export async function savedLines(lines: Line[], format: 'csv' | 'xlsx', now: Date): Promise<Response> {
  const name = `locales-${now.toISOString().slice(0, 10)}`
  if (format === 'csv')
    return csvResponse(
      name,
      IMPORT_FIELDS.map((field) => ({ label: field, value: (line: Line) => line[field] })),
      lines,
    )
  return new Response(await writeXlsx(partsOf(lines)), {
    headers: { 'content-type': XLSX_TYPE, ...fileNamed(name, 'xlsx') },
  })
}

function page(db: Db, after: string | null) {
  return db
    .selectFrom('locales')
    .selectAll()
    .$if(after !== null, (query) => query.where('id', '>', sql<string>`${after}::uuid`))
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute()
}

type Row = Awaited<ReturnType<typeof page>>[number]

function lineOf(row: Row, nameOf: (code: string) => string): Line {
  const country = row.country_code === null ? '' : nameOf(row.country_code)
  return Object.fromEntries(
    IMPORT_FIELDS.map((field) => [field, field === 'country' ? country : textOf(row[field])]),
  ) as Line
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join('; ')
  return plain(String(value))
}

function* partsOf(lines: Line[]): Generator<string[][]> {
  yield [[...IMPORT_FIELDS]]
  for (let at = 0; at < lines.length; at += ROWS_AT_ONCE)
    yield lines.slice(at, at + ROWS_AT_ONCE).map((line) => IMPORT_FIELDS.map((field) => line[field]))
}
