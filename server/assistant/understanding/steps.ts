import { setImmediate as turn } from 'node:timers/promises'

/** Work that may be put down after each step: what it comes to is what it returns. */
export type Steps<T> = Generator<undefined, T>

/** Between two slices others have their turn: nobody waits longer for an answer because of it. */
const SLICE_MS = 10

/** Does all of it at once. */
export function complete<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Does it in slices, with whatever else waits in between. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const until = performance.now() + SLICE_MS
    while (performance.now() < until) {
      const { done, value } = steps.next()
      if (done) return value
    }
    await turn()
  }
}
