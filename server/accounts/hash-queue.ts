/** Whose turn it is: within `lane` in order, the lanes by turns; callers that are known mostly before strangers. */
export interface HashOrder {
  key: string
  isKnown: boolean
}

export type HashQueue<T> = ReturnType<typeof createHashQueue<T>>

/** Past so many waiting in one lane, further ones of it are turned away. */
const MAX_PER_KEY = 400
/** Every so many turns one is a stranger's, however many known callers wait. */
const STRANGERS_TURN = 4

/** Items that are worked off one at a time, fairly: whoever brings very many waits behind themselves. */
export function createHashQueue<T>() {
  const queues = { known: new Map<string, T[]>(), strangers: new Map<string, T[]>() }
  let turn = 0

  return {
    /** False where the lane is full. */
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
      // Behind the other lanes.
      group.delete(key)
      if (waiting.length > 0) group.set(key, waiting)
      return item
    },
  }
}
