// A process that puts one HTTP server under load and reports what it saw, over kept connections with one request at a
// time on each. Raw sockets, since a full HTTP client would cost as much as the server that is measured.
import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface LoadTask {
  origin: string
  paths: string[]
  headers: Record<string, string>
  connections: number
  seconds: number
  /** Requests a second over all connections; without it each is sent as soon as the one before is answered. */
  pace?: number
}

export interface LoadResult {
  perSecond: number
  p50: number
  p99: number
  answers: number
  /** Answers that were not 2xx, connections that broke, requests without any answer. */
  errors: number
}

interface Run {
  host: string
  port: number
  requests: Buffer[]
  /** Requests so far, so that all connections together go through the list. */
  sent: number
  from: number
  until: number
  /** Between two requests of one connection. */
  everyMs: number
  record(sentAt: number, isGood: boolean): void
}

/** Answers of this time are not counted. */
const WARM_UP_MS = 300
/** How long after the end an answer is still waited for. */
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

/** One place among the connections: when its connection breaks another takes it. */
async function askUntilTheEnd(run: Run): Promise<void> {
  while (performance.now() < run.until) {
    await connection(run)
    if (performance.now() < run.until) await pause(10)
  }
}

/** Asks one question after the other; ends with the time, or when the connection breaks. */
function connection(run: Run): Promise<void> {
  return new Promise((done) => {
    let sentAt = 0
    let dueAt = 0
    let isWaiting = false
    let answer = { head: '', missing: Number.NaN, isGood: false }

    /** Sends the next request when it is due; one that had to wait for the answer before it has waited since then. */
    const next = () => {
      const now = performance.now()
      dueAt = run.everyMs > 0 && dueAt > 0 ? dueAt + run.everyMs : now
      if (dueAt <= now) send(dueAt)
      else setTimeout(() => send(performance.now()), dueAt - now)
    }
    const send = (since: number) => {
      // The connection may have broken while nothing was due.
      if (socket.destroyed || performance.now() >= run.until) return socket.destroy()
      answer = { head: '', missing: Number.NaN, isGood: false }
      isWaiting = true
      sentAt = since
      socket.write(run.requests[run.sent++ % run.requests.length]!)
    }
    /** Says whether more is wanted. */
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

    // One buffer for each connection: nothing is allocated for an answer.
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
      // Refused, or broken under a request.
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
