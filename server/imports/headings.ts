import { fold } from '#shared/countries/fold.ts'
import type { ImportAdapter } from './adapter.ts'

/** The likely field of each column: each field once, from the column with the most reliable name. */
export function guessMapping(
  columns: readonly string[],
  { contract, headings }: Pick<ImportAdapter, 'headings'> & { contract: { fields: readonly string[] } },
): Record<string, string> {
  const byKey = new Map<string, string>()
  for (const column of columns.toReversed()) byKey.set(keyOf(column), column)
  const mapping: Record<string, string> = {}
  // An export of the portal: its own ids are ours, those of others are stored beside them.
  const isOwn = headings.ownExport.every((name) => byKey.has(name))
  for (const field of contract.fields) {
    if (field === 'id' && !isOwn) continue
    const others = (headings.names[field] ?? []).filter((name) => !(isOwn && name === 'id'))
    const column = [field, ...others]
      .map((name) => byKey.get(name))
      .find((found) => found !== undefined && !Object.hasOwn(mapping, found))
    if (column !== undefined) mapping[column] = field
  }
  return mapping
}

/** Treats "addr:street", "Address Line 1" and "address_line_1" alike. */
const keyOf = (column: string) =>
  fold(column)
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
