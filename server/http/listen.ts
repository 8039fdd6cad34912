import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type HttpBindings, serve } from '@hono/node-server'
import { WebSocketServer } from 'ws'
import { CONNECT_REFUSAL } from './methods.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Starts an HTTP server for an application. `before` sees every request first and may answer it; the application
 * handles the rest.
 */
export function listen(
  server: Server,
  deps: {
    fetch: (request: Request, env: HttpBindings) => Response | Promise<Response>
    host: string
    port: number
    before?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
  },
): Promise<void> {
  return new Promise((ready, failed) => {
    server.once('error', failed)
    server.on('connect', (_request, socket) => socket.end(CONNECT_REFUSAL))
    const { before } = deps
    serve(
      {
        fetch: deps.fetch,
        hostname: deps.host,
        port: deps.port,
        createServer: (_options: unknown, listener: Listener) =>
          server.on(
            'request',
            before ? (request, response) => before(request, response, () => listener(request, response)) : listener,
          ),
        websocket: { server: new WebSocketServer({ noServer: true, maxPayload: 16 * 1024 }) },
      } as unknown as Parameters<typeof serve>[0],
      () => ready(),
    )
  })
}
