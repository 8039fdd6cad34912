import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { freePort, ours, ROOT, sleep } from './processes.ts'

const READY_WITHIN_MS = 240_000

export type Portal = Awaited<ReturnType<typeof startPortal>>

/** Starts the portal as in production, on a free local port, and waits until it reports ready. */
export async function startPortal(environment: Record<string, string>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = ours(
    spawn(process.execPath, ['server/main.ts'], {
      cwd: ROOT,
      env: {
        ...withoutOurs(process.env),
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: url,
        FEEDS: 'off',
        CITIES: '0',
        LOG_LEVEL: 'error',
        ...environment,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  )
  let output = ''
  child.stderr.on('data', (chunk) => {
    output = (output + chunk).slice(-2_000)
  })
  const exited = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 0)),
  )
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`The portal ended before it was ready: ${output}`)
    if (performance.now() - began > READY_WITHIN_MS) throw new Error(`The portal was not ready in time: ${output}`)
    await sleep(5)
  }
  return {
    url,
    readyMs: performance.now() - began,
    exited,
    /** Resident memory of the process in bytes; undefined if the system does not report it. */
    residentBytes: () => residentBytes(child.pid!),
    /** Waits until all start-up work is done; returns the duration. */
    waitUntilIdle: () => waitUntilIdle(child.pid!),
    signal: (name: NodeJS.Signals) => child.kill(name),
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** A developer's own settings must not affect the measurement. */
function withoutOurs({ PORT: _p, HOST: _h, DATABASE_URL: _u, DATA_DIR: _d, ROLE: _r, ...rest }: NodeJS.ProcessEnv) {
  return rest
}

async function isReady(url: string): Promise<boolean> {
  return ask(url, '/ready').then(
    ({ status }) => status === 200,
    () => false,
  )
}

export function residentBytes(pid: number): number | undefined {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
  } catch {
    return undefined
  }
}

const LOOK_EVERY_MS = 500
/** Some start-up work begins only after several seconds. */
const QUIET_FOR_MS = 4_000
const IDLE_TIMEOUT_MS = 60_000
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

/** Waits until a process has been almost idle for a while; a fixed time if the system does not report it. */
async function waitUntilIdle(pid: number): Promise<number> {
  const began = performance.now()
  let quietSince = began
  let before = processorMs(pid)
  while (performance.now() - began < IDLE_TIMEOUT_MS && performance.now() - quietSince < QUIET_FOR_MS) {
    await sleep(LOOK_EVERY_MS)
    const now = processorMs(pid)
    if (now === undefined || before === undefined || now - before > LOOK_EVERY_MS / 10) quietSince = performance.now()
    before = now
  }
  return quietSince - began
}

/** Processor time used by a process, in milliseconds; undefined if the system does not report it. */
function processorMs(pid: number): number | undefined {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').slice(11, 13)
    return (Number(user) + Number(system)) * TICK_MS
  } catch {
    return undefined
  }
}

export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
  milliseconds: number
}

interface Question {
  method?: string
  headers?: Record<string, string>
  timeoutMs?: number
  agent?: http.Agent
}

/** Sends one request with exactly these headers, so that the response depends on nothing else. */
export function ask(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, timeoutMs = 10_000, agent }: Question = {},
) {
  const began = performance.now()
  return new Promise<Answer>((resolve, reject) => {
    const request = http.request(origin + path, { method, headers, agent: agent ?? new http.Agent() }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(chunks),
          milliseconds: performance.now() - began,
        }),
      )
    })
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)))
    request.on('error', reject)
    request.end()
  })
}
