import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import { googleAddresses } from '#server/accounts/callback.ts'
import { renamesCookie } from '#server/accounts/renamed-cookie.ts'
import type { Pause } from '#server/accounts/sign-ins/attempts.ts'
import { documents } from '#server/advisories/documents.ts'
import type { FeedDeps } from '#server/advisories/feeds/deps.ts'
import type { AssistantOptions } from '#server/assistant/module.ts'
import { churchDocuments } from '#server/churches/documents.ts'
import type { Database } from '#server/db/connection.ts'
import { retryWhileUnavailable } from '#server/db/startup-retry.ts'
import type { HookProviders } from '#server/delivery/webhooks/endpoints.ts'
import type { Store } from '#server/files/store.ts'
import type { loadAssets } from '#server/http/assets.ts'
import { API_HEADERS, apiKey, createCacheFront } from '#server/http/cache-front.ts'
import { failureOf } from '#server/http/failure.ts'
import { failurePage } from '#server/http/failure-page.ts'
import { type Health, health } from '#server/http/health.ts'
import { onlyKnownMethods } from '#server/http/methods.ts'
import { createPages, type PageBuild } from '#server/http/pages.ts'
import { protect, requestLog, withAddress } from '#server/http/protection.ts'
import { redirects } from '#server/http/redirects.ts'
import { ResponseCache } from '#server/http/response-cache.ts'
import { createRouter } from '#server/http/router.ts'
import { securityText } from '#server/http/security-txt.ts'
import type { ReadSession, Session } from '#server/http/session.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Senders } from '#server/notifications/admin/send-api/extras.ts'
import { broadcastAdvisoryChanges } from '#server/realtime/advisory-updates.ts'
import { closeChangedSockets, realtime } from '#server/realtime/endpoint.ts'
import { broadcastInboxUpdates } from '#server/realtime/inbox-updates.ts'
import { Rooms } from '#server/realtime/rooms.ts'
import { broadcastRollCallChanges } from '#server/roll-calls/live-updates.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { AppError } from '#shared/errors.ts'
import type { Settings } from './env.ts'
import type { Log } from './log.ts'
import { createModels } from './models.ts'
import { registerModules } from './modules.ts'

export interface AppDeps {
  database: Database
  log: Log
  mode: 'development' | 'production' | 'test'
  publicUrl: string
  /** Built pages; absent when only the API is served. */
  pages?: () => PageBuild | Promise<PageBuild>
  assets?: Awaited<ReturnType<typeof loadAssets>>
  /** Replaces the portal's own session reader in tests. */
  readSession?: ReadSession
  /** Signs cookies; at least 32 characters. */
  secret: string
  google?: Settings['google']
  hub?: Settings['hub']
  places?: Settings['places']
  model?: Settings['model']
  /** Message transports, and the settings of delivery webhooks. */
  providers?: Partial<HookProviders & Senders & Pick<Settings, 'pushKeys' | 'allowsPrivatePush'>>
  queue?: Queue
  /** Absent when the portal makes no scheduled backups. */
  backup?: Settings['backup']
  trustedProxies?: number
  now?: () => Date
  /** Replaces the wait that slows sign-ins down, for tests. */
  pause?: Pause
  hasSampleContent?: boolean
  /** Anyone on this machine may read the messages that were recorded instead of sent. */
  hasOpenOutbox?: boolean
  /** Channels without a provider. */
  unsentChannels?: MessageChannel[]
  /** Storage of file contents; absent when uploads are disabled. */
  files?: Store
  /** Dependencies of a manual feed fetch; absent when nothing may be fetched. */
  feeds?: FeedDeps
  health?: Health
  /** What the assistant may query besides the portal's records. */
  assistant?: AssistantOptions
}

export type App = Awaited<ReturnType<typeof createApp>>

const ASSISTANT_WARMS_MS = 3_000
const DAY_MS = 86_400_000

const nextMidnight = (now: number) => Math.floor(now / DAY_MS + 1) * DAY_MS

/** Assembles the portal over an open, migrated database. Everything that varies is injected. */
export async function createApp(deps: AppDeps) {
  const { database, log, publicUrl } = deps
  const now = deps.now ?? (() => new Date())
  const models = createModels(database, log)
  const { readModel, advisories, churches, settings } = models
  const { countries } = models.countries
  const responseCache = new ResponseCache({
    rows: readModel,
    // Facts expire with the day.
    validUntil: (began) => Math.min(advisories.validUntil(now()).valueOf(), nextMidnight(began)),
  })
  const rooms = new Rooms()
  readModel.onChange((changes) => broadcastAdvisoryChanges(rooms, advisories, changes))
  await database.listen('notifications', (recipients) => broadcastInboxUpdates(rooms, recipients))
  await closeChangedSockets(database, rooms)
  await broadcastRollCallChanges(database, rooms)

  const router = createRouter({ database, now, log })
  const { readSession, assistant } = registerModules(router, models, { ...deps, now })
  await retryWhileUnavailable(log, 'read model', () => readModel.start())
  // Not before the first pages have been served.
  const warming = deps.mode === 'production' ? setTimeout(assistant.warm, ASSISTANT_WARMS_MS).unref() : undefined

  const sessions = new WeakMap<Request, Session | Promise<Session>>()
  const sessionOf = (request: Request): Session | Promise<Session> => {
    const known = sessions.get(request)
    if (known) return known
    const session = readSession(request, withAddress.of(request))
    sessions.set(request, session)
    return session
  }

  const app = new Hono()
  // Static files need nothing below: no caller address, no log line, and they set their own headers.
  if (deps.assets) app.use((c, next) => Promise.resolve(deps.assets!(c.req.raw) ?? next()))
  app.use(withAddress.middleware(deps.trustedProxies ?? 0))
  app.use(requestLog(log))
  app.use(protect({ publicUrl }))
  app.use(onlyKnownMethods)
  app.use(renamesCookie(publicUrl))

  health(app, { database, readModel, responseCache, rooms, ...(deps.health ? { more: deps.health } : {}) })

  realtime(app, { rooms, database, sessionOf, publicUrl })

  app.route(
    '/api',
    router.routes({
      sessionOf,
      finish: (request, make) => {
        const { pathname, searchParams } = new URL(request.url)
        return responseCache.respond(request, apiKey(pathname, searchParams), make, API_HEADERS)
      },
    }),
  )
  app.get('/api/openapi.json', (c) =>
    responseCache.respond(c.req.raw, 'openapi', async () => Response.json(router.document(publicUrl)), API_HEADERS),
  )
  app.get('/api/docs', async () => {
    const html = await readFile(new URL('./http/api-docs.html', import.meta.url), 'utf8')
    return new Response(html, {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      },
    })
  })
  app.all('/api/*', () => {
    throw new AppError(404, 'endpoint_not_found', 'There is no such endpoint. See /api/docs.')
  })

  const churchIds = () =>
    churches
      .all()
      .filter(({ discreet_mode }) => discreet_mode === 'exact')
      .map(({ id }) => id)
  documents(app, { model: advisories, countries, settings, responseCache, churchIds, publicUrl, now })
  churchDocuments(app, { model: churches, version: () => readModel.version, publicUrl, now })
  securityText(app, { settings, publicUrl, now })
  redirects(app)
  googleAddresses(app, { router, sessionOf, log })

  if (deps.pages) {
    const tilesUrl = () => settings.get('locator.tiles_url')
    const page = createPages({
      build: deps.pages,
      router,
      log,
      responseCache,
      sessionOf,
      mode: deps.mode,
      now,
      publicUrl,
      tilesUrl,
      isCountry: (code) => countries().find(code) !== undefined,
    })
    app.all('*', (c) => page(c.req.raw))
  }
  app.notFound(() =>
    Response.json({ success: false, error: 'There is nothing at this address.', code: 'not_found' }, { status: 404 }),
  )
  app.onError((error, c) => {
    const { status, body, headers } = failureOf(error, log)
    const isPage = !c.req.path.startsWith('/api/') && (c.req.header('accept') ?? '').includes('text/html')
    const response = isPage ? failurePage(status, body, headers) : Response.json(body, { status, headers })
    response.headers.set('cache-control', 'no-store')
    return response
  })

  return {
    fetch: (request: Request, env?: unknown): Response | Promise<Response> => app.fetch(request, env as object),
    /** Answers what it can from the cache; everything else goes to `fetch`. */
    before: createCacheFront({ router, responseCache, log }),
    request: app.request.bind(app),
    door: router,
    rooms,
    readModel,
    responseCache,
    models,
    stop() {
      clearTimeout(warming)
      assistant.stop()
      readModel.stop()
      rooms.close()
    },
  }
}
