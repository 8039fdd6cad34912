import type { Server, ServerResponse } from 'node:http'
import net from 'node:net'

const LETTING_IN_MS = 1_000
const QUIET_TURNS = 10
/** Requests not fully sent by the first limit are refused; connections open at the second are cut. */
const PATIENCE = { requestsMs: 2_000, answersMs: 3_000 }
const sleep = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

/**
 * Stops a server without cutting off clients. Connections in the kernel's accept queue would be reset when it stops
 * listening, and every response may bring a client back on a new one. So requests are deferred for a moment while the
 * queue is accepted; then it stops listening but leaves idle sockets open, and only then every response, the deferred
 * ones first, says `connection: close`. In the other order clients would reconnect into the closing listener.
 */
export function createDrain(server: Server, patience = PATIENCE) {
  const answering = new Set<ServerResponse>()
  const sockets = new Set<net.Socket>()
  let quietTurns = 0
  let isDraining = false
  let deferred: (() => void)[] | null = null
  server.on('connection', (socket: net.Socket) => {
    quietTurns = 0
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  return {
    get isDraining() {
      return isDraining
    },
    /** In front of everything else: `next` handles the request. */
    pass(response: ServerResponse, next: () => void) {
      answering.add(response)
      response.once('close', () => answering.delete(response))
      const answer = () => {
        if (isDraining) response.setHeader('connection', 'close')
        next()
      }
      if (deferred) deferred.push(answer)
      else answer()
    },
    /** Resolves when the last response is sent. `closeSockets` closes the WebSockets, which never end by themselves. */
    async drain(closeSockets: () => void) {
      const began = Date.now()
      const waiting: (() => void)[] = []
      deferred = waiting
      // By event loop turns rather than time: a busy process accepts one connection a turn, however long it takes.
      for (quietTurns = 0; quietTurns < QUIET_TURNS && Date.now() - began < LETTING_IN_MS; quietTurns++) await sleep(2)
      // http's own close would end idle sockets under a client's next request.
      const closed = new Promise<void>((done) => net.Server.prototype.close.call(server, () => done()))
      isDraining = true
      for (const response of answering) if (!response.headersSent) response.setHeader('connection', 'close')
      deferred = null
      for (const answer of waiting) answer()
      closeSockets()
      await sleep(300)
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const timers = [
        setTimeout(() => {
          for (const response of answering) if (!response.req.complete) refuseHalfSent(response)
          const asking = new Set([...answering].map((response) => response.req.socket))
          // Sockets without a complete request: to Node they are not idle.
          for (const socket of sockets) if (!asking.has(socket)) socket.destroy()
        }, patience.requestsMs),
        setTimeout(() => server.closeAllConnections(), patience.answersMs),
      ]
      await closed
      clearInterval(idle)
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** The client may retry elsewhere: nothing was done yet. */
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
