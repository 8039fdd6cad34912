import { useEffect, useState } from 'react'
import type { CountryWithLevel } from '#shared/countries/endpoints.ts'
import { call } from '#web/lib/call.ts'

const SHORTEST = 2
const SUGGESTIONS = 6
const PAUSE_MS = 150

/** A guess is only similar to the input. */
export type Suggestion = Pick<CountryWithLevel, 'code' | 'name' | 'names' | 'severity_level'> & { isGuess: boolean }

/** Suggested countries for the input; null if it is too short. An error suggests nothing. */
export function useSuggestions(text: string): Suggestion[] | null {
  const search = text.trim()
  const [found, setFound] = useState<{ search: string; countries: Suggestion[] } | null>(null)
  useEffect(() => {
    if (search.length < SHORTEST) return
    const left = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const query = { search: search.slice(0, 100), limit: SUGGESTIONS }
        const { countries, is_guess: isGuess } = await call(
          'GET /public/countries',
          { query },
          { signal: left.signal, retries: 0 },
        )
        if (!left.signal.aborted) setFound({ search, countries: countries.map((country) => ({ ...country, isGuess })) })
      } catch {
        // The form works without suggestions.
      }
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [search])
  // Results for a shorter input stay until the next response, so that the list does not flicker.
  return search.length < SHORTEST ? null : (found?.countries ?? null)
}
