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

interface Turn {
  name: string
  visitor: Visitor
  job: Job
}

/**
 * Renders visitors' pages in turns, one at a time for each, however many one of them requests. Between two renderings
 * all incoming requests are answered, and between two of their own a visitor pauses, longer when the process is busy.
 */
export class RenderQueue {
  readonly #maxAtOnce: number
  readonly #maxWaitingPerVisitor: number
  readonly #maxWaiting: number
  /** In turn order. */
  readonly #visitors = new Map<string, Visitor>()
  readonly #waiting = new Map<string, Job>()
  #running = 0
  #count = 0
  #isStarting = false

  constructor(limits: { maxAtOnce?: number; maxWaitingPerVisitor?: number; maxWaiting?: number } = {}) {
    this.#maxAtOnce = limits.maxAtOnce ?? MAX_AT_ONCE
    this.#maxWaitingPerVisitor = limits.maxWaitingPerVisitor ?? MAX_WAITING_PER_VISITOR
    this.#maxWaiting = limits.maxWaiting ?? MAX_WAITING
  }

  /** Runs `render` when it is the visitor's turn; throws at once when too many wait, unless it is urgent. */
  take<T>(
    { visitor: name, key, isUrgent = false }: { visitor: string; key?: string | undefined; isUrgent?: boolean },
    render: () => Promise<T>,
  ): Promise<T> {
    // In a queue of its own.
    const visitor = this.#visitorOf(isUrgent ? `urgent ${name}` : name)
    if (!isUrgent && (visitor.queue.length >= this.#maxWaitingPerVisitor || this.#count >= this.#maxWaiting))
      return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      // Started at the end of another visitor's turn: its reads must still be tracked for its own response.
      const inOwnContext = AsyncLocalStorage.snapshot()
      const job: Job = { key, isStarted: false, run: () => inOwnContext(render).then(resolve, reject) }
      visitor.queue.push(job)
      this.#count++
      if (key !== undefined) this.#waiting.set(key, job)
      void this.#start()
    })
  }

  /** Renders a page that another visitor waits for in this one's turn, if that comes first. */
  join(name: string, key: string): void {
    const job = this.#waiting.get(key)
    if (!job) return
    const { queue } = this.#visitorOf(name)
    if (!queue.includes(job) && queue.length < this.#maxWaitingPerVisitor) queue.push(job)
    void this.#start()
  }

  /** Number of waiting pages. */
  get waiting() {
    return this.#count
  }

  #visitorOf(name: string): Visitor {
    const known = this.#visitors.get(name)
    if (known) return known
    const visitor = { queue: [], isRendering: false, isResting: false }
    this.#visitors.set(name, visitor)
    return visitor
  }

  /** The next job whose visitor may render; the visitor moves to the end of the queue. */
  #next(): Turn | undefined {
    for (const [name, visitor] of this.#visitors) {
      if (visitor.isRendering || visitor.isResting) continue
      let job = visitor.queue.shift()
      while (job?.isStarted) job = visitor.queue.shift()
      this.#visitors.delete(name)
      if (!job) continue
      this.#visitors.set(name, visitor)
      return { name, visitor, job }
    }
    return undefined
  }

  async #start() {
    if (this.#isStarting) return
    this.#isStarting = true
    while (this.#running < this.#maxAtOnce) {
      // Requests that arrived in the meantime are answered first.
      await nextTurn()
      const found = this.#next()
      if (!found) break
      void this.#render(found)
    }
    this.#isStarting = false
  }

  async #render({ name, visitor, job }: Turn) {
    this.#running++
    this.#count--
    job.isStarted = visitor.isRendering = true
    if (job.key !== undefined) this.#waiting.delete(job.key)
    const began = performance.now()
    await job.run()
    this.#running--
    visitor.isRendering = false
    this.#rest(name, visitor, performance.now() - began)
    void this.#start()
  }

  /** Pauses for as long as the page took; longer when the process was busy with others in the meantime. */
  #rest(name: string, visitor: Visitor, took: number) {
    visitor.isResting = true
    const before = performance.eventLoopUtilization()
    const end = () => {
      visitor.isResting = false
      if (visitor.queue.length === 0) this.#visitors.delete(name)
      else void this.#start()
    }
    const look = () => {
      if (performance.eventLoopUtilization(before).utilization < BUSY) end()
      else setTimeout(end, Math.min(took * (REST - 1), MAX_REST_MS)).unref()
    }
    setTimeout(look, Math.min(took, MAX_REST_MS)).unref()
  }
}

const busy = () =>
  new AppError(503, 'busy', 'The portal is very busy. Please try again in a moment.', {
    headers: { 'retry-after': '2' },
  })
