import { tooMany } from '#server/http/rate-limit.ts'

/** Enough for a shared hall behind one address, each user with several tabs. */
const MAX_OF_ADDRESS = 1_000

/** A connecting socket, whose session is being looked up. */
export interface Arrival {
  /** Whether one of these changed since: the look-up may have read the old state. */
  isOutdated(names: readonly string[]): boolean
  /** It has disconnected, or was never opened. */
  leave(): void
}

/** Counts sockets by address, and records for connecting ones what changed in the meantime. */
export function createArrivals({ maxOfAddress = MAX_OF_ADDRESS }: { maxOfAddress?: number } = {}) {
  const counts = new Map<string, number>()
  const changes = new Map<Arrival, Set<string>>()
  const isAllChanged = new WeakSet<Arrival>()

  return {
    /** Throws a 429 when too many are open from this address. */
    arrive(address: string): Arrival {
      const count = (counts.get(address) ?? 0) + 1
      if (count > maxOfAddress)
        throw tooMany('Too many connections are open from your network. Please try again later.', 30)
      counts.set(address, count)
      const changed = new Set<string>()
      const arrival: Arrival = {
        isOutdated(names) {
          changes.delete(arrival)
          return isAllChanged.has(arrival) || names.some((name) => changed.has(name))
        },
        leave() {
          changes.delete(arrival)
          const left = (counts.get(address) ?? 1) - 1
          if (left > 0) counts.set(address, left)
          else counts.delete(address)
        },
      }
      changes.set(arrival, changed)
      return arrival
    },

    /** Null: anything may have changed. */
    note(names: readonly string[] | null): void {
      for (const [arrival, changed] of changes)
        if (names) for (const name of names) changed.add(name)
        else isAllChanged.add(arrival)
    },
  }
}
