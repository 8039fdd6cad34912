import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { constants, deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { readFile } from './read-file.ts'
import { bytes, readWhole, sheetOf, workbook, zipOf } from './testing.ts'

const OSM_EXTRACT = new URL('../../../fixtures/places/osm-lviv-extract.geojson', import.meta.url)
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`

describe('a file is read unchanged', () => {
  test.each([
    ['commas', 'name,city\n"Lipa, North",Lipa\n'],
    ['semicolons', 'name;city\n"Lipa, North";Lipa\n'],
    ['tabs', 'name\tcity\nLipa, North\tLipa\n'],
    ['a mark and old line ends', '\uFEFFname,city\r\n"Lipa, North",Lipa\r\n'],
  ])('with %s', async (_, text) => {
    expect(await readWhole(bytes(text))).toEqual({
      columns: ['name', 'city'],
      rows: [{ row_number: 2, cells: ['Lipa, North', 'Lipa'] }],
    })
  })

  test('in UTF-16 with a byte-order mark, with quotes, line breaks within cells and empty lines', async () => {
    const { rows } = await readWhole(utf16('name,address\n\n"A ""B"" C","one\ntwo"\n,\nD,"5"" pipe"\n'))
    expect(rows).toEqual([
      { row_number: 3, cells: ['A "B" C', 'one\ntwo'] },
      { row_number: 5, cells: ['D', '5" pipe'] },
    ])
  })

  test('a workbook: numbers, days and texts; a formula is read as its result or its text', async () => {
    const data = [
      ['name', 'latitude', 'closed_since', 'postal'],
      ['=cmd|x', 14.5, new Date('2026-05-01T00:00:00Z'), '007'],
    ].map((line) => line.map((value) => ({ value, ...(value instanceof Date ? { format: 'yyyy-mm-dd' } : {}) })))
    const file = await writeXlsxFile(data as never).toBuffer()
    expect((await readWhole(file)).rows).toEqual([{ row_number: 2, cells: ['=cmd|x', '14.5', '2026-05-01', '007'] }])
  })

  test('GeoJSON of OpenStreetMap, in Cyrillic, with its points', async () => {
    const { columns, rows } = await readWhole(readFileSync(OSM_EXTRACT))
    expect(rows).toHaveLength(17)
    expect(rows[0]!.cells[columns.indexOf('name')]).toBe('Церква Миколая Чернецького')
    expect(rows[0]!.cells[columns.indexOf('latitude')]).toBe('49.868064')
  })

  test('an Overpass response, and outlines by their centre', async () => {
    const overpass = { elements: [{ type: 'way', id: 7, center: { lat: 1, lon: 2 }, tags: { name: 'A' } }] }
    expect((await readWhole(bytes(JSON.stringify(overpass)))).rows[0]!.cells).toEqual(['way/7', '1', '2', 'A'])
    const ring = [
      [
        [0, 0],
        [4, 0],
        [4, 2],
        [0, 0],
      ],
    ] // prettier-ignore
    const geo = {
      type: 'FeatureCollection',
      features: [{ id: 1, properties: { name: 'B' }, geometry: { type: 'Polygon', coordinates: ring } }],
    }
    expect((await readWhole(bytes(JSON.stringify(geo)))).rows[0]!.cells).toEqual(['1', '1', '2', 'B'])
  })

  test('the prefix an export puts before a formula is removed, and nothing else', async () => {
    const { rows } = await readWhole(bytes(`name,phone\n'=SUM(A1),'+63 917\n'Aina Haina,"'@x"\n`))
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['=SUM(A1)', '+63 917'],
      ["'Aina Haina", '@x'],
    ])
  })

  test('a cell of excessive length is cut, and characters no database accepts count as lost', async () => {
    const { rows } = await readWhole(bytes(`name,note\n"${'x'.repeat(5_000_000)}",a\0b\n`))
    expect(rows[0]!.cells[0]).toHaveLength(2_001)
    expect(rows[0]!.cells[1]).toBe('a\uFFFDb')
    expect((await readWhole(bytes('[{"name":"a\\ud800b"}]'))).rows[0]!.cells).toEqual(['a\uFFFDb'])
  })

  test('a CSV named as a workbook, and the reverse, are read by content', async () => {
    expect((await readWhole(bytes('name\nA\n'))).rows).toHaveLength(1)
    const sheet = sheetOf(`<row r="1">${cell('A1', 'name')}</row><row r="2">${cell('A2', 'B')}</row>`)
    expect((await readWhole(workbook(sheet))).rows).toEqual([{ row_number: 2, cells: ['B'] }])
  })
})

describe('a large text is read in a child process, so that the portal stays responsive', () => {
  const started: ChildProcess[] = []
  subscribe('child_process', (message) => started.push((message as { process: ChildProcess }).process))
  const running = () => started.filter((child) => child.exitCode === null && child.signalCode === null).length
  const line = `Locale of Lipa,${'x'.repeat(300)}\n`
  const csv = bytes(`name,note\n${line.repeat(20_000)}`)
  const json = bytes(`[${'{"name":"Locale of Lipa"},'.repeat(5_000)}{"name":"last"}]`)

  test.each([
    ['CSV', csv, 20_000],
    ['JSON', json, 5_001],
  ])('%s', async (_, file, count) => {
    const { rows } = await readFile(file)
    expect(running()).toBe(1)
    let read = 0
    for await (const _row of rows) read += 1
    expect(read).toBe(count)
    expect(running()).toBe(0)
  })

  test('the child process ends when the consumer stops, or the first line is refused', async () => {
    const { rows } = await readFile(csv)
    for await (const row of rows) {
      expect(row.row_number).toBe(2)
      break
    }
    expect(running()).toBe(0)
    await expect(readFile(bytes(`name,Name\n${line.repeat(1_000)}`))).rejects.toMatchObject({ code: 'same_headings' })
    expect(running()).toBe(0)
  })

  test('the error says when the process was killed because of the file', async () => {
    const { rows } = await readFile(csv)
    started.at(-1)!.kill('SIGKILL')
    const all = async () => {
      for await (const _row of rows);
    }
    await expect(all()).rejects.toMatchObject({
      status: 422,
      message: 'This file is too large to be read. Split it into several files.',
    })
  })

  test('an unreadable file gives the same error as without a child process', async () => {
    await expect(readWhole(bytes(`name,note\n${line.repeat(1_000)}A,"B`))).rejects.toMatchObject({
      status: 422,
      code: 'cut_off',
    })
  })
})

describe('an unreadable file is reported in a sentence', () => {
  const many = Array.from({ length: 201 }, (_, i) => `c${i}`).join(',')
  test.each<[string, Uint8Array, string]>([
    ['nothing', bytes(''), 'The file is empty.'],
    ['only spaces', bytes(' \n\n'), 'The file is empty.'],
    ['headings alone', bytes('name,city\n'), 'The file has headings but no rows.'],
    ['no headings', bytes(',,\nA,B,C\n'), 'The first row has no headings.'],
    [
      'data in the first row',
      bytes('Lipa,14.5,121.1\nLipa,14.6,121.2\n'),
      'The first row looks like data. Put the headings there.',
    ],
    [
      'the same heading twice',
      bytes('name,Name\nA,B\n'),
      'Two columns have the same heading. Give every column its own.',
    ],
    ['more cells than headings', bytes('name,city\nA,B,C\n'), 'Row 2 has more cells than there are headings.'],
    ['columns without end', bytes(`${many}\n1\n`), 'The file has more than 200 columns.'],
    [
      'Latin-1',
      Buffer.from('name\nPe\u00f1a\n', 'latin1'),
      'The file is not in UTF-8. In a spreadsheet choose "Save as" and "CSV UTF-8", or save it as XLSX.',
    ],
    [
      'UTF-16 without its mark',
      Buffer.from('name,city\nA,B\n', 'utf16le'),
      'The file is not in UTF-8. In a spreadsheet choose "Save as" and "CSV UTF-8", or save it as XLSX.',
    ],
    [
      'a cell that is cut off',
      bytes('name,city\nA,"B'),
      'The file ends in the middle of a cell. It was not transferred whole, or a quote is missing.',
    ],
    [
      'JSON that is cut off',
      bytes('[{"name":"A"},{"na'),
      'The file is not valid JSON. It may not have been transferred whole.',
    ],
    [
      'other JSON',
      bytes('{"a":1}'),
      'This JSON is neither GeoJSON nor an answer of OpenStreetMap nor a list of objects.',
    ],
    [
      'an old Excel file',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'This is an old Excel file. Save it as XLSX or as CSV UTF-8.',
    ],
    [
      'an archive that is no workbook',
      zipOf({ 'a.txt': bytes('x') }),
      'This workbook cannot be read. It may not have been transferred whole.',
    ],
    [
      'a workbook that is cut off',
      workbook(sheetOf('')).subarray(0, 300),
      'This workbook cannot be read. It may not have been transferred whole.',
    ],
  ])('%s', async (_, file, text) => {
    await expect(readWhole(file)).rejects.toMatchObject({ status: 422, message: text, fields: { file: text } })
  })

  test('100,001 rows', async () => {
    await expect(readWhole(bytes(`name\n${'A\n'.repeat(100_001)}`))).rejects.toThrow(
      'The file has more than 100000 rows.',
    )
  })

  test('a ZIP bomb, and a sheet that claims a million rows', { timeout: 120_000 }, async () => {
    const block = deflateRawSync(Buffer.alloc(50_000_000, 32), { finishFlush: constants.Z_FULL_FLUSH })
    const packed = Buffer.concat([...Array.from({ length: 12 }, () => block), Buffer.from([3, 0])])
    await expect(readWhole(workbook({ packed, size: 1_000 }))).rejects.toMatchObject({ status: 422 })
    const honest = sheetOf(`<row r="1">${cell('A1', 'name')}</row><row r="2">${cell('A2', 'B')}</row>`, 'A1:XFD1048576')
    expect((await readWhole(workbook(honest))).rows).toHaveLength(1)
    const far = sheetOf(`<row r="1">${cell('A1', 'name')}</row><row r="1048576">${cell('XFD1048576', 'B')}</row>`)
    await expect(readWhole(workbook(far))).rejects.toMatchObject({ status: 422 })
  })
})
