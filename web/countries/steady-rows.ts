import { useState } from 'react'
import type { ShownRow } from './shown-rows.server.ts'

export interface SteadyRow {
  row: ShownRow
  /** What the source says changed while the page was open. */
  hasChanged: boolean
}

/** Rows that stay where they are while the page is open: nobody should tap another source than the one they read. */
export function useSteadyRows(rows: readonly ShownRow[]): readonly SteadyRow[] {
  const [shown, setShown] = useState(() => ({ rows, steady: steadyRows([], rows) }))
  if (shown.rows === rows) return shown.steady
  const steady = steadyRows(shown.steady, rows)
  setShown({ rows, steady })
  return steady
}

/** The rows in the order they had; new sources come last, since each row below one that is inserted would move. */
export function steadyRows(before: readonly SteadyRow[], rows: readonly ShownRow[]): SteadyRow[] {
  const places = new Map(before.map(({ row }, index) => [row.id, index]))
  const place = (row: ShownRow) => places.get(row.id) ?? before.length
  return rows
    .toSorted((a, b) => place(a) - place(b))
    .map((row) => {
      const known = before[place(row)]
      const isNew = before.length > 0 && !known && row.isSpeaking
      return { row, hasChanged: isNew || (known ? known.hasChanged || known.row.content !== row.content : false) }
    })
}
