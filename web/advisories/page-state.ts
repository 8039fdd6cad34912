export type PageState = 'loading' | 'error' | 'empty' | 'no_match' | 'list'

/** Exactly one of loading, error, empty or list, in this order (000 §4). A failed refresh keeps the previous list. */
export function pageStateOf(page: {
  isLoading: boolean
  hasFailed: boolean
  shown: number
  total: number
  isFiltered: boolean
}): PageState {
  if (page.isLoading) return 'loading'
  if (page.hasFailed) return 'error'
  if (page.shown > 0) return 'list'
  return page.isFiltered && page.total > 0 ? 'no_match' : 'empty'
}
