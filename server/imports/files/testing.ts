import { deflateRawSync } from 'node:zlib'
import { readFile } from './read-file.ts'
import type { FileRow } from './table.ts'

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Reads a whole file. */
export async function readWhole(file: Uint8Array) {
  const { columns, rows } = await readFile(file)
  const all: FileRow[] = []
  for await (const row of rows) all.push(row)
  return { columns, rows: all }
}

/** A ZIP archive of these entries; readers may trust an entry's stated size. */
export function zipOf(entries: Record<string, Uint8Array | { packed: Uint8Array; size: number }>): Uint8Array {
  const files = Object.entries(entries).map(([path, content]) => {
    const packed = content instanceof Uint8Array ? deflateRawSync(content) : content.packed
    const size = content instanceof Uint8Array ? content.byteLength : content.size
    return { name: Buffer.from(path), packed, size }
  })
  const head = (kind: number, { name, packed, size }: (typeof files)[number], length: number) => {
    const header = Buffer.alloc(length)
    header.writeUInt32LE(kind, 0)
    const at = kind === 0x04034b50 ? 4 : 6
    header.writeUInt16LE(20, at)
    header.writeUInt16LE(8, at + 4)
    header.writeUInt32LE(packed.byteLength, at + 14)
    header.writeUInt32LE(size, at + 18)
    header.writeUInt16LE(name.byteLength, at + 22)
    return header
  }
  const chunks: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const file of files) {
    const local = head(0x04034b50, file, 30)
    const entry = head(0x02014b50, file, 46)
    entry.writeUInt32LE(offset, 42)
    chunks.push(local, file.name, file.packed)
    directory.push(entry, file.name)
    offset += 30 + file.name.byteLength + file.packed.byteLength
  }
  const size = directory.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...chunks, ...directory, end])
}

const RELS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** A workbook whose only sheet has this markup. */
export function workbook(sheet: Uint8Array | { packed: Uint8Array; size: number }): Uint8Array {
  return zipOf({
    '[Content_Types].xml': bytes('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    'xl/workbook.xml': bytes(
      `<workbook xmlns="${MAIN}" xmlns:r="${RELS}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': bytes(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': sheet,
  })
}

export const sheetOf = (rows: string, dimension = 'A1:B2') =>
  bytes(`<worksheet xmlns="${MAIN}"><dimension ref="${dimension}"/><sheetData>${rows}</sheetData></worksheet>`)
