import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { PROTECTIVE_HEADERS } from './protection.ts'
import { WrittenResponse } from './written.ts'

type Encoding = 'identity' | 'gzip' | 'br'

/** A question exactly as it came, and the kept answer to it with the headers of those who ask so. */
interface Question {
  key: string
  entry: Entry
  extra: Record<string, string>
  heads: Partial<Record<Encoding, string[]>>
}

interface Entry {
  version: number
  /** Until then the answer stays true though no row changes: a source grows late, an advisory expires. */
  validUntil: number
  status: number
  headers: Record<string, string>
  etag: string
  bodies: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>
  size: number
}

/** How many seconds an answer says it stays true by itself, as 'the next service' does; not sent on. */
const VALID_FOR = 'valid-for'
const LIMIT_BYTES = 64 * 1024 * 1024
const SMALL = 1_000
const MOST_QUESTIONS = 20_000
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

export type Finished = ReturnType<typeof createFinished>

/**
 * Keeps finished answers as bytes: made once for each version of the public rows, compressed once for each encoding,
 * the least recently used dropped first. Only good answers are kept. Nothing personal may pass through here.
 */
export function createFinished(parts: {
  version: () => number
  validUntil: (now: number) => number
  limitBytes?: number
}) {
  const entries = new Map<string, Entry>()
  const making = new Map<string, Promise<Entry>>()
  const questions = new Map<string, Question>()
  let bytes = 0
  const counts = { hits: 0, misses: 0 }

  function find(key: string): Entry | undefined {
    const entry = entries.get(key)
    if (!entry) return undefined
    if (entry.version !== parts.version() || entry.validUntil <= Date.now()) {
      remove(key, entry)
      return undefined
    }
    // Put back at the end: the first in the map is the one least recently used.
    entries.delete(key)
    entries.set(key, entry)
    return entry
  }

  function remove(key: string, entry: Entry) {
    entries.delete(key)
    bytes -= entry.size
  }

  function keep(key: string, entry: Entry) {
    const old = entries.get(key)
    if (old) remove(key, old)
    entries.set(key, entry)
    bytes += entry.size
    for (const [oldest, its] of entries) {
      if (bytes <= (parts.limitBytes ?? LIMIT_BYTES) || oldest === key) break
      remove(oldest, its)
    }
  }

  async function make(key: string, render: () => Promise<Response>): Promise<Entry> {
    const inFlight = making.get(key)
    if (inFlight) return inFlight
    const promise = (async () => {
      // Taken before rendering: an answer made from older rows must not be kept under the newer version.
      const version = parts.version()
      const began = Date.now()
      const validUntil = parts.validUntil(began)
      const response = await render()
      const body = response instanceof WrittenResponse ? response.written : new Uint8Array(await response.arrayBuffer())
      const headers = Object.fromEntries(response.headers)
      delete headers['content-length']
      delete headers[VALID_FOR]
      const entry: Entry = {
        version,
        validUntil: Math.min(validUntil, began + secondsOf(response.headers.get(VALID_FOR)) * 1_000),
        status: response.status,
        headers,
        etag: `"${createHash('sha256').update(key).update(body).digest('base64url').slice(0, 27)}"`,
        bodies: { identity: body },
        size: body.byteLength + key.length * 2 + 1_000,
      }
      if (response.status === 200) keep(key, entry)
      return entry
    })().finally(() => making.delete(key))
    making.set(key, promise)
    return promise
  }

  async function bodyOf(key: string, entry: Entry, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
    const known = entry.bodies[encoding]
    if (known) return known
    const identity = entry.bodies.identity!
    const made =
      encoding === 'br'
        ? await brotli(identity, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: identity.byteLength },
          })
        : await zip(identity, { level: 6 })
    entry.bodies[encoding] = new Uint8Array(made)
    entry.size += made.byteLength
    if (entries.get(key) === entry) bytes += made.byteLength
    return entry.bodies[encoding]
  }

  return {
    counts,
    clear() {
      entries.clear()
      questions.clear()
      bytes = 0
    },

    /**
     * In front of everything else: answers a question that was asked in just these words before, as long as the answer
     * is still good. False leaves it to the application. Nobody with a session is answered here.
     */
    answer(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
      if (incoming.method !== 'GET') return false
      const asked = questionOf(incoming.url ?? '', (name) => incoming.headers[name] as string | undefined)
      const question = asked === undefined ? undefined : questions.get(asked)
      if (!question) return false
      const { entry } = question
      if (find(question.key) !== entry) {
        questions.delete(asked as string)
        return false
      }
      const encoding = encodingFor(entry, incoming.headers['accept-encoding'])
      const body = entry.bodies[encoding]
      if (!body) return false
      counts.hits++
      if (incoming.headers['if-none-match'] === entry.etag) outgoing.writeHead(304, headOf(question, encoding, 0)).end()
      else {
        question.heads[encoding] ??= headOf(question, encoding, body.byteLength)
        outgoing.writeHead(200, question.heads[encoding]).end(body)
      }
      return true
    },

    /** The kept answer to this key, made by `render` when there is none; `extra` headers are for this caller only. */
    async respond(
      request: Request,
      key: string,
      render: () => Promise<Response>,
      extra: Record<string, string> = {},
    ): Promise<Response> {
      let entry = find(key)
      if (entry) counts.hits++
      else {
        counts.misses++
        entry = await make(key, render)
      }
      const headers = headersOf(entry, extra)
      const asked =
        request.method === 'GET'
          ? questionOf(pathOf(request.url), (name) => request.headers.get(name) ?? undefined)
          : undefined
      if (asked !== undefined && entries.get(key) === entry) {
        if (questions.size >= MOST_QUESTIONS) questions.clear()
        questions.set(asked, { key, entry, extra, heads: {} })
      }
      if (entry.status === 200 && request.headers.get('if-none-match') === entry.etag)
        return new Response(null, { status: 304, headers })
      const encoding = encodingFor(entry, request.headers.get('accept-encoding'))
      const body = await bodyOf(key, entry, encoding)
      if (encoding !== 'identity') headers['content-encoding'] = encoding
      headers['content-length'] = String(body.byteLength)
      return new Response(request.method === 'HEAD' ? null : body, { status: entry.status, headers })
    },
  }
}

/**
 * What tells one question from another: the address and what the language is taken from. Undefined when the caller may
 * be somebody: any credential, and any cookie but the language's, is left to the application.
 */
function questionOf(url: string, header: (name: string) => string | undefined): string | undefined {
  if (header('authorization') !== undefined) return undefined
  const cookie = header('cookie')
  if (cookie !== undefined && !/^lng=[a-z]{2}$/.test(cookie)) return undefined
  return `${url}\n${header('accept-language') ?? ''}\n${cookie ?? ''}`
}

const secondsOf = (text: string | null) => (text === null ? Number.POSITIVE_INFINITY : Number(text))

const pathOf = (url: string) => url.slice(url.indexOf('/', url.indexOf('//') + 2))

function headersOf(entry: Entry, extra: Record<string, string>): Record<string, string> {
  const headers = { ...entry.headers, ...extra }
  if (entry.status === 200) headers.etag = entry.etag
  headers.vary = headers.vary ? `${headers.vary}, accept-encoding` : 'accept-encoding'
  return headers
}

/** All headers as a flat list, made once: names and values in turn, as Node writes them. Length 0: there is no body. */
function headOf({ entry, extra }: Question, encoding: Encoding, length: number): string[] {
  const headers = { ...headersOf(entry, extra), ...PROTECTIVE_HEADERS }
  if (length > 0) headers['content-length'] = String(length)
  if (length > 0 && encoding !== 'identity') headers['content-encoding'] = encoding
  return Object.entries(headers).flat()
}

const encodingFor = (entry: Entry, accepted: string | null | undefined): Encoding =>
  entry.bodies.identity!.byteLength < SMALL ? 'identity' : acceptedEncoding(accepted ?? null)

/** The best of our encodings that a client takes. */
export function acceptedEncoding(header: string | null): Encoding {
  if (!header) return 'identity'
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(header)) return 'br'
  if (/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(header)) return 'gzip'
  return 'identity'
}
