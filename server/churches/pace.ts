import { setImmediate } from 'node:timers/promises'

const LONG_MS = 5

/** Lets long in-memory work yield: after some milliseconds it waits one turn of the event loop. */
export function createPacer() {
  let since = performance.now()
  return {
    isLong: () => performance.now() - since >= LONG_MS,
    async rest() {
      await setImmediate()
      since = performance.now()
    },
  }
}
