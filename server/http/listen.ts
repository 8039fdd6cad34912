import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { type HttpBindings, serve } from '@hono/node-server'
import { WebSocketServer } from 'ws'
import { CONNECT_REFUSAL } from './methods.ts'

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
        // `server` speaks HTTP/1 only.
        fetch: (request, env) => deps.fetch(request, env as HttpBindings),
        hostname: deps.host,
        port: deps.port,
        createServer: (_options: unknown, listener?: RequestListener) =>
          server.on('request', (request, response) => {
            const handle = () => listener?.(request, response)
            if (before) before(request, response, handle)
            else handle()
          }),
        websocket: { server: new WebSocketServer({ noServer: true, maxPayload: 16 * 1024 }) },
      },
      () => ready(),
    )
  })
}
