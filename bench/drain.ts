import http from 'node:http'
import { median, milliseconds, type Row } from './report.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { type Portal, startPortal } from './tools/portal.ts'
import { sleep } from './tools/processes.ts'

const CLIENTS = 64
/** Number of clients that open a connection per request, like visitors behind a proxy without keep-alive. */
const NEW_CONNECTION_CLIENTS = 16
const MAX_STOP_MS = 5_000
const PATHS = ['/api/public/travel-advisories?limit=50', '/travel-advisories', '/', '/api/public/ticker']

/** SIGTERM under load: every request in progress gets a complete response, and the process exits soon. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const url = await ground.database()
  const seen: ResponseCounts = { answered: 0, cut: 0, reset: 0, failed: 0, idleClosed: 0 }
  const exits: number[] = []
  const codes = new Set<number | string>()
  for (let round = 0; round < ground.options.repeat; round++) {
    const portal = await startPortal({ DATABASE_URL: url })
    const exit = await stopUnderLoad(portal, seen)
    exits.push(exit.milliseconds)
    codes.add(exit.code)
  }
  const lost = seen.cut + seen.reset + seen.failed
  const rounds = `${ground.options.repeat} × SIGTERM, ${CLIENTS} connections`
  return [
    {
      what: `${rounds}: requests cut, reset, answered 5xx (of ${seen.answered + lost})`,
      budget: '0',
      measured: `${seen.cut}, ${seen.reset}, ${seen.failed}`,
      baseline: '',
      ratio: '',
      isMet: lost === 0,
    },
    {
      what: `${rounds}: idle connections closed under a client's next request`,
      budget: '',
      measured: String(seen.idleClosed),
      baseline: '',
      ratio: '',
      isMet: null,
    },
    {
      what: `${rounds}: until the process has ended (median, slowest), exit code`,
      budget: '≤ 5 s, 0',
      measured: `${milliseconds(median(exits))}, ${milliseconds(Math.max(...exits))}; ${[...codes].join(', ')}`,
      baseline: '',
      ratio: '',
      isMet: Math.max(...exits) <= MAX_STOP_MS && [...codes].every((code) => code === 0),
    },
  ]
}

interface ResponseCounts {
  answered: number
  /** Closed in the middle of a response. */
  cut: number
  /** Closed before any response, on a new connection that accepted the request. */
  reset: number
  failed: number
  /** The same on a keep-alive connection: clients retry by themselves. */
  idleClosed: number
}

async function stopUnderLoad(
  portal: Portal,
  seen: ResponseCounts,
): Promise<{ milliseconds: number; code: number | string }> {
  const sharedAgent = new http.Agent({ keepAlive: true, maxSockets: CLIENTS - NEW_CONNECTION_CLIENTS })
  let isOver = false
  const client = async (_: unknown, i: number) => {
    for (let n = i; !isOver; n++) {
      const result = await request(
        portal.url + PATHS[n % PATHS.length]!,
        i < NEW_CONNECTION_CLIENTS ? new http.Agent() : sharedAgent,
      )
      // Connection refused: the port is closed and nothing was sent.
      if (result === 'refused') return
      seen[result]++
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  await sleep(400 + Math.random() * 400)
  const began = performance.now()
  portal.signal('SIGTERM')
  const code = await Promise.race([portal.exited, sleep(2 * MAX_STOP_MS).then(() => 'did not end')])
  const milliseconds = performance.now() - began
  portal.signal('SIGKILL')
  isOver = true
  await Promise.all(clients)
  sharedAgent.destroy()
  return { milliseconds, code }
}

function request(url: string, agent: http.Agent): Promise<keyof ResponseCounts | 'refused'> {
  return new Promise((resolve) => {
    const clientRequest = http.get(url, { agent }, (response) => {
      response.resume()
      response.on('error', () => resolve('cut'))
      response.on('end', () =>
        resolve(!response.complete ? 'cut' : response.statusCode! >= 500 ? 'failed' : 'answered'),
      )
    })
    clientRequest.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : clientRequest.reusedSocket ? 'idleClosed' : 'reset'),
    )
  })
}
