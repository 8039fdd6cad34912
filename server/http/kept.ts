interface Sized {
  size: number
}

/** What is asked for a first time may take so much of the whole. */
const SHARE_OF_NEW = 1 / 8

/**
 * Keeps things by their keys up to a number of bytes, the least recently used dropped first. What was wanted only once
 * has its own small part: however many questions come that nobody repeats, what everybody reads stays.
 */
export function createKept<T extends Sized>(limitBytes: number) {
  const fresh = createShelf<T>(limitBytes * SHARE_OF_NEW)
  const proven = createShelf<T>(limitBytes)

  return {
    /** From now on it counts as wanted again. */
    find(key: string): T | undefined {
      const item = proven.take(key) ?? fresh.take(key)
      if (item) proven.put(key, item)
      return item
    },

    keep(key: string, item: T): void {
      this.remove(key)
      fresh.put(key, item)
    },

    remove(key: string): void {
      fresh.take(key)
      proven.take(key)
    },

    /** Something of it was added later, as another encoding. */
    grow(key: string, item: T, bytes: number): void {
      const shelf = [fresh, proven].find((one) => one.holds(key, item))
      shelf?.take(key)
      item.size += bytes
      shelf?.put(key, item)
    },

    clear(): void {
      fresh.clear()
      proven.clear()
    },
  }
}

/** The first of the map is the one least recently put. */
function createShelf<T extends Sized>(limitBytes: number) {
  const items = new Map<string, T>()
  let bytes = 0

  function take(key: string): T | undefined {
    const item = items.get(key)
    if (!item) return undefined
    items.delete(key)
    bytes -= item.size
    return item
  }

  return {
    take,
    holds: (key: string, item: T) => items.get(key) === item,

    /** The newest stays, also where it is larger than all that may be kept. */
    put(key: string, item: T): void {
      items.set(key, item)
      bytes += item.size
      for (const oldest of items.keys()) {
        if (bytes <= limitBytes || oldest === key) break
        take(oldest)
      }
    },

    clear(): void {
      items.clear()
      bytes = 0
    },
  }
}
