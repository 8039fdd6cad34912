import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { recordReads } from '#server/db/read-tracking.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import { type BufferedResponse, bufferedResponseOf } from './buffered-response.ts'
import { createLruCache } from './lru-cache.ts'
import { withProtection } from './protection.ts'
import { questionOf, type RawRequest, rawRequestOf } from './raw-request.ts'

type Encoding = 'identity' | 'gzip' | 'br'

/** A response ready to be sent. */
export interface Reply {
  status: number
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer> | null
}

/** A request exactly as it came, the response it got, and headers for such callers. */
interface Question {
  key: string
  head: Head
  extra: Record<string, string>
  heads: Partial<Record<Encoding, string[]>>
}

interface Head {
  status: number
  headers: Record<string, string>
  etag: string
}

interface Entry {
  /** The read model's generation in which it was made, or found to be still valid. */
  generation: number
  /** The tables it was made from. */
  reads: ReadonlySet<string>
  /** When it was last found to be valid, in ms. */
  seenFreshAt: number
  /** Valid until then even if no row changes: a source becomes late, an advisory expires. */
  validUntil: number
  head: Head
  bodies: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>> & { identity: Uint8Array<ArrayBuffer> }
  size: number
}

/** Header with the seconds for which a response is valid by itself, such as 'the next service'; not sent on. */
const VALID_FOR = 'valid-for'
/** A response in which only a polled value is outdated is served this long, while a new one is made. */
const STALE_MS = 10_000
const LIMIT_BYTES = 64 * 1024 * 1024
const SMALL = 1_000
const MAX_QUESTIONS = 20_000
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** What the read model knows of the responses made from it. */
type Rows = Pick<ReadModel, 'generation' | 'isUnchangedSince' | 'isOnlyPolledSince'>

/**
 * Caches finished responses as bytes: made once for each state of the tables they were made from, compressed once per
 * encoding, least recently used dropped first. Only successful responses are cached. Nothing personal may pass through
 * here.
 */
export class ResponseCache {
  readonly #deps: { rows: Rows; validUntil: (now: number) => number; limitBytes?: number }
  readonly #cache: {
    find(key: string): Entry | undefined
    set(key: string, item: Entry): void
    remove: (key: string) => undefined
    grow(key: string, item: Entry, added: number): void
    clear(): void
  }
  readonly #making = new Map<string, Promise<Entry>>()
  // Heads only: the bytes of an evicted response must not be retained by its requests.
  readonly #questions = new Map<string, Question>()
  readonly counts = { hits: 0, misses: 0 }

  constructor(deps: { rows: Rows; validUntil: (now: number) => number; limitBytes?: number }) {
    this.#deps = deps
    this.#cache = createLruCache<Entry>(deps.limitBytes ?? LIMIT_BYTES)
  }

  /** Number of responses being made. */
  get pending() {
    return this.#making.size
  }

  clear() {
    this.#cache.clear()
    this.#questions.clear()
  }

  async respond(
    request: Request,
    key: string,
    render: () => Promise<Response | BufferedResponse>,
    extra: Record<string, string> = {},
  ): Promise<Response> {
    const { status, headers, body } = await this.reply(rawRequestOf(request), key, render, extra)
    return new Response(body, { status, headers })
  }

  /**
   * In front of everything else: answers a request identical to an earlier one, as long as the response is valid.
   * False leaves it to the application. Never serves a caller with a session.
   */
  answer(request: RawRequest, outgoing: ServerResponse): boolean {
    const lookupKey = request.method === 'GET' ? questionOf(request) : undefined
    const question = lookupKey === undefined ? undefined : this.#questions.get(lookupKey)
    if (!question) return false
    const found = this.#find(question.key)
    if (found?.entry.head !== question.head) {
      this.#questions.delete(lookupKey as string)
      return false
    }
    // Only the application can make the next response; while it does, the old one is served from here.
    if (found.isStale && !this.#making.has(question.key)) return false
    const { entry } = found
    const encoding = encodingFor(entry, request.header('accept-encoding'))
    const body = entry.bodies[encoding]
    if (!body) return false
    this.counts.hits++
    if (request.header('if-none-match') === entry.head.etag)
      outgoing.writeHead(304, headOf(question, encoding, 0)).end()
    else {
      question.heads[encoding] ??= headOf(question, encoding, body.byteLength)
      outgoing.writeHead(200, question.heads[encoding]).end(body)
    }
    return true
  }

  #find(key: string): { entry: Entry; isStale: boolean } | undefined {
    const entry = this.#cache.find(key)
    if (!entry) return undefined
    const now = Date.now()
    if (entry.validUntil > now) {
      if (this.#isUnchanged(entry, now)) return { entry, isStale: false }
      if (now - entry.seenFreshAt < STALE_MS && this.#deps.rows.isOnlyPolledSince(entry.generation, entry.reads))
        return { entry, isStale: true }
    }
    this.#cache.remove(key)
    return undefined
  }

  #isUnchanged(entry: Entry, now: number): boolean {
    const { generation } = this.#deps.rows
    if (!this.#deps.rows.isUnchangedSince(entry.generation, entry.reads)) return false
    entry.generation = generation
    entry.seenFreshAt = now
    return true
  }

  /** Replaces a stale response, with all its encodings, while callers still get the old one. */
  #refresh(key: string, stale: Entry, render: () => Promise<Response | BufferedResponse>): void {
    if (this.#making.has(key)) return
    const promise = this.#madeBy(render, key)
      .then(async (entry) => {
        for (const encoding of Object.keys(stale.bodies) as Encoding[])
          if (!entry.bodies[encoding]) entry.size += (await encode(entry, encoding)).byteLength
        this.#keep(key, entry)
        return entry
      })
      .finally(() => this.#making.delete(key))
    this.#making.set(key, promise)
    // The old response stays; errors surface through the returned promise.
    promise.catch(() => {})
  }

  #keep(key: string, entry: Entry): void {
    if (entry.head.status === 200) this.#cache.set(key, entry)
  }

  #make(key: string, render: () => Promise<Response | BufferedResponse>): Promise<Entry> {
    const inFlight = this.#making.get(key)
    if (inFlight) return inFlight
    const promise = this.#madeBy(render, key)
      .then((entry) => {
        this.#keep(key, entry)
        return entry
      })
      .finally(() => this.#making.delete(key))
    this.#making.set(key, promise)
    return promise
  }

  async #madeBy(render: () => Promise<Response | BufferedResponse>, key: string): Promise<Entry> {
    // Read before rendering: a response made from older rows must not count as one of the newer generation.
    const { generation } = this.#deps.rows
    const began = Date.now()
    const validUntil = this.#deps.validUntil(began)
    const { made: answer, reads } = await recordReads(render)
    const { status, headers, bytes } = answer instanceof Response ? await bufferedResponseOf(answer) : answer
    const { 'content-length': _length, [VALID_FOR]: validFor, ...others } = headers
    const entry: Entry = {
      generation,
      reads,
      seenFreshAt: began,
      validUntil: Math.min(validUntil, began + secondsOf(validFor) * 1_000),
      head: { status, headers: others, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"` },
      bodies: { identity: bytes },
      size: bytes.byteLength + key.length * 2 + 1_000,
    }
    return entry
  }

  async #bodyOf(key: string, entry: Entry, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
    const known = entry.bodies[encoding]
    if (known) return known
    const body = await encode(entry, encoding)
    this.#cache.grow(key, entry, body.byteLength)
    return body
  }

  /** The cached response of this key, made by `render` when there is none; `extra` headers are for this caller only. */
  async reply(
    request: RawRequest,
    key: string,
    render: () => Promise<Response | BufferedResponse>,
    extra: Record<string, string> = {},
  ): Promise<Reply> {
    const found = this.#find(key)
    let entry = found?.entry
    if (entry) {
      this.counts.hits++
      if (found?.isStale) this.#refresh(key, entry, render)
      this.#remember(request, key, entry.head, extra)
    } else {
      this.counts.misses++
      entry = await this.#make(key, render)
    }
    const { status, etag } = entry.head
    const headers = headersOf(entry.head, extra)
    if (status === 200 && request.header('if-none-match') === etag) return { status: 304, headers, body: null }
    const encoding = encodingFor(entry, request.header('accept-encoding'))
    const body = await this.#bodyOf(key, entry, encoding)
    if (encoding !== 'identity') headers['content-encoding'] = encoding
    headers['content-length'] = String(body.byteLength)
    return { status, headers, body: request.method === 'HEAD' ? null : body }
  }

  /** Only repeated requests: most with a point or a text in them never are. */
  #remember(request: RawRequest, key: string, head: Head, extra: Record<string, string>) {
    const question = request.method === 'GET' ? questionOf(request) : undefined
    if (question === undefined) return
    if (this.#questions.size >= MAX_QUESTIONS) this.#questions.clear()
    this.#questions.set(question, { key, head, extra, heads: {} })
  }
}

async function encode(entry: Entry, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  const identity = entry.bodies.identity
  const made =
    encoding === 'br'
      ? await brotli(identity, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: identity.byteLength },
        })
      : await zip(identity, { level: 6 })
  const body = new Uint8Array(made)
  entry.bodies[encoding] = body
  return body
}

const secondsOf = (text: string | undefined) => (text === undefined ? Number.POSITIVE_INFINITY : Number(text))

function headersOf(head: Head, extra: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = { ...head.headers, ...extra }
  if (head.status === 200) headers.etag = head.etag
  headers.vary = headers.vary ? `${headers.vary}, accept-encoding` : 'accept-encoding'
  return headers
}

/** All headers as a flat list, made once: alternating names and values, as Node writes them. Length 0: no body. */
function headOf({ head, extra }: Question, encoding: Encoding, length: number): string[] {
  const headers = withProtection(headersOf(head, extra))
  if (length > 0) headers['content-length'] = String(length)
  if (length > 0 && encoding !== 'identity') headers['content-encoding'] = encoding
  return Object.entries(headers).flat()
}

const encodingFor = (entry: Entry, accepted: string | undefined): Encoding =>
  entry.bodies.identity.byteLength < SMALL ? 'identity' : acceptedEncoding(accepted ?? null)

/** The best of our encodings that a client accepts. */
export function acceptedEncoding(header: string | null): Encoding {
  if (!header) return 'identity'
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(header)) return 'br'
  if (/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(header)) return 'gzip'
  return 'identity'
}
