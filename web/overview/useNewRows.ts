import { useState } from 'react'
import { useLocation } from 'react-router'
import { keyOf, type ShownRow } from './queue-text.ts'

/**
 * Rows that arrive above others while the page is open wait until the user shows them, so that nothing moves under the
 * pointer. The rows shown are updated, and those that are gone disappear. Another filter or page starts anew.
 */
export function useNewRows(rows: readonly ShownRow[]) {
  const { pathname, search } = useLocation()
  const address = `${pathname}${search}`
  const [known, setKnown] = useState({ address, keys: keysOf(rows) })
  const isElsewhere = known.address !== address
  const found = splitNewRows(rows, isElsewhere ? keysOf(rows) : known.keys)
  // Rows that follow the last known one came up from below.
  const keys = keysOf(found.shown)
  if (isElsewhere || found.shown.some((row) => !known.keys.has(keyOf(row)))) setKnown({ address, keys })
  return {
    rows: found.shown,
    newCount: found.newCount,
    showNew: () => setKnown({ address, keys: keysOf(rows) }),
  }
}

const keysOf = (rows: readonly ShownRow[]): ReadonlySet<string> => new Set(rows.map(keyOf))

/** The rows to show, and how many others arrived above the last of them. */
export function splitNewRows(rows: readonly ShownRow[], known: ReadonlySet<string>) {
  const last = rows.findLastIndex((row) => known.has(keyOf(row)))
  const shown = rows.filter((row, at) => at > last || known.has(keyOf(row)))
  return { shown, newCount: rows.length - shown.length }
}
