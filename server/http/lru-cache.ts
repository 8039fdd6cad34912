import { hash } from 'node:crypto'

interface Sized {
  size: number
}

/** Of so many keys it is known that they were wanted, of the latest twice as many at most. */
const MAX_WANTED = 10_000

/**
 * Keeps things by their keys up to a number of bytes, the least recently used dropped first. What is wanted for the first
 * time is not kept: most questions with a point or a text in them never come again, and clearing away what was kept of
 * them would make everybody wait.
 */
export function createLruCache<T extends Sized>(limitBytes: number) {
  // The first is the one least recently put.
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

  /** The newest stays, also where it is larger than all that may be kept. */
  function put(key: string, item: T): void {
    items.set(key, item)
    bytes += item.size
    for (const oldest of items.keys()) {
      if (bytes <= limitBytes || oldest === key) break
      take(oldest)
    }
  }

  /** By what is made of a key: keys may be as long as an address. */
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
      if (item) put(key, item)
      return item
    },

    set(key: string, item: T): void {
      take(key)
      if (isWantedAgain(key)) put(key, item)
    },

    remove: (key: string) => void take(key),

    /** Something of it was added later, as another encoding. */
    grow(key: string, item: T, added: number): void {
      const isCached = items.get(key) === item
      if (isCached) take(key)
      item.size += added
      if (isCached) put(key, item)
    },

    clear(): void {
      items.clear()
      bytes = 0
      wanted.clear()
      wantedBefore.clear()
    },
  }
}
