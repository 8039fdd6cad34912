import { PAGE_QUERY } from '#shared/page-query.ts'

/** Parameters that define the view of a list, not its content. */
const NO_FILTERS: ReadonlySet<string> = new Set(['page', 'per_page', 'sort'])

type Changes = Record<string, string | number | null | undefined>

/**
 * URL of the same list with some parameters changed; null or an empty value removes one. Any change but that of the
 * page resets to page 1. Ordered and without unknown parameters, so that the server and the browser produce the same
 * URL.
 */
export function addressWith(current: URLSearchParams, changes: Changes): string {
  const params = new URLSearchParams([...current].filter(([name, value]) => PAGE_QUERY.has(name) && value !== ''))
  if (!('page' in changes)) params.delete('page')
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') params.delete(name)
    else params.set(name, String(value))
  }
  if (params.get('page') === '1') params.delete('page')
  params.sort()
  return `?${params}`
}

/** Sort order after a click on a column header: that column, reversed if it is already the current one. */
export function sortAfter(current: string | undefined, column: string, first: 'asc' | 'desc' = 'asc'): string {
  const [rising, falling] = [column, `-${column}`]
  if (current === rising) return falling
  if (current === falling) return rising
  return first === 'asc' ? rising : falling
}

/** Whether the URL filters the list, by search or otherwise. */
export const isFiltered = (params: URLSearchParams, names: readonly string[]) =>
  names.some((name) => !NO_FILTERS.has(name) && Boolean(params.get(name)))
