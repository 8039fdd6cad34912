export type CsvValue = string | number | boolean | Date | null | undefined

export interface CsvColumn<T> {
  label: string
  value: (row: T) => CsvValue
}

const BYTE_ORDER_MARK = '\uFEFF'
const LINE_END = '\r\n'
/** Characters that start a formula in spreadsheets. */
const FORMULA = /^[=+\-@\t\r]/

/** A table download: RFC 4180 in UTF-8 with a byte order mark for spreadsheets, and without executable formulas. */
export function csvResponse<T>(name: string, columns: readonly CsvColumn<T>[], rows: readonly T[]): Response {
  return new Response(csvText(columns, rows), {
    headers: { 'content-type': 'text/csv; charset=utf-8; header=present', ...fileNamed(name, 'csv') },
  })
}

/** Headers of a download with this name, in any script; it holds personal data and must not be cached. */
export function fileNamed(name: string, ending: 'csv' | 'xlsx'): Record<string, string> {
  const plain = name.replace(/[^\w.-]+/g, '-')
  return {
    'content-disposition': `attachment; filename="${plain}.${ending}"; filename*=UTF-8''${encodeURIComponent(name)}.${ending}`,
    'cache-control': 'private, no-store',
  }
}

export function csvText<T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string {
  const lines = [columns.map(({ label }) => cell(label)), ...rows.map((row) => columns.map((c) => cell(c.value(row))))]
  return BYTE_ORDER_MARK + lines.map((line) => line.join(',') + LINE_END).join('')
}

function cell(value: CsvValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = value instanceof Date ? value.toISOString() : value
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
