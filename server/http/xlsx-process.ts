import writeXlsxFile, { type SheetData } from 'write-excel-file/node'

// Lines arrive in batches; null ends them and requests the workbook.
const lines: string[][] = []

process.on('message', async (message: string[][] | null) => {
  if (message) {
    lines.push(...message)
    return
  }
  const data: SheetData = lines.map((line) => line.map((value) => (value === '' ? null : { type: String, value })))
  const workbook = await writeXlsxFile(data, { sheet: process.argv[2] ?? 'Sheet', stickyRowsCount: 1 }).toBuffer()
  process.send?.(workbook, undefined, undefined, () => process.exit(0))
})
process.on('disconnect', () => process.exit(0))
