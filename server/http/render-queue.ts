import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '#shared/errors.ts'

/** Few, because rendering blocks everyone; more than one, because a page may wait for the database. */
const MAX_AT_ONCE = 4
/** Enough for a shared hall behind one address. */
const MAX_WAITING_PER_VISITOR = 100
const MAX_WAITING = 400
/**
 * While the process is busy with others, a visitor gets at most a sixteenth of its time: so few of the other responses
 * coincide with a rendering that their 99th percentile stays unchanged.
 */
const REST = 15
const BUSY = 0.5
/** Upper limit of a pause, however slow the last page was: a form would seem to hang. */
const MAX_REST_MS = 2_000

interface Job {
  /** Identifies a page that is the same for everyone; undefined when it is for one visitor only. */
  key: string | undefined
  isStarted: boolean
  run(): Promise<unknown>
}

interface Visitor {
  queue: Job[]
  isRendering: boolean
  isResting: boolean
}

export type RenderQueue = ReturnType<typeof createRenderQueue>

/**
 * Renders visitors' pages in turns, one at a time for each, however many one of them requests. Between two renderings
 * all incoming requests are answered, and between two of their own a visitor pauses, longer when the process is busy.
 */
export function createRenderQueue(
  limits: { maxAtOnce?: number; maxWaitingPerVisitor?: number; maxWaiting?: number } = {},
) {
  const { maxAtOnce = MAX_AT_ONCE, maxWaitingPerVisitor = MAX_WAITING_PER_VISITOR, maxWaiting = MAX_WAITING } = limits
  /** In turn order. */
  const visitors = new Map<string, Visitor>()
  const waiting = new Map<string, Job>()
  let running = 0
  let count = 0
  let isStarting = false

  function visitorOf(name: string): Visitor {
    const known = visitors.get(name)
    if (known) return known
    const visitor = { queue: [], isRendering: false, isResting: false }
    visitors.set(name, visitor)
    return visitor
  }

  /** The next job whose visitor may render; the visitor moves to the end of the queue. */
  function next(): { name: string; visitor: Visitor; job: Job } | undefined {
    for (const [name, visitor] of visitors) {
      if (visitor.isRendering || visitor.isResting) continue
      let job = visitor.queue.shift()
      while (job?.isStarted) job = visitor.queue.shift()
      visitors.delete(name)
      if (!job) continue
      visitors.set(name, visitor)
      return { name, visitor, job }
    }
    return undefined
  }

  async function start() {
    if (isStarting) return
    isStarting = true
    while (running < maxAtOnce) {
      // Requests that arrived in the meantime are answered first.
      await nextTurn()
      const found = next()
      if (!found) break
      void render(found)
    }
    isStarting = false
  }

  async function render({ name, visitor, job }: NonNullable<ReturnType<typeof next>>) {
    running++
    count--
    job.isStarted = visitor.isRendering = true
    if (job.key !== undefined) waiting.delete(job.key)
    const began = performance.now()
    await job.run()
    running--
    visitor.isRendering = false
    rest(name, visitor, performance.now() - began)
    void start()
  }

  /** Pauses for as long as the page took; longer when the process was busy with others in the meantime. */
  function rest(name: string, visitor: Visitor, took: number) {
    visitor.isResting = true
    const before = performance.eventLoopUtilization()
    const end = () => {
      visitor.isResting = false
      if (visitor.queue.length === 0) visitors.delete(name)
      else void start()
    }
    const look = () => {
      if (performance.eventLoopUtilization(before).utilization < BUSY) end()
      else setTimeout(end, Math.min(took * (REST - 1), MAX_REST_MS)).unref()
    }
    setTimeout(look, Math.min(took, MAX_REST_MS)).unref()
  }

  return {
    /** Runs `render` when it is the visitor's turn; throws at once when too many wait, unless it is urgent. */
    take<T>(
      { visitor: name, key, isUrgent = false }: { visitor: string; key?: string | undefined; isUrgent?: boolean },
      render: () => Promise<T>,
    ): Promise<T> {
      // In a queue of its own.
      const visitor = visitorOf(isUrgent ? `urgent ${name}` : name)
      if (!isUrgent && (visitor.queue.length >= maxWaitingPerVisitor || count >= maxWaiting))
        return Promise.reject(busy())
      return new Promise((resolve, reject) => {
        // Started at the end of another visitor's turn: its reads must still be tracked for its own response.
        const inOwnContext = AsyncLocalStorage.snapshot()
        const job: Job = { key, isStarted: false, run: () => inOwnContext(render).then(resolve, reject) }
        visitor.queue.push(job)
        count++
        if (key !== undefined) waiting.set(key, job)
        void start()
      })
    },

    /** Renders a page that another visitor waits for in this one's turn, if that comes first. */
    join(name: string, key: string): void {
      const job = waiting.get(key)
      if (!job) return
      const { queue } = visitorOf(name)
      if (!queue.includes(job) && queue.length < maxWaitingPerVisitor) queue.push(job)
      void start()
    },

    /** Number of waiting pages. */
    get waiting() {
      return count
    },
  }
}

const busy = () =>
  new AppError(503, 'busy', 'The portal is very busy. Please try again in a moment.', {
    headers: { 'retry-after': '2' },
  })
