/** Whose turn it is: within `lane` in order, the lanes by turns; callers that are known mostly before strangers. */
export interface HashOrder {
  lane: string
  isKnown: boolean
}

export type HashQueue<T> = ReturnType<typeof createHashQueue<T>>

/** Past so many waiting in one lane, further ones of it are turned away. */
const MAX_PER_LANE = 400
/** Every so many turns one is a stranger's, however many known callers wait. */
const STRANGERS_TURN = 4

/** Items that are worked off one at a time, fairly: whoever brings very many waits behind themselves. */
export function createHashQueue<T>() {
  const lanes = { known: new Map<string, T[]>(), strangers: new Map<string, T[]>() }
  let turn = 0

  return {
    /** False where the lane is full. */
    add(item: T, { lane, isKnown }: HashOrder): boolean {
      const group = isKnown ? lanes.known : lanes.strangers
      const waiting = group.get(lane)
      if (!waiting) group.set(lane, [item])
      else if (waiting.length >= MAX_PER_LANE) return false
      else waiting.push(item)
      return true
    },

    take(): T | undefined {
      const isStrangersTurn = ++turn % STRANGERS_TURN === 0
      const [before, after] = isStrangersTurn ? [lanes.strangers, lanes.known] : [lanes.known, lanes.strangers]
      const group = before.size > 0 ? before : after
      const first = group.entries().next().value
      if (!first) return undefined
      const [lane, waiting] = first
      const item = waiting.shift()
      // Behind the other lanes.
      group.delete(lane)
      if (waiting.length > 0) group.set(lane, waiting)
      return item
    },
  }
}
