import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import type { Log } from '#server/log.ts'
import { AppError } from '#shared/errors.ts'
import { addressOf } from './address.ts'

const addresses = new WeakMap<Request, string>()

/**
 * The caller's network address, from the socket: anyone could write a header. Behind a known number of proxies it is
 * the address that the outermost of them saw. Every limit counts by it: IPv6 by its /64.
 */
export const withAddress = {
  of: (request: Request) => addresses.get(request) ?? '',
  middleware: (proxies: number): MiddlewareHandler => {
    return async (c, next) => {
      const socket = (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket
      const forwarded = proxies > 0 ? (c.req.header('x-forwarded-for') ?? '').split(',') : []
      addresses.set(c.req.raw, addressOf(forwarded.at(-proxies)) ?? addressOf(socket?.remoteAddress) ?? '')
      await next()
    }
  },
}

/** Logs a line for each failed or slow request; the path without its query, no address, no name. */
export function requestLog(log: Log): MiddlewareHandler {
  return async (c, next) => {
    const began = performance.now()
    const id = randomUUID()
    await next()
    c.res.headers.set('x-request-id', id)
    noteRequest(log, { id, method: c.req.method, path: c.req.path, status: c.res.status, began })
  }
}

interface LoggedResponse {
  id: string
  method: string
  path: string
  status: number
  /** By performance.now(). */
  began: number
}

/** Writes that log line. */
export function noteRequest(log: Log, { began, path, ...answered }: LoggedResponse): void {
  const milliseconds = Math.round(performance.now() - began)
  const line = { ...answered, path: pathOf(path), milliseconds }
  if (line.status >= 500) log.error(line, 'request')
  else if (milliseconds > 1_000) log.warn(line, 'slow request')
  else log.debug(line, 'request')
}

/** Removes the secret from links in mails. */
const pathOf = (path: string) =>
  path
    .replace(
      /(\/(confirm|locale-confirmations|unsubscribe|answer|roll-call-answers|undo-change|public\/sign-in-changes)\/).+/,
      '$1…',
    )
    .slice(0, 200)

// Browsers only honour it over TLS, so it is harmless on a local plain-HTTP address.
const TRANSPORT_SECURITY: Record<string, string> =
  process.env.NODE_ENV === 'production' ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}

/** Headers of every response. */
const PROTECTIVE_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(self), geolocation=(self), payment=()',
  ...TRANSPORT_SECURITY,
}

/**
 * Content security policy of non-page responses: opened in a browser they load nothing, run nothing and cannot be
 * framed.
 */
const DATA_POLICY = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Adds the protective headers to a response's own; pages and files have a content security policy of their own. */
export const withProtection = (headers: Record<string, string>): Record<string, string> => ({
  'content-security-policy': DATA_POLICY,
  ...headers,
  ...PROTECTIVE_HEADERS,
})

/** Headers of built files. A worker among them fetches from its own origin, and SVG pictures contain styles. */
export const ASSET_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  ...TRANSPORT_SECURITY,
}

/** Mail clients call this from anywhere (RFC 8058); the link carries the authorisation, and cookies are ignored. */
const ONE_CLICK = /^\/api\/public\/unsubscribe\/[\w-]+$/

/** Sets these headers, and refuses unsafe cross-origin calls. */
export function protect({ publicUrl }: { publicUrl: string }): MiddlewareHandler {
  const ownOrigin = new URL(publicUrl).origin
  return async (c, next) => {
    const isUnsafe = !['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)
    if (isUnsafe && !ONE_CLICK.test(c.req.path)) refuseForeign(c.req.raw, ownOrigin)
    await next()
    if (!c.res.headers.has('content-security-policy')) c.res.headers.set('content-security-policy', DATA_POLICY)
    for (const [name, value] of Object.entries(PROTECTIVE_HEADERS)) c.res.headers.set(name, value)
  }
}

/** Refuses a WebSocket opened by another site, which would carry the reader's cookie. Programs send no origin. */
export function onlyOwnOrigin({ publicUrl }: { publicUrl: string }): MiddlewareHandler {
  const ownOrigin = new URL(publicUrl).origin
  return async (c, next) => {
    refuseForeign(c.req.raw, ownOrigin)
    await next()
  }
}

function refuseForeign(request: Request, ownOrigin: string) {
  const origin = request.headers.get('origin')
  // Programs send no origin; browsers always do with an unsafe method.
  const isForeign = origin
    ? origin !== ownOrigin && origin !== new URL(request.url).origin
    : request.headers.get('sec-fetch-site') === 'cross-site'
  if (isForeign) throw new AppError(403, 'foreign_origin', 'This request came from another site and was refused.')
}
