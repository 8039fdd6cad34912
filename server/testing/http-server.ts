import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import type { App } from '#server/app.ts'
import { listen } from '#server/http/listen.ts'

/** Serves an application on a free local port until the file's tests end. */
export async function served(app: App): Promise<{ url: string; server: Server }> {
  const server = createServer()
  await listen(server, {
    fetch: app.fetch,
    host: '127.0.0.1',
    port: 0,
    before: app.before,
  })
  afterAll(
    () =>
      new Promise<void>((done) => {
        app.rooms.close()
        server.close(() => done())
        server.closeAllConnections()
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}
