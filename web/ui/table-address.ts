import { PAGE_QUERY } from '#shared/page-query.ts'

/** Parameters that say how a list is looked at and not what is on it. */
const NO_FILTERS: ReadonlySet<string> = new Set(['page', 'per_page', 'sort'])

type Changes = Record<string, string | number | null | undefined>

/**
 * The address of the same list with some of its parameters changed; null or nothing takes one out. Any change but
 * that of the page begins on the first page again. In one order and without what no page reads, so that the server
 * and the browser write the same.
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

/** A click on a column's head: this column, the other way round when it is this column already. */
export function sortAfter(current: string | undefined, column: string, first: 'asc' | 'desc' = 'asc'): string {
  const [rising, falling] = [column, `-${column}`]
  if (current === rising) return falling
  if (current === falling) return rising
  return first === 'asc' ? rising : falling
}

/** Whether the address filters the list, by search or otherwise. */
export const isFiltered = (params: URLSearchParams, names: readonly string[]) =>
  names.some((name) => !NO_FILTERS.has(name) && Boolean(params.get(name)))
