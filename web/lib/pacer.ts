const LONGEST_QUEUE = 100

/**
 * Rate limit: at most `perSecond` calls in any second, the rest queued in order; when the queue overflows, the oldest
 * are dropped.
 */
export function createPacer(perSecond: number) {
  let queue: (() => void)[] = []
  let done: number[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function run() {
    timer = undefined
    const now = Date.now()
    done = done.filter((at) => now - at < 1_000)
    while (queue.length > 0 && done.length < perSecond) {
      done.push(now)
      queue.shift()?.()
    }
    if (queue.length > 0) timer = setTimeout(run, 1_000 - (now - (done[0] ?? now)))
  }

  return {
    add(action: () => void) {
      queue.push(action)
      if (queue.length > LONGEST_QUEUE) queue.shift()
      if (!timer) run()
    },
    clear() {
      queue = []
      clearTimeout(timer)
      timer = undefined
    },
  }
}
