import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type Dispatcher } from 'undici'
import { lookupPublic } from '#server/http/public-address.ts'
import { DeliveryError } from '../delivery-result.ts'

const LIMITS = { stepMs: 10_000, wholeMs: 30_000, responseBytes: 256 * 1024 }

export interface HttpResponse {
  status: number
  text: string
  /** Seconds from the Retry-After header. */
  retryAfter: number | undefined
}

export interface HttpClient {
  /** Throws a DeliveryError if there is no response. */
  post(url: string | URL, headers: Record<string, string>, body: string | Buffer): Promise<HttpResponse>
  close(): void
}

export interface HttpClientOptions {
  provider: string
  /** Prefix of failure reasons, e.g. 'SMS service'. */
  name: string
  connections?: number
  /** The URL comes from a user and must not resolve to the internal network. */
  isForeign?: boolean
  limits?: typeof LIMITS | undefined
}

/** Posts to a provider over keep-alive connections, with time and size limits. Redirects are not followed. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { connections = 20, isForeign = false, limits = LIMITS } = options
  const agent = new Agent({
    connect: { timeout: limits.stepMs, ...(isForeign ? { lookup: lookupPublic } : {}) },
    headersTimeout: limits.stepMs,
    bodyTimeout: limits.stepMs,
    connections,
    maxHeaderSize: 32_768,
  })
  return {
    post: (url, headers, body) =>
      new Promise((resolve, reject) => {
        const { origin, pathname, search } = typeof url === 'string' ? new URL(url) : url
        const handler = new ResponseHandler(limits, resolve, (error) => reject(toDeliveryError(error, options)))
        agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler)
      }),
    close: () => void agent.destroy().catch(() => {}),
  }
}

/** Reads one response. The library's own streams would cost as much as the whole request. */
class ResponseHandler implements Dispatcher.DispatchHandler {
  private readonly limits: typeof LIMITS
  private readonly resolve: (response: HttpResponse) => void
  private readonly reject: (error: NodeJS.ErrnoException) => void
  private timer: NodeJS.Timeout | undefined
  private status = 0
  private retryAfter: number | undefined
  private chunks: Buffer[] = []
  private size = 0

  constructor(limits: typeof LIMITS, resolve: (response: HttpResponse) => void, reject: (error: Error) => void) {
    this.limits = limits
    this.resolve = resolve
    this.reject = reject
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.timer = setTimeout(() => controller.abort(new ResponseTimeout()), this.limits.wholeMs)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status
    this.retryAfter = secondsOf(headers['retry-after'])
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk)
    this.size += chunk.length
    if (this.size <= this.limits.responseBytes) return
    // The part received so far is enough to determine the result.
    this.onResponseEnd()
    controller.abort(new ResponseTimeout())
  }

  onResponseEnd(): void {
    clearTimeout(this.timer)
    const text = Buffer.concat(this.chunks).toString('utf8')
    this.resolve({ status: this.status, text, retryAfter: this.retryAfter })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.timer)
    this.reject(error)
  }
}

class ResponseTimeout extends Error {
  readonly code = 'UND_ERR_ABORTED'
}

/** Parses Retry-After: seconds or a date, at most one day. */
export function secondsOf(header: string | string[] | undefined, now = Date.now()): number | undefined {
  const text = String(Array.isArray(header) ? header[0] : (header ?? '')).trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 86_400) : undefined
}

/** Errors of connections that were never established: nothing was transmitted. */
const UNCONNECTED: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host has no address',
  EAI_AGAIN: 'the host could not be looked up',
  ENETUNREACH: 'the network cannot be reached',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate cannot be trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate cannot be trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}
const CUT: Record<string, string> = {
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped in the middle',
  UND_ERR_ABORTED: 'no answer in time',
}

function toDeliveryError(error: NodeJS.ErrnoException, { provider, name }: HttpClientOptions): DeliveryError {
  const code = error.code ?? (error.cause as NodeJS.ErrnoException | undefined)?.code ?? ''
  const isPrivate = error.name === 'PrivateAddressError'
  const unconnected = isPrivate ? 'the host has a private address' : UNCONNECTED[code]
  return new DeliveryError(`${name} error: ${unconnected ?? CUT[code] ?? 'the connection was cut'}`, {
    provider,
    isPeerAway: !isPrivate,
    isFinal: isPrivate,
    mayHaveArrived: unconnected === undefined,
  })
}
