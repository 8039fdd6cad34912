import { readFile } from 'node:fs/promises'
import { type Context, Hono } from 'hono'
import { registerGoogleCallback } from '#server/accounts/callback.ts'
import { renamesCookie } from '#server/accounts/renamed-cookie.ts'
import { documents } from '#server/advisories/documents.ts'
import { churchDocuments } from '#server/churches/documents.ts'
import { churchMaps } from '#server/churches/map/images.ts'
import type { Database } from '#server/db/connection.ts'
import { retryWhileUnavailable } from '#server/db/startup-retry.ts'
import { API_HEADERS, apiKey, createCacheFront } from '#server/http/cache-front.ts'
import { errorResponseOf } from '#server/http/failure.ts'
import { errorPage } from '#server/http/failure-page.ts'
import { health } from '#server/http/health.ts'
import { onlyKnownMethods } from '#server/http/methods.ts'
import { Pages } from '#server/http/pages.ts'
import { protect, requestLog, withAddress } from '#server/http/protection.ts'
import { redirects } from '#server/http/redirects.ts'
import { ResponseCache } from '#server/http/response-cache.ts'
import { Router } from '#server/http/router.ts'
import { callerOf, NOBODY, type Session } from '#server/http/session.ts'
import { broadcastAdvisoryChanges } from '#server/realtime/advisory-updates.ts'
import { closeChangedSockets, realtime } from '#server/realtime/endpoint.ts'
import { broadcastInboxUpdates } from '#server/realtime/inbox-updates.ts'
import { Rooms } from '#server/realtime/rooms.ts'
import { broadcastRollCallChanges } from '#server/roll-calls/live-updates.ts'
import { securityText } from '#server/settings/security-txt.ts'
import { listLocales } from '#shared/churches/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { AppDeps } from './app-deps.ts'
import type { Log } from './log.ts'
import { createModels, type Models } from './models.ts'
import { registerModules } from './modules.ts'

export type App = Awaited<ReturnType<typeof createApp>>

const ASSISTANT_WARMS_MS = 3_000
const DAY_MS = 86_400_000

const nextMidnight = (now: number) => Math.floor(now / DAY_MS + 1) * DAY_MS

/** Assembles the portal over an open, migrated database. Everything that varies is injected. */
export async function createApp(deps: AppDeps) {
  const { database, log, publicUrl } = deps
  const now = deps.now ?? (() => new Date())
  const models = createModels(database, log)
  const { readModel, advisories, settings } = models
  const { countries } = models.countries
  const responseCache = new ResponseCache({
    rows: readModel,
    // Facts expire with the day.
    validUntil: (began) => Math.min(advisories.validUntil(now()).valueOf(), nextMidnight(began)),
  })
  const rooms = new Rooms()
  await startLiveUpdates(database, rooms, models)

  const router = new Router({ database, now, log })
  const { readSession, assistant } = registerModules(router, models, { ...deps, now })
  await retryWhileUnavailable(log, 'read model', () => readModel.start())
  // Not before the first pages have been served.
  const warming = deps.mode === 'production' ? setTimeout(assistant.warm, ASSISTANT_WARMS_MS).unref() : undefined
  const sessionOf = oncePerRequest((request) => readSession(request, withAddress.of(request)))

  const app = new Hono()
  // Static files need nothing below: no caller address, no log line, and they set their own headers.
  const { assets } = deps
  if (assets) app.use((c, next) => Promise.resolve(assets(c.req.raw) ?? next()))
  app.use(withAddress.middleware(deps.trustedProxies ?? 0))
  app.use(requestLog(log))
  app.use(protect({ publicUrl }))
  app.use(onlyKnownMethods)
  app.use(renamesCookie(publicUrl))

  health(app, { database, readModel, responseCache, rooms, ...(deps.health ? { more: deps.health } : {}) })

  realtime(app, { rooms, database, sessionOf, publicUrl })

  mountApi(app, { router, responseCache, sessionOf, publicUrl })

  mountDocuments(app, { models, router, responseCache, publicUrl, now })
  redirects(app)
  registerGoogleCallback(app, { router, sessionOf, log })

  if (deps.pages) {
    const tilesUrl = () => settings.get('locator.tiles_url')
    const pages = new Pages({
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
    app.all('*', (c) => pages.respond(c.req.raw))
  }
  app.notFound(() =>
    Response.json({ success: false, error: 'There is nothing at this address.', code: 'not_found' }, { status: 404 }),
  )
  app.onError((error, c) => errorResponse(error, c, log))

  return {
    fetch: (request: Request, env?: unknown): Response | Promise<Response> => app.fetch(request, env as object),
    /** Answers what it can from the cache; everything else goes to `fetch`. */
    before: createCacheFront({ router, responseCache, log }),
    request: app.request.bind(app),
    router,
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

/** Notifies open pages of changes. */
async function startLiveUpdates(database: Database, rooms: Rooms, { readModel, advisories }: Models): Promise<void> {
  readModel.onChange((changes) => broadcastAdvisoryChanges(rooms, advisories, changes))
  await database.listen('notifications', (recipients) => broadcastInboxUpdates(rooms, recipients))
  await closeChangedSockets(database, rooms)
  await broadcastRollCallChanges(database, rooms)
}

/** Feeds, sitemaps and other documents for programs. */
function mountDocuments(
  app: Hono,
  deps: { models: Models; router: Router; responseCache: ResponseCache; publicUrl: string; now: () => Date },
) {
  const { models, router, responseCache, publicUrl, now } = deps
  const { advisories, churches, readModel, settings } = models
  const { countries } = models.countries
  const churchIds = () =>
    churches
      .all()
      .filter(({ discreet_mode }) => discreet_mode === 'exact')
      .map(({ id }) => id)
  documents(app, { model: advisories, countries, settings, responseCache, churchIds, publicUrl, now })
  churchDocuments(app, { model: churches, version: () => readModel.version, publicUrl, now })
  const api = router.apiFor(callerOf(NOBODY))
  churchMaps(app, { model: churches, cities: models.cities, list: (query) => api(listLocales, { query }) })
  securityText(app, { settings, publicUrl, now })
}

/** Endpoints under /api and their description; responses made from memory are cached as bytes. */
function mountApi(
  app: Hono,
  deps: { router: Router; responseCache: ResponseCache; sessionOf: SessionOf; publicUrl: string },
) {
  const { router, responseCache, sessionOf, publicUrl } = deps
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
    throw new AppError(404, 'endpoint_not_found', 'Endpoint not found. See /api/docs.')
  })
}

type SessionOf = (request: Request) => Session | Promise<Session>

/** Reads the session of a request once, however many parts of the portal ask for it. */
function oncePerRequest(read: SessionOf): SessionOf {
  const sessions = new WeakMap<Request, Session | Promise<Session>>()
  return (request) => {
    const known = sessions.get(request)
    if (known) return known
    const session = read(request)
    sessions.set(request, session)
    return session
  }
}

function errorResponse(error: Error, c: Context, log: Log): Response {
  const { status, body, headers } = errorResponseOf(error, log)
  const isPage = !c.req.path.startsWith('/api/') && (c.req.header('accept') ?? '').includes('text/html')
  const response = isPage ? errorPage(status, body, headers) : Response.json(body, { status, headers })
  response.headers.set('cache-control', 'no-store')
  return response
}
