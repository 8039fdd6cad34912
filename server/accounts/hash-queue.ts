/** Position in the queue: in order within a key, round robin between keys; known callers mostly before strangers. */
export interface HashOrder {
  key: string
  isKnown: boolean
}

/** Further items of a key are rejected beyond this many waiting. */
const MAX_PER_KEY = 400
/** Every n-th turn goes to a stranger, however many known callers wait. */
const STRANGERS_TURN = 4

/** Fair queue of items processed one at a time: a caller with very many items only delays themselves. */
export function createHashQueue<T>() {
  const queues = { known: new Map<string, T[]>(), strangers: new Map<string, T[]>() }
  let turn = 0

  return {
    /** False when the key's queue is full. */
    add(item: T, { key, isKnown }: HashOrder): boolean {
      const group = isKnown ? queues.known : queues.strangers
      const waiting = group.get(key)
      if (!waiting) group.set(key, [item])
      else if (waiting.length >= MAX_PER_KEY) return false
      else waiting.push(item)
      return true
    },

    take(): T | undefined {
      const isStrangersTurn = ++turn % STRANGERS_TURN === 0
      const [before, after] = isStrangersTurn ? [queues.strangers, queues.known] : [queues.known, queues.strangers]
      const group = before.size > 0 ? before : after
      const first = group.entries().next().value
      if (!first) return undefined
      const [key, waiting] = first
      const item = waiting.shift()
      // Behind the other keys.
      group.delete(key)
      if (waiting.length > 0) group.set(key, waiting)
      return item
    },
  }
}
