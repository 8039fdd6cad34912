type Cell = string | number

/** Rows under their headings as aligned plain text, numbers to the right. */
export function table(headings: string[], rows: Cell[][]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => String(row[column] ?? '').length)),
  )
  const line = (row: Cell[]) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? ''
        return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  const numeric = headings.map((heading, column) =>
    rows.length > 0 && rows.every((row) => typeof row[column] === 'number')
      ? heading.padStart(widths[column] ?? 0)
      : heading,
  )
  return [line(numeric), ...rows.map(line)].join('\n')
}
