import { createHash, randomBytes } from 'node:crypto'
import { createRequestHandler, type ServerBuild } from 'react-router'
import type { Log } from '#server/log.ts'
import { detectLanguage, LANGUAGE_TAGS, type Language, languageOf } from '#shared/language.ts'
import { accessOfPage } from '#shared/page-access.ts'
import { PAGE_QUERY } from '#shared/page-query.ts'
import { nearestPage, pageAt, pageLanguage } from '#shared/pages/pages.ts'
import { mayPass } from '#shared/roles.ts'
import { choiceCookies } from './choice-cookies.ts'
import { RenderQueue } from './render-queue.ts'
import type { ResponseCache } from './response-cache.ts'
import type { Router } from './router.ts'
import { logDeniedPage } from './security-log.ts'
import { type Caller, callerOf, type Session } from './session.ts'

/** The built pages as the bundle exports them; the bundle owns the context key that passes the visitor. */
export interface PageBuild extends ServerBuild {
  entry: ServerBuild['entry'] & { module: ServerBuild['entry']['module'] & { contextFor(visitor: unknown): never } }
}

/** Where React Router's scripts request the routes of visible links; routes not requested are not sent. */
const ROUTES = '/__manifest'

interface PagesDeps {
  build: () => PageBuild | Promise<PageBuild>
  router: Router
  log: Log
  responseCache: ResponseCache
  sessionOf: (request: Request) => Session | Promise<Session>
  mode: 'development' | 'production' | 'test'
  now: () => Date
  publicUrl: string
  /** URL template of map tiles; empty: none are loaded. */
  tilesUrl: () => string
  isCountry: (code: string) => boolean
}

/**
 * Serves every URL that is neither a file nor an API call: server-rendered, and cached as bytes for anonymous visitors.
 */
export class Pages {
  readonly #deps: PagesDeps
  readonly #turns = new RenderQueue()
  readonly #choices: ReturnType<typeof choiceCookies>

  constructor(deps: PagesDeps) {
    this.#deps = deps
    this.#choices = choiceCookies(deps.publicUrl)
  }

  async #render(
    request: Request,
    url: URL,
    caller: Caller,
    { language, place }: { language: Language; place: string | null },
  ): Promise<Response> {
    const build = await this.#deps.build()
    const nonce = randomBytes(18).toString('base64url')
    const context = build.entry.module.contextFor({
      api: this.#deps.router.apiFor(caller),
      language,
      place,
      ...visitorOf(caller.session),
      now: this.#deps.now(),
      isDocument: !url.pathname.endsWith('.data'),
      nonce,
    })
    const init: RequestInit & { duplex?: 'half' } = {
      method: request.method,
      headers: request.headers,
      signal: request.signal,
    }
    if (request.body) Object.assign(init, { body: request.body, duplex: 'half' })
    const handle = createRequestHandler(build, this.#deps.mode)
    const response = await handle(new Request(url, init), context)
    // A rendering error arrives as plain text; the application shows it as a page with an id.
    if (response.status >= 500 && !isPage(response) && !isPageData(response))
      throw new Error('The page could not be drawn.')
    return secured(response, nonce, { mode: this.#deps.mode, tilesUrl: this.#deps.tilesUrl() })
  }

  /** The files needed by the pages behind visible links: the framework's own response, the same for everyone. */
  async #routes(request: Request, requestUrl: URL): Promise<Response> {
    const build = await this.#deps.build()
    const [paths = '', version = ''] = ['paths', 'version'].map((name) => requestUrl.searchParams.get(name) ?? '')
    const url = new URL(`${ROUTES}?${new URLSearchParams({ paths, version })}`, requestUrl.origin)
    const answer = () => createRequestHandler(build, this.#deps.mode)(new Request(url))
    // A page of another version is told to reload, without a body.
    if (version !== build.assets.version) return answer()
    return this.#deps.responseCache.respond(request, `routes ${url.search}`, answer)
  }

  /** The response to a request for a page. */
  async respond(request: Request): Promise<Response> {
    const requestUrl = new URL(request.url)
    if (requestUrl.pathname === ROUTES) return this.#routes(request, requestUrl)
    const chosen = languageOf(requestUrl.searchParams.get('lng'))
    const preferred = detectLanguage({
      query: chosen,
      cookie: this.#choices.find(request.headers, 'lng') ?? null,
      browser: request.headers.get('accept-language'),
    })
    const language = pageLanguage(requestUrl.pathname, preferred)
    const isOwn = isPrivatePage(requestUrl)
    const url = isOwn ? requestUrl : canonical(requestUrl)
    const place = placeFor(url, this.#choices.find(request.headers, 'place'))
    const reader = { language, place }
    const session = await this.#deps.sessionOf(request)
    const extra: Record<string, string> = {
      'content-language': LANGUAGE_TAGS[language],
      vary: 'accept-language, cookie',
      'cache-control': isOwn || session.user || session.waiting ? 'private, no-store' : 'private, no-cache',
    }
    const country = emergencyCountryOf(url)
    if (chosen) extra['set-cookie'] = this.#choices.line('lng', chosen)
    else if (country && this.#deps.isCountry(country)) extra['set-cookie'] = this.#choices.line('place', country)
    // The page itself refuses the visitor; here the refusal is logged.
    if (session.user && !mayPass(accessOfPage(url.pathname), session.user.role, false))
      logDeniedPage(this.#deps.log, url.pathname, session)
    const visitor = session.user?.id ?? session.waiting?.id ?? session.address
    const isUrgent = nearestPage(url.pathname, 'isUrgent') !== undefined
    const isNobody = !session.user && !session.waiting && !session.ended && accessOfPage(url.pathname) === 'anyone'
    if (!isNobody || isOwn || (request.method !== 'GET' && request.method !== 'HEAD')) {
      const caller = { ...callerOf(session), headers: request.headers }
      const response = await this.#turns.take({ visitor, isUrgent }, () => this.#render(request, url, caller, reader))
      for (const [name, value] of Object.entries(extra)) response.headers.append(name, value)
      for (const cookie of caller.cookies) response.headers.append('set-cookie', cookie)
      return response
    }
    // A page rendered for several callers must not be aborted with the first of them.
    const shared = new Request(url, { headers: { accept: request.headers.get('accept') ?? '*/*' } })
    const key = `${language} ${place ?? ''} ${url.pathname}${url.search}`
    this.#turns.join(visitor, key)
    return this.#deps.responseCache.respond(
      request,
      key,
      () => this.#turns.take({ visitor, key, isUrgent }, () => this.#render(shared, url, callerOf(session), reader)),
      extra,
    )
  }
}

/** The caller's data that a page may use. */
function visitorOf({ user, waiting, expiresAt, ended, isUnknown }: Session) {
  const known = (of: NonNullable<Session['user']>) => ({
    id: of.id,
    name: of.name,
    role: of.role,
    ...(of.timeZone ? { timeZone: of.timeZone } : {}),
  })
  return {
    user: user && known(user),
    waiting: waiting ? { ...known(waiting), for: waiting.for } : null,
    expiresAt: expiresAt?.toISOString() ?? null,
    ended: ended === 'invalid_token' ? 'expired' : (ended ?? (isUnknown ? 'unknown' : null)),
  }
}

const isPage = (response: Response) => response.headers.get('content-type')?.startsWith('text/html') ?? false
/** Data requested by a page's scripts: a failed form is reported in it, whatever the status. */
const isPageData = (response: Response) => response.headers.get('content-type')?.startsWith('text/x-script') ?? false

/** Never cached: a page whose address contains a secret, and whatever contains the visitor's position. */
const isPrivatePage = ({ pathname, searchParams }: URL) =>
  searchParams.has('lat') || pageAt(pathname)?.isPrivate === true

/** The country last chosen, for the pages that show it: all others do not depend on it. */
const placeFor = ({ pathname }: URL, chosen: string | undefined): string | null =>
  chosen && pageAt(pathname)?.showsPlace && /^[A-Z]{2}$/.test(chosen) ? chosen : null

/** The country whose emergency page was opened. */
const emergencyCountryOf = ({ pathname }: URL) => /^\/emergency\/([A-Z]{2})$/.exec(pathname)?.[1]

/** Only the parameters that pages read, sorted. */
function canonical(requestUrl: URL): URL {
  const url = new URL(requestUrl.pathname, requestUrl.origin)
  const params = [...requestUrl.searchParams].filter(
    ([name, value]) => PAGE_QUERY.has(name) && value !== '' && value.length <= 500,
  )
  for (const [name, value] of params.sort(([a], [b]) => (a < b ? -1 : 1))) url.searchParams.append(name, value)
  return url
}

/**
 * Allows exactly the inline scripts that the renderer wrote: they carry this rendering's nonce, which no content can
 * know. Their hashes go into the header and the nonce is removed from the page, so that the bytes can be cached.
 */
async function secured(response: Response, nonce: string, policy: Policy): Promise<Response> {
  if (!isPage(response)) return response
  const hashes = new Set<string>()
  const marked = new RegExp(`<script([^>]*?) nonce="${nonce}"([^>]*)>([\\s\\S]*?)</script>`, 'g')
  const html = (await response.text()).replace(marked, (_, before: string, after: string, code: string) => {
    if (code && !/\ssrc=/.test(before + after))
      hashes.add(`'sha256-${createHash('sha256').update(code).digest('base64')}'`)
    return `<script${before}${after}>${code}</script>`
  })
  const headers = new Headers(response.headers)
  headers.set('content-security-policy', contentSecurityPolicy([...hashes], policy))
  return new Response(html.replaceAll(` nonce="${nonce}"`, ''), { status: response.status, headers })
}

interface Policy {
  mode: string
  tilesUrl: string
}

function contentSecurityPolicy(scripts: string[], { mode, tilesUrl }: Policy): string {
  const isDevelopment = mode === 'development'
  return [
    "default-src 'self'",
    // Development tools inject scripts of their own.
    isDevelopment ? "script-src 'self' 'unsafe-inline'" : `script-src 'self' ${scripts.join(' ')}`.trim(),
    // React sets style attributes; external content cannot write style elements, since all of it is sanitised.
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data:", ...hostsOf(tilesUrl)].join(' '),
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Hosts for tiles: 'https://{s}.tile.example/{z}/{x}/{y}.png' has many. */
function hostsOf(tilesUrl: string): string[] {
  const host = /^https?:\/\/[^/\s;,]+/.exec(tilesUrl)?.[0]
  return host ? [host.replace(/^(https?:\/\/)\{s\}\./, '$1*.')] : []
}
