import { Hono } from 'hono'
import type * as z from 'zod'
import { type Claims, withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import type { Endpoint } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { type Access, mayPass, type OpenAccess } from '#shared/roles.ts'
import { readBytes, uploadOf } from './body.ts'
import { type BufferedResponse, bufferedJson, bytesOf, responseOf } from './buffered-response.ts'
import { errorResponseOf, isAppError } from './failure.ts'
import { methodNotAllowed } from './methods.ts'
import { documentEndpoints } from './openapi.ts'
import { addressesOf } from './path-aliases.ts'
import { logRefusal } from './security-log.ts'
import { type Caller, callerOf, NOBODY, type Session, type SignedIn } from './session.ts'

/** `user` is the signed-in caller: never null by type where the endpoint's access requires an account. */
export interface RequestContext<User extends SignedIn | null = SignedIn | null> {
  session: Session
  user: User
  now: Date
}
/** Context of a handler that runs outside a transaction: it opens its own, or waits for other services. */
export interface ActionContext<User extends SignedIn | null = SignedIn | null> extends RequestContext<User> {
  database: Database
  headers: Headers
  log: Log
  /** Adds `set-cookie` lines to the response. */
  setCookies: (lines: string[]) => void
}
type UserOf<A extends Access> = A extends OpenAccess ? SignedIn | null : SignedIn
type HandlerEndpoint<A extends Access, P, O> = Endpoint & { access: A; '~': { parsed: P; output: O } }
type Input = { params?: unknown; query?: unknown; body?: unknown }
type Answer = (ctx: ActionContext<never>, input: never) => unknown

interface Row {
  endpoint: Endpoint
  answer: Answer
  isCacheable: boolean
}

const MAX_BODY_BYTES = 1024 * 1024

/**
 * The only entry point. Every read and write, over HTTP or in process from a page, passes through here: access, schema,
 * handler. `now` returns the time; replaced in tests.
 */
export class Router {
  readonly #database: Database
  readonly #now: () => Date
  readonly #log: Log
  readonly #rows = new Map<string, Row>()
  /** Cacheable endpoints without path parameters, by path. */
  readonly #cacheableByPath = new Map<string, Endpoint>()

  constructor({ database, now, log }: { database: Database; now: () => Date; log: Log }) {
    this.#database = database
    this.#now = now
    this.#log = log
  }

  /** Handles from the database: the handler runs in one transaction under the caller's claims. */
  handle<A extends Access, P, O>(
    endpoint: HandlerEndpoint<A, P, O>,
    handler: (ctx: RequestContext<UserOf<A>> & { db: Db }, input: P) => Promise<O>,
  ) {
    const answer = ({ session, user, now }: ActionContext<UserOf<A>>, input: P) =>
      withClaims(this.#database, claimsOf(session), (db) => handler({ session, user, now, db }, input))
    this.#register(endpoint, answer as Answer, false)
  }

  /** Handles outside a transaction: signing in, files, calls to other services. */
  act<A extends Access, P, O>(
    endpoint: HandlerEndpoint<A, P, O>,
    handler: (ctx: ActionContext<UserOf<A>>, input: P) => Promise<O>,
  ) {
    this.#register(endpoint, handler as Answer, false)
  }

  /**
   * Handles from memory, without the database: available while the database is not. GET responses are cached as
   * bytes.
   */
  serve<A extends Access, P, O>(
    endpoint: HandlerEndpoint<A, P, O>,
    handler: (ctx: RequestContext<UserOf<A>>, input: P) => O | Promise<O>,
  ) {
    this.#register(endpoint, handler as Answer, endpoint.method === 'GET' && endpoint.access === 'anyone')
  }

  /** The same calls for a page, in process, with the visitor's session. Every error has a status and a code. */
  apiFor(caller: Caller) {
    return async <I, O>(endpoint: { key: string; '~': { input: I; output: O } }, input?: I): Promise<O> => {
      try {
        return (await this.call(caller, endpoint.key, (input ?? {}) as Input)) as O
      } catch (error) {
        if (isAppError(error)) throw error
        const { status, body, headers } = errorResponseOf(error, this.#log)
        throw new AppError(status, body.code, body.error, { headers, ...(body.id ? { id: body.id } : {}) })
      }
    }
  }

  endpoints() {
    return [...this.#rows.values()].map((row) => row.endpoint)
  }

  /** The OpenAPI 3.1 document of everything registered. */
  document(publicUrl: string) {
    return documentEndpoints(
      [...this.#rows.values()].map((row) => row.endpoint),
      publicUrl,
    )
  }

  /** The response to a GET under /api that is cacheable by its path alone; the path has no parameter. */
  findCacheable(path: string, query: URLSearchParams): (() => Promise<Response | BufferedResponse>) | undefined {
    const endpoint = this.#cacheableByPath.get(path)
    return endpoint && (() => this.#finish(endpoint, {}, query))
  }

  /**
   * HTTP routes under /api. `finish` caches the responses that come from memory, and may respond without calling the
   * handler.
   */
  routes(deps: {
    sessionOf: (request: Request) => Session | Promise<Session>
    finish: (request: Request, make: () => Promise<Response | BufferedResponse>) => Promise<Response>
  }) {
    const app = new Hono()
    const addresses = [...this.#rows.values()].flatMap(({ endpoint, isCacheable }) =>
      addressesOf(endpoint).map((path) => ({ endpoint, isCacheable, path })),
    )
    // Literal paths come before those with a parameter: 'statistics' is not an id.
    addresses.sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
    for (const { endpoint, isCacheable, path } of addresses)
      app.on(endpoint.method, path.replace(/\{(\w+)\}/g, ':$1'), async (c) => {
        const request = c.req.raw
        const query = new URL(request.url).searchParams
        if (isCacheable) return deps.finish(request, () => this.#finish(endpoint, c.req.param(), query))
        const input = { params: c.req.param(), query: readQuery(query), body: await bodyOf(endpoint, request) }
        const caller = { ...callerOf(await deps.sessionOf(request)), headers: request.headers }
        const response = responseOf(answered(endpoint, await this.call(caller, endpoint.key, input)))
        for (const cookie of caller.cookies) response.headers.append('set-cookie', cookie)
        // Made for this caller, who may be signed in: no cache may serve it to another, not even the next one in this
        // browser.
        const { user, waiting } = caller.session
        if (user || waiting || !response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
        return response
      })
    const methods = Map.groupBy(addresses, ({ path }) => path)
    for (const [path, found] of methods) {
      const allowed = found.flatMap(({ endpoint: { method } }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      app.all(path.replace(/\{(\w+)\}/g, ':$1'), () => {
        throw methodNotAllowed(allowed)
      })
    }
    return app
  }

  #register(endpoint: Endpoint, answer: Answer, isCacheable: boolean) {
    if (this.#rows.has(endpoint.key)) throw new Error(`${endpoint.key} is registered twice`)
    this.#rows.set(endpoint.key, { endpoint, answer, isCacheable })
    if (isCacheable) for (const path of addressesOf(endpoint)) this.#cacheableByPath.set(path, endpoint)
  }

  /** The session was read before; access → schema → handler. Throws AppError for every error a caller may see. */
  async call(caller: Caller, key: string, input: Input): Promise<unknown> {
    const row = this.#rows.get(key)
    if (!row) throw new AppError(404, 'not_found', 'Endpoint not found.')
    const { endpoint, answer } = row
    const { session, headers, cookies } = caller
    try {
      if (!mayPass(endpoint.access, session.user?.role ?? null, Boolean(session.waiting)))
        throw refusal(session, endpoint)
      const setCookies = (lines: string[]) => void cookies.push(...lines)
      // `mayPass` let nobody without an account through where the handler's type says that there is a user.
      const ctx = {
        session,
        user: session.user as never,
        now: this.#now(),
        database: this.#database,
        headers,
        log: this.#log,
        setCookies,
      }
      const output = await answer(ctx, parse(endpoint, input) as never)
      if (process.env.NODE_ENV === 'test' && !(output instanceof Response)) endpoint.response.parse(output)
      return output
    } catch (error) {
      logRefusal(this.#log, key, session, error)
      throw error
    }
  }

  /** Cached responses are the same for everyone, so they are made for an anonymous caller. */
  async #finish(endpoint: Endpoint, params: Record<string, string>, query: URLSearchParams) {
    return answered(endpoint, await this.call(callerOf(NOBODY), endpoint.key, { params, query: readQuery(query) }))
  }
}

function refusal(session: Session, { access }: Endpoint): AppError {
  if (session.isUnknown)
    return new AppError(503, 'unavailable', 'Authentication service unavailable - please refresh the page', {
      headers: { 'retry-after': '2' },
    })
  if (session.user) return new AppError(403, 'forbidden', 'Your role does not allow this.')
  if (session.waiting) return new AppError(401, 'second_step', 'Complete two-step sign-in to continue.')
  if (session.ended === 'expired') return new AppError(401, 'session_expired', 'User session has expired')
  if (session.ended === 'suspended')
    return new AppError(401, 'suspended', 'This account is suspended. Please contact support.')
  if (session.ended === 'invalid_token')
    return new AppError(401, 'invalid_access_token', 'This access token is not valid. Please sign in again.')
  // What such an endpoint works on is the session itself.
  if (access === 'firstStep') return new AppError(401, 'no_session', 'No active session')
  return new AppError(401, 'sign_in', 'Please sign in to continue.')
}

function answered(endpoint: Endpoint, output: unknown): Response | BufferedResponse {
  // Not JSON: a table download, or the bytes of a file.
  if (output instanceof Response) return output
  const bytes = bytesOf(output as object) ?? Buffer.from(JSON.stringify({ success: true, ...(output as object) }))
  return bufferedJson(endpoint.status ?? 200, bytes)
}

export function claimsOf({ user }: Session): Claims {
  return user
    ? { as: 'user', userId: user.id, role: user.role, ...(user.scope ? { scope: user.scope } : {}) }
    : { as: 'anonymous' }
}

function readQuery(parameters: URLSearchParams): Record<string, string> {
  const query = new Map<string, string>()
  for (const [name, value] of parameters) {
    if (query.has(name)) throw invalid({ [name]: 'Send this only once.' })
    query.set(name, value)
  }
  return Object.fromEntries(query)
}

/** A file is only read when the handler asks for it, after it has checked the caller. */
function bodyOf(endpoint: Endpoint, request: Request): unknown {
  if (endpoint.takesFile) return uploadOf(request)
  return endpoint.body ? readJson(request) : undefined
}

async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  const text = await readText(request)
  if (text === '') return undefined
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(type))
    throw new AppError(415, 'unsupported_media_type', 'Send JSON with content-type application/json.')
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError(400, 'malformed_json', 'The body is not valid JSON.')
  }
}

async function readText(request: Request): Promise<string> {
  const tooLarge = () => new AppError(413, 'too_large', 'The body is larger than 1 MB.')
  const bytes = await readBytes(request, MAX_BODY_BYTES, tooLarge)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AppError(400, 'malformed_text', 'The body is not valid UTF-8.')
  }
}

function parse(endpoint: Endpoint, input: Input) {
  const parsed: Record<string, unknown> = {}
  // Without a prototype: a parameter called 'constructor' or '__proto__' must be rejected like any other.
  const fields: Record<string, string> = Object.create(null)
  for (const source of ['params', 'query', 'body'] as const) {
    const schema = endpoint[source]
    if (!schema) {
      // Unknown parameters are a client error, reported at once.
      if (source === 'query')
        for (const name of Object.keys((input.query as object) ?? {})) fields[name] = 'Unknown parameter.'
      continue
    }
    const result = schema.safeParse(input[source] ?? (source === 'body' ? undefined : {}))
    if (result.success) parsed[source] = result.data
    else collect(result.error, fields, source)
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return parsed
}

function collect(error: z.ZodError, fields: Record<string, string>, source: 'params' | 'query' | 'body') {
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys.slice(0, 20)) fields[key] ??= 'Unknown parameter.'
    // A parameter is one field even if its text is a list; in a body every path has its own message.
    else fields[(source === 'body' ? issue.path.join('.') : String(issue.path[0] ?? '')) || source] ??= issue.message
  }
}

const invalid = (fields: Record<string, string>) =>
  new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })
