import { useEffect } from 'react'
import { useFetcher } from 'react-router'
import type { SearchResults } from './search-results.ts'

const SHORTEST = 2
const PAUSE_MS = 200

/** Results while typing: after a pause, and only those of what is in the field now. */
export function useSearchResults(text: string): { results: SearchResults | null; isWaiting: boolean } {
  const fetcher = useFetcher<SearchResults>()
  const search = text.trim()
  const isWanted = search.length >= SHORTEST
  const { load } = fetcher
  useEffect(() => {
    if (!isWanted) return
    const timer = setTimeout(() => void load(`/admin/search?${new URLSearchParams({ all: '1', search })}`), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [search, isWanted, load])
  const results = isWanted && fetcher.data?.search === search ? fetcher.data : null
  return { results, isWaiting: isWanted && !results }
}
