import { useEffect, useState } from 'react'
import type { FoundUser } from '#shared/overview/endpoints.ts'
import { call } from '#web/lib/call.ts'

const SHORTEST = 2
const PAUSE_MS = 200

/** Users matching the input, also after the keyword 'user'. Empty on an error. */
export function useUserSearch(text: string): FoundUser[] {
  const search = text.trim().replace(/^user\s+/i, '')
  const [found, setFound] = useState<FoundUser[]>([])
  useEffect(() => {
    if (search.length < SHORTEST) return
    const left = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const query = { search: search.slice(0, 200) }
        const { people } = await call('GET /admin-operations/search', { query }, { signal: left.signal, retries: 0 })
        if (!left.signal.aborted) setFound(people)
      } catch {
        // Pages are found without users.
      }
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [search])
  return search.length < SHORTEST ? [] : found
}
