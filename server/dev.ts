import type { Server } from 'node:http'
import { createServer as createVite } from 'vite'
import type { PageBuild } from '#server/http/pages.ts'
import type { App, createApp as CreateApp } from './app.ts'
import type { AppDeps } from './app-deps.ts'

/**
 * Development: Vite runs in front on the same port and loads both the pages and the server modules, so edits to either
 * take effect at once. Stateful parts (database, jobs) are injected and stay open.
 */
export async function developmentApp(server: Server, deps: AppDeps) {
  const vite = await createVite({ server: { middlewareMode: true, hmr: { server } }, appType: 'custom' })
  let loaded: unknown
  let app: Promise<App> | undefined

  async function current(): Promise<App> {
    const module = (await vite.ssrLoadModule('/server/app.ts')) as { createApp: typeof CreateApp }
    if (module !== loaded || !app) {
      loaded = module
      const old = app
      app = module.createApp({
        ...deps,
        pages: () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<PageBuild>,
      })
      old?.then((previous) => previous.stop()).catch(() => {})
    }
    return app
  }

  await current()
  return {
    fetch: async (request: Request, env: unknown) => (await current()).fetch(request, env),
    before: vite.middlewares,
    stop: async () => {
      ;(await app)?.stop()
      await vite.close()
    },
  }
}
