import { setImmediate } from 'node:timers/promises'

const LONG_MS = 5

/** Lets long work in memory give way: after some milliseconds it rests until what waits has had its turn. */
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
