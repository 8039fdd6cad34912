import { useEffect, useState } from 'react'
import type { SearchResult } from '#shared/countries/search.ts'
import { cut } from '#shared/cut.ts'
import { call } from '#web/lib/call.ts'

const SHORTEST = 2
/** Of each kind, and altogether. */
const OF_EACH = 3
const MAX_SUGGESTIONS = 6
const PAUSE_MS = 150

export interface Suggestions {
  search: string
  results: SearchResult[]
  /** They are only similar to the input. */
  isGuess: boolean
}

/** Suggested countries, cities and churches; null if the input is too short. An error suggests nothing. */
export function useSuggestions(text: string): Suggestions | null {
  const search = text.trim()
  const [found, setFound] = useState<Suggestions | null>(null)
  useEffect(() => {
    if (search.length < SHORTEST) return
    const left = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const query = { search: cut(search, 100), limit: OF_EACH }
        const { results, is_guess: isGuess } = await call(
          'GET /public/search',
          { query },
          { signal: left.signal, retries: 0 },
        )
        // An answer to an older input never replaces a newer one.
        if (!left.signal.aborted) setFound({ search, results: results.slice(0, MAX_SUGGESTIONS), isGuess })
      } catch {
        // The form works without suggestions. Old ones would not fit what is typed now.
        if (!left.signal.aborted) setFound(null)
      }
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [search])
  // Results for a shorter input stay until the next response, so that the list does not flicker.
  return search.length < SHORTEST ? null : found
}
