/** 001 §9. */
const CACHE_TTL_MS = 300_000
const CACHE_ENTRIES = 100

export type Cache<V> = ReturnType<typeof createCache<V>>

/** Cache with expiry; when full, the oldest entry is evicted. */
export function createCache<V>({
  ttl = CACHE_TTL_MS,
  entries = CACHE_ENTRIES,
}: {
  ttl?: number
  entries?: number
} = {}) {
  const store = new Map<string, { value: V; until: number }>()

  return {
    get(key: string): V | undefined {
      const entry = store.get(key)
      if (!entry) return undefined
      if (entry.until > Date.now()) return entry.value
      store.delete(key)
      return undefined
    },
    set(key: string, value: V) {
      // Delete first, so that insertion order is order of age.
      store.delete(key)
      store.set(key, { value, until: Date.now() + ttl })
      const [oldest] = store.keys()
      if (oldest !== undefined && store.size > entries) store.delete(oldest)
    },
    delete: (key: string) => store.delete(key),
    clear: () => store.clear(),
    get size() {
      return store.size
    },
  }
}

export const sharedCache: Cache<unknown> = createCache<unknown>({ ttl: 120_000, entries: 50 })
