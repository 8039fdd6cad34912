import type { Server } from 'node:http'
import net from 'node:net'

const ACCEPTING_MS = 1_000
const QUIET_MS = 80
const sleep = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

/**
 * Lets a server end without cutting anybody: first the connections that wait in the kernel's queue are accepted, then
 * it stops listening but leaves idle sockets open, and only then every answer says `connection: close`. The other way
 * round clients would reconnect into the closing listener.
 */
export function createDrain(server: Server) {
  let lastAccepted = 0
  let isDraining = false
  server.on('connection', () => {
    lastAccepted = Date.now()
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
      while (Date.now() - began < ACCEPTING_MS && Date.now() - Math.max(lastAccepted, began) < QUIET_MS) await sleep(10)
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
