// A process that puts load on one HTTP server and reports the results, over keep-alive connections with one request at
// a time on each. Uses raw sockets, since a full HTTP client would cost as much as the measured server.
import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface LoadTask {
  origin: string
  paths: string[]
  headers: Record<string, string>
  connections: number
  seconds: number
  /** Requests per second over all connections; if omitted, each is sent as soon as the previous one is answered. */
  pace?: number
}

export interface LoadResult {
  perSecond: number
  p50: number
  p99: number
  answers: number
  /** Responses other than 2xx, broken connections, and requests without a response. */
  errors: number
}

interface Run {
  host: string
  port: number
  requests: Buffer[]
  /** Requests so far; all connections share one pass through the list. */
  sent: number
  from: number
  until: number
  /** Interval between two requests on one connection. */
  everyMs: number
  record(sentAt: number, isGood: boolean): void
}

/** Responses within this time are not counted. */
const WARM_UP_MS = 300
/** How long to wait for outstanding responses after the end. */
const PATIENCE_MS = 3_000
const TICK_MS = 0.01
const TICKS = 1_000_000
const HEAD_END = Buffer.from('\r\n\r\n')

process.once('message', async (task: LoadTask) => {
  process.send!(await run(task), () => process.disconnect())
})

async function run(task: LoadTask): Promise<LoadResult> {
  const { hostname: host, port } = new URL(task.origin)
  const counts = new Uint32Array(TICKS)
  const total = { answers: 0, errors: 0 }
  const from = performance.now() + WARM_UP_MS
  const until = from + task.seconds * 1000
  const record = (sentAt: number, isGood: boolean) => {
    const now = performance.now()
    if (now < from || sentAt >= until) return
    if (!isGood) total.errors++
    else if (now < until) total.answers++
    const tick = Math.min(TICKS - 1, Math.floor((now - sentAt) / TICK_MS))
    counts[tick] = counts[tick]! + 1
  }
  const requests = task.paths.map((path) => Buffer.from(requestText(path, `${host}:${port}`, task.headers)))
  const everyMs = task.pace ? (1000 * task.connections) / task.pace : 0
  const state: Run = { host, port: Number(port), requests, sent: 0, from, until, everyMs, record }
  await Promise.all(
    Array.from({ length: task.connections }, async (_, at) => {
      await pause((everyMs * at) / task.connections)
      await askUntilTheEnd(state)
    }),
  )
  return {
    ...total,
    perSecond: total.answers / task.seconds,
    p50: percentile(counts, 0.5),
    p99: percentile(counts, 0.99),
  }
}

function requestText(path: string, host: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** One connection slot: a broken connection is replaced. */
async function askUntilTheEnd(run: Run): Promise<void> {
  while (performance.now() < run.until) {
    await connection(run)
    if (performance.now() < run.until) await pause(10)
  }
}

/** Sends one request after another until the time is up or the connection breaks. */
function connection(run: Run): Promise<void> {
  return new Promise((done) => {
    let sentAt = 0
    let dueAt = 0
    let isWaiting = false
    let answer = { head: '', missing: Number.NaN, isGood: false }

    /**
     * Sends the next request when it is due. Latency counts from the due time, even if the previous response was late.
     */
    const next = () => {
      const now = performance.now()
      dueAt = run.everyMs > 0 && dueAt > 0 ? dueAt + run.everyMs : now
      if (dueAt <= now) send(dueAt)
      else setTimeout(() => send(performance.now()), dueAt - now)
    }
    const send = (since: number) => {
      // The connection may have broken while no request was due.
      if (socket.destroyed || performance.now() >= run.until) return socket.destroy()
      answer = { head: '', missing: Number.NaN, isGood: false }
      isWaiting = true
      sentAt = since
      socket.write(run.requests[run.sent++ % run.requests.length]!)
    }
    /** Returns whether more data is expected. */
    const receive = (chunk: Buffer): boolean => {
      if (Number.isNaN(answer.missing)) readHead(answer, chunk)
      else answer.missing -= chunk.length
      if (answer.missing === 0) {
        isWaiting = false
        run.record(sentAt, answer.isGood)
        next()
      }
      return !socket.destroyed
    }

    // One buffer per connection, so that responses allocate nothing.
    const buffer = Buffer.allocUnsafe(64 * 1024)
    const socket = net.connect({
      host: run.host,
      port: run.port,
      noDelay: true,
      onread: { buffer, callback: (length) => receive(buffer.subarray(0, length)) },
    } as net.NetConnectOpts)
    const giveUp = setTimeout(() => socket.destroy(), run.until - performance.now() + PATIENCE_MS)
    socket.on('connect', next)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(giveUp)
      // Refused, or broken during a request.
      if (isWaiting || sentAt === 0) run.record(sentAt || performance.now(), false)
      done()
    })
  })
}

function readHead(answer: { head: string; missing: number; isGood: boolean }, chunk: Buffer): void {
  const at = chunk.indexOf(HEAD_END)
  answer.head += chunk.toString('latin1', 0, at < 0 ? chunk.length : at)
  if (at < 0) return
  const length = /\r\ncontent-length: *(\d+)/i.exec(answer.head)?.[1]
  if (length === undefined) throw new Error(`An answer without a length cannot be measured:\n${answer.head}`)
  answer.isGood = answer.head.startsWith('2', 'HTTP/1.1 '.length)
  answer.missing = Number(length) - (chunk.length - at - HEAD_END.length)
}

/** In milliseconds. */
function percentile(counts: Uint32Array, share: number): number {
  const wanted = counts.reduce((sum, n) => sum + n, 0) * share
  let seen = 0
  for (let tick = 0; tick < TICKS; tick++) {
    seen += counts[tick]!
    if (seen > wanted) return tick * TICK_MS
  }
  return Number.NaN
}
