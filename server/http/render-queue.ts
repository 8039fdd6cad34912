import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '#shared/errors.ts'

/** Few, since what renders holds up everybody; more than one, since a page may wait for the database. */
const MAX_AT_ONCE = 4
/** A hall of people behind one address fits. */
const MAX_WAITING_PER_VISITOR = 100
const MAX_WAITING = 400
/**
 * While the process is busy with others, a visitor gets at most a sixteenth of its time: so few of their answers meet a
 * page being made that the slowest of a hundred stays what it was.
 */
const REST = 15
const BUSY = 0.5
/** Nobody rests longer, however slow the machine made the page before: a form would seem to hang. */
const MAX_REST_MS = 2_000

interface Job {
  /** What would be rendered, the same for whoever asks; undefined when it is for one only. */
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
 * Lets visitors render in turns, one page at a time for each, however many one of them asks for. Between two renderings
 * everything that has come in is answered, and between two of hers a visitor rests, longer in a busy moment.
 */
export function createRenderQueue(
  limits: { maxAtOnce?: number; maxWaitingPerVisitor?: number; maxWaiting?: number } = {},
) {
  const { maxAtOnce = MAX_AT_ONCE, maxWaitingPerVisitor = MAX_WAITING_PER_VISITOR, maxWaiting = MAX_WAITING } = limits
  /** In the order of their turns. */
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

  /** The next job whose visitor may render; she goes to the end of the line. */
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
      // What came in meanwhile is answered first.
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

  /** As long as the page took; longer when the process was busy with others meanwhile. */
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
    /** Runs `render` when it is the visitor's turn; says at once where too much waits, unless it is urgent. */
    take<T>(
      { visitor: name, key, isUrgent = false }: { visitor: string; key?: string | undefined; isUrgent?: boolean },
      render: () => Promise<T>,
    ): Promise<T> {
      // In a line of its own.
      const visitor = visitorOf(isUrgent ? `urgent ${name}` : name)
      if (!isUrgent && (visitor.queue.length >= maxWaitingPerVisitor || count >= maxWaiting))
        return Promise.reject(busy())
      return new Promise((resolve, reject) => {
        // It is started by whoever's turn ended before: what it reads must still be noted for its own answer.
        const inOwnContext = AsyncLocalStorage.snapshot()
        const job: Job = { key, isStarted: false, run: () => inOwnContext(render).then(resolve, reject) }
        visitor.queue.push(job)
        count++
        if (key !== undefined) waiting.set(key, job)
        void start()
      })
    },

    /** What another visitor is waiting for is made in this one's turn, when that comes first. */
    join(name: string, key: string): void {
      const job = waiting.get(key)
      if (!job) return
      const { queue } = visitorOf(name)
      if (!queue.includes(job) && queue.length < maxWaitingPerVisitor) queue.push(job)
      void start()
    },

    /** Pages that wait. */
    get waiting() {
      return count
    },
  }
}

const busy = () =>
  new AppError(503, 'busy', 'The portal is very busy. Please try again in a moment.', {
    headers: { 'retry-after': '2' },
  })
