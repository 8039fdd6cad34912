import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvResponse, csvText } from './csv.ts'

const COLUMNS = [
  { label: 'Name', value: (row: [string, string]) => row[0] },
  { label: 'Note', value: (row: [string, string]) => row[1] },
]

test('a table is downloaded under its name, cached nowhere, as UTF-8 that spreadsheets recognise', async () => {
  const response = csvResponse('Accounts من', COLUMNS, [['أحمد', 'a, "b"\r\nc']])
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="Accounts-.csv"; filename*=UTF-8''Accounts%20%D9%85%D9%86.csv`,
  )
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(new TextDecoder().decode(bytes)).toBe('Name,Note\r\nأحمد,"a, ""b""\r\nc"\r\n')
})

test.each(['=1+1', '+63 912', '-2', '@SUM(A1)', '\t=1', '\r=1', "=cmd|' /C calc'!A0"])(
  'a text that begins like a formula stays text: %j',
  (text) => {
    expect(parse(csvText(COLUMNS, [[text, '']]))[1]![0]).toBe(`'${text}`)
  },
)

test('numbers, dates and missing values are written plainly', () => {
  const columns = [-5, true, new Date('2026-09-27T14:40:00Z'), null, undefined].map((value, i) => ({
    label: `c${i}`,
    value: () => value,
  }))
  expect(csvText(columns, [{}]).split('\r\n')[1]).toBe('-5,true,2026-09-27T14:40:00.000Z,,')
})

test('every downloaded table reads back the same, and no cell starts a formula', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n",;\'a'.split('')) }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (rows) => {
      const read = parse(csvText(COLUMNS, rows)).slice(1)
      expect(read).toEqual(rows.map((cells) => cells.map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell))))
      for (const cell of read.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    }),
  )
})

/** An independent parser of RFC 4180. */
function parse(csv: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of csv
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end !== '\r\n') continue
    rows.push(row)
    row = []
  }
  return rows
}
