export type PageState = 'loading' | 'error' | 'empty' | 'no_match' | 'list'

/** Exactly one of them (000 §4): loading, then error, empty or list. A failed refresh keeps the list it had. */
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
