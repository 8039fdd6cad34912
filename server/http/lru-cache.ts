import { hash } from 'node:crypto'

interface CacheItem {
  size: number
}

/** Size of one generation of the admission filter (two generations are kept). */
const MAX_WANTED = 10_000

/**
 * LRU cache limited by bytes. A key is only admitted when requested a second time: most requests with a point or a text
 * in them are never repeated, and collecting their garbage would delay everyone.
 */
export function createLruCache<T extends CacheItem>(limitBytes: number) {
  // Insertion order: the first is the least recently used.
  const items = new Map<string, T>()
  let bytes = 0
  let wanted = new Set<string>()
  let wantedBefore = new Set<string>()

  function take(key: string): T | undefined {
    const item = items.get(key)
    if (!item) return undefined
    items.delete(key)
    bytes -= item.size
    return item
  }

  /** The newest stays, even if it is larger than the limit. */
  function insert(key: string, item: T): void {
    items.set(key, item)
    bytes += item.size
    for (const oldest of items.keys()) {
      if (bytes <= limitBytes || oldest === key) break
      take(oldest)
    }
  }

  /** By hash of the key: keys may be as long as a URL. */
  function isWantedAgain(key: string): boolean {
    const sum = hash('sha256', key, 'base64')
    if (wanted.has(sum) || wantedBefore.has(sum)) return true
    if (wanted.size >= MAX_WANTED) {
      wantedBefore = wanted
      wanted = new Set()
    }
    wanted.add(sum)
    return false
  }

  return {
    find(key: string): T | undefined {
      const item = take(key)
      if (item) insert(key, item)
      return item
    },

    set(key: string, item: T): void {
      take(key)
      if (isWantedAgain(key)) insert(key, item)
    },

    remove: (key: string) => void take(key),

    /** Accounts for an item that grew, for example by another encoding. */
    grow(key: string, item: T, added: number): void {
      const isCached = items.get(key) === item
      if (isCached) take(key)
      item.size += added
      if (isCached) insert(key, item)
    },

    clear(): void {
      items.clear()
      bytes = 0
      wanted.clear()
      wantedBefore.clear()
    },
  }
}
