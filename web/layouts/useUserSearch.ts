import { useEffect, useState } from 'react'
import type { FoundUser } from '#shared/overview/endpoints.ts'
import { call } from '#web/lib/call.ts'

const SHORTEST = 2
const PAUSE_MS = 200

/** People for what was typed so far, also after the word 'user'. A failure finds nobody. */
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
        // Pages are found without people.
      }
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [search])
  return search.length < SHORTEST ? [] : found
}
