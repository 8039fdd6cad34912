import { setImmediate as turn } from 'node:timers/promises'

/** Work that can be paused after each step; returns its result. */
export type Steps<T> = Generator<undefined, T>

/** Maximum time per slice, so that other requests are not delayed. */
const SLICE_MS = 10

/** Runs all steps at once. */
export function complete<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Runs the steps in slices and yields to the event loop in between. */
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
