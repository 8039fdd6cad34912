import type { Server } from 'node:http'
import net from 'node:net'

const ACCEPTING_MS = 2_000
const QUIET_TURNS = 10
const sleep = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

/**
 * Lets a server end without cutting anybody: first the connections that wait in the kernel's queue are accepted, then
 * it stops listening but leaves idle sockets open, and only then every answer says `connection: close`. The other way
 * round clients would reconnect into the closing listener.
 */
export function createDrain(server: Server) {
  let quietTurns = 0
  let isDraining = false
  server.on('connection', () => {
    quietTurns = 0
  })
  server.on('request', (_request, response) => {
    if (isDraining) response.setHeader('connection', 'close')
  })

  return {
    get isDraining() {
      return isDraining
    },
    /** Resolves when the last answer has been given. `closeSockets` ends the websockets, which never end by themselves. */
    async drain(closeSockets: () => void) {
      const began = Date.now()
      // By turns of the loop and not by the clock: a busy process accepts one connection a turn, however long it takes.
      for (quietTurns = 0; quietTurns < QUIET_TURNS && Date.now() - began < ACCEPTING_MS; quietTurns++) await sleep(8)
      // http's own close would end idle sockets under a client's next request.
      const closed = new Promise<void>((done) => net.Server.prototype.close.call(server, () => done()))
      isDraining = true
      closeSockets()
      await sleep(300)
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      await closed
      clearInterval(idle)
    },
  }
}
