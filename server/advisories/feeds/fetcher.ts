import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, type Dispatcher, request } from 'undici'
import { isPublicAddress, lookupPublic, PrivateAddressError } from '#server/http/public-address.ts'

/** What to fetch: the address of a source with the validators of its last response. */
export interface Document {
  url: string
  etag?: string | null
  last_modified?: string | null
}

export interface FetchOptions {
  /** Hosts that may be contacted, with port where it is not the default; redirects to any other are refused. */
  hosts: ReadonlySet<string>
  /** User agent that identifies the portal, with a contact address of its operator. */
  publicUrl: string
  /** Allows http and addresses of this machine and network: for tests. */
  allowsPrivate: boolean
  /** Ends the fetch early: the process is stopping, or the run's total time is over. */
  signal?: AbortSignal
}

export type FetchResult =
  | { status: 'unchanged' }
  | {
      status: 'read'
      bytes: Uint8Array
      /** Final address after redirects. */
      url: string
      contentType: string | null
      etag: string | null
      lastModified: string | null
      /** SHA-256 of the bytes. */
      hash: string
    }

export const FETCH_LIMITS = { totalMs: 30_000, idleMs: 10_000, bytes: 20 * 1024 * 1024, redirects: 3 }

/** A document could not be fetched. `message` is the catalogue's text; `reason` adds detail for administrators. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly reason: string | undefined

  constructor(message: string, reason?: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }

  /** One line for the list of sources. */
  get line(): string {
    return this.reason ? `${this.message}: ${this.reason}` : this.message
  }
}

export interface Fetcher {
  /**
   * Throws FetchError: 'RSS Fetcher returned {status}' for a response that is no document, 'RSS fetch failed' for no
   * response.
   */
  fetch(document: Document): Promise<FetchResult>
  /** Closes every connection, also one whose response was not read to its end. */
  close(): Promise<void>
}

/**
 * Fetches documents of one source over reused connections, with limits of time and size, from the listed hosts only and
 * never from a private address.
 */
export function createFetcher(options: FetchOptions, limits = FETCH_LIMITS): Fetcher {
  const agent = agentFor(options, limits)
  return {
    fetch: async (document) => {
      const deadline = AbortSignal.timeout(limits.totalMs)
      const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline
      try {
        const { response, url } = await follow(document, { options, limits, signal, agent })
        return await read(response, url, limits)
      } catch (error) {
        if (error instanceof FetchError) throw error
        throw new FetchError('RSS fetch failed', reasonOf(error, deadline, limits), error)
      }
    },
    close: () => agent.destroy().catch(() => {}),
  }
}

/** Fetches a single document; see createFetcher. */
export async function fetchDocument(
  document: Document,
  options: FetchOptions,
  limits = FETCH_LIMITS,
): Promise<FetchResult> {
  const fetcher = createFetcher(options, limits)
  return fetcher.fetch(document).finally(() => fetcher.close())
}

interface Attempt {
  options: FetchOptions
  limits: typeof FETCH_LIMITS
  signal: AbortSignal
  agent: Agent
}

function agentFor({ allowsPrivate }: FetchOptions, limits: typeof FETCH_LIMITS): Agent {
  return new Agent({
    connect: { timeout: limits.idleMs, ...(allowsPrivate ? {} : { lookup: lookupPublic }) },
    headersTimeout: limits.idleMs,
    bodyTimeout: limits.idleMs,
    connections: 4,
    maxHeaderSize: 32_768,
  })
}

/** Follows redirects itself, so that each address passes the same checks. */
async function follow(document: Document, attempt: Attempt) {
  let url = allowedUrl(document.url, undefined, attempt.options)
  for (let redirects = 0; ; redirects++) {
    const response = await request(url, {
      dispatcher: attempt.agent,
      signal: attempt.signal,
      headers: headersFor(document, attempt.options),
    })
    // A discarded body ends with an error; without a listener that would crash the process.
    response.body.on('error', () => {})
    const { statusCode } = response
    const target = [301, 302, 303, 307, 308].includes(statusCode) ? headerOf(response, 'location') : null
    if (statusCode === 304 || (statusCode >= 200 && statusCode < 300)) return { response, url }
    response.body.destroy()
    if (!target) throw new FetchError(`RSS Fetcher returned ${statusCode}`)
    if (redirects === attempt.limits.redirects) throw new FetchError('RSS fetch failed', 'it redirects too often')
    url = allowedUrl(target, url, attempt.options)
  }
}

function headersFor(document: Document, { publicUrl }: FetchOptions): Record<string, string> {
  return {
    // One source answers an empty list to a client without a user agent.
    'user-agent': `MFA-Portal/1.0 (travel advisories; +${publicUrl})`,
    accept: 'application/json, application/rss+xml, application/atom+xml, application/xml, text/xml, */*;q=0.1',
    'accept-encoding': 'gzip, deflate, br',
    ...(document.etag ? { 'if-none-match': document.etag } : {}),
    ...(document.last_modified ? { 'if-modified-since': document.last_modified } : {}),
  }
}

/** The parsed address, if it may be contacted. */
function allowedUrl(text: string, base: URL | undefined, { hosts, allowsPrivate }: FetchOptions): URL {
  const url = URL.parse(text, base?.href)
  const redirected = base ? 'it redirects to ' : ''
  if (!url) throw new FetchError('RSS fetch failed', `${redirected}an address that is none`)
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:'))
    throw new FetchError('RSS fetch failed', `${redirected}an address that is not https`)
  if (!hosts.has(url.host))
    throw new FetchError('RSS fetch failed', `${redirected}the host ${url.host}, not one of this source`)
  // A numeric host is connected to without a lookup.
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (!allowsPrivate && isIP(literal) && !isPublicAddress(literal))
    throw new FetchError('RSS fetch failed', `${redirected}a private address`)
  if (url.username || url.password) throw new FetchError('RSS fetch failed', `${redirected}an address with a password`)
  return url
}

async function read(response: Dispatcher.ResponseData, url: URL, limits: typeof FETCH_LIMITS): Promise<FetchResult> {
  if (response.statusCode === 304) {
    response.body.destroy()
    return { status: 'unchanged' }
  }
  const declared = Number(headerOf(response, 'content-length') ?? 0)
  if (declared > limits.bytes) throw tooLarge(limits)
  const bytes = await collect(decompressed(response), limits)
  return {
    status: 'read',
    bytes,
    url: url.href,
    contentType: headerOf(response, 'content-type'),
    etag: headerOf(response, 'etag'),
    lastModified: headerOf(response, 'last-modified'),
    hash: createHash('sha256').update(bytes).digest('base64url'),
  }
}

function decompressed(response: Dispatcher.ResponseData): Readable {
  const encoding = headerOf(response, 'content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || encoding === '') return response.body
  const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }
  const decoder = decoders[encoding as keyof typeof decoders]?.()
  if (!decoder)
    throw new FetchError('RSS fetch failed', `it is encoded as "${encoding.slice(0, 40)}", which was not asked for`)
  response.body.on('error', (error) => decoder.destroy(error))
  decoder.on('close', () => response.body.destroy())
  return response.body.pipe(decoder)
}

/** Reads to the end or to the limit, whichever comes first: a compression bomb is never unpacked further than that. */
async function collect(stream: Readable, limits: typeof FETCH_LIMITS): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limits.bytes) throw tooLarge(limits)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function tooLarge({ bytes }: typeof FETCH_LIMITS): FetchError {
  return new FetchError('RSS fetch failed', `it is larger than ${Math.floor(bytes / 1024 / 1024)} MB`)
}

function headerOf(response: Dispatcher.ResponseData, name: string): string | null {
  const value = response.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

const REASONS: Record<string, string> = {
  ENOTFOUND: 'the host has no address',
  EAI_AGAIN: 'the host could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ENETUNREACH: 'the network cannot be reached',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped in the middle',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was cut short',
  UND_ERR_HEADERS_OVERFLOW: 'its headers are too large',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate cannot be trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  Z_DATA_ERROR: 'its compression is damaged',
  Z_BUF_ERROR: 'its compression is cut short',
}

/** An error text without addresses or stack traces: this line is shown in the list of sources. */
function reasonOf(error: unknown, deadline: AbortSignal, limits: typeof FETCH_LIMITS): string | undefined {
  if (deadline.aborted) return `not complete within ${Math.round(limits.totalMs / 1000)} seconds`
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof PrivateAddressError) return 'the host has a private address'
    if (cause.name === 'AbortError') return 'it was ended early'
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? '']
    if (reason) return reason
    if (cause instanceof AggregateError) return reasonOf(cause.errors[0], deadline, limits)
  }
  return undefined
}
