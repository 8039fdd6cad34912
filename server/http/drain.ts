import type { Server, ServerResponse } from 'node:http'
import net from 'node:net'

const LETTING_IN_MS = 1_000
const QUIET_TURNS = 10
/** A request whose body has not come whole by then is refused; what is still open after the second time is cut. */
const PATIENCE = { bodiesMs: 2_000, answersMs: 3_500 }
const sleep = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

/**
 * Lets a server end without cutting anybody. Connections that wait in the kernel's queue when it stops listening would be
 * reset, and every answer may bring a client back on a new one. So requests are held for a moment while the queue is let
 * in; then it stops listening but leaves idle sockets open, and only then every answer, the held ones first, says
 * `connection: close`. The other way round clients would reconnect into the closing listener.
 */
export function createDrain(server: Server, patience = PATIENCE) {
  const answering = new Set<ServerResponse>()
  let quietTurns = 0
  let isDraining = false
  let held: (() => void)[] | null = null
  server.on('connection', () => {
    quietTurns = 0
  })

  return {
    get isDraining() {
      return isDraining
    },
    /** In front of everything else: `next` answers the request. */
    pass(response: ServerResponse, next: () => void) {
      answering.add(response)
      response.once('close', () => answering.delete(response))
      const answer = () => {
        if (isDraining) response.setHeader('connection', 'close')
        next()
      }
      if (held) held.push(answer)
      else answer()
    },
    /** Resolves when the last answer has been given. `closeSockets` ends the websockets, which never end by themselves. */
    async drain(closeSockets: () => void) {
      const began = Date.now()
      const waiting: (() => void)[] = []
      held = waiting
      // By turns of the loop and not by the clock: a busy process accepts one connection a turn, however long it takes.
      for (quietTurns = 0; quietTurns < QUIET_TURNS && Date.now() - began < LETTING_IN_MS; quietTurns++) await sleep(2)
      // http's own close would end idle sockets under a client's next request.
      const closed = new Promise<void>((done) => net.Server.prototype.close.call(server, () => done()))
      isDraining = true
      for (const response of answering) if (!response.headersSent) response.setHeader('connection', 'close')
      held = null
      for (const answer of waiting) answer()
      closeSockets()
      await sleep(300)
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const timers = [
        setTimeout(() => {
          for (const response of answering) if (!response.req.complete) refuseHalfSent(response)
        }, patience.bodiesMs),
        // Also those who connected and never asked for anything.
        setTimeout(() => server.closeAllConnections(), patience.answersMs),
      ]
      await closed
      clearInterval(idle)
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** Its sender may try again elsewhere: nothing was done yet. */
function refuseHalfSent(response: ServerResponse) {
  const { socket } = response
  if (response.headersSent) return void socket?.destroy()
  const body = JSON.stringify({
    success: false,
    error: 'The portal is restarting. Nothing was saved. Please try again in a moment.',
    code: 'restarting',
  })
  response.writeHead(503, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'retry-after': '2',
    connection: 'close',
  })
  response.end(body, () => socket?.destroySoon())
}
