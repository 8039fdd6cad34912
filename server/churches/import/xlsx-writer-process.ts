import writeXlsxFile, { type SheetData } from 'write-excel-file/node'

// Lines of texts come in parts; null ends them and asks for the workbook.
const lines: string[][] = []

process.on('message', async (message: string[][] | null) => {
  if (message) {
    lines.push(...message)
    return
  }
  const data: SheetData = lines.map((line) => line.map((value) => (value === '' ? null : { type: String, value })))
  const workbook = await writeXlsxFile(data, { sheet: 'Locales', stickyRowsCount: 1 }).toBuffer()
  process.send!(workbook, undefined, undefined, () => process.exit(0))
})
process.on('disconnect', () => process.exit(0))
