import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import { type Asked, askedIn, questionOf } from './asked.ts'
import type { Door } from './door.ts'
import { writtenFailure } from './failure.ts'
import type { Finished, Reply } from './finished.ts'
import { noteRequest, withProtection } from './protection.ts'
import type { Written } from './written.ts'

/** What every answer to a call says, beside its own headers. */
export const API_HEADERS = { 'cache-control': 'no-cache', 'access-control-allow-origin': '*' }

/** The parameters in one order, so that the same question has one answer. */
export function apiKey(path: string, query: URLSearchParams): string {
  const sorted = new URLSearchParams(query)
  sorted.sort()
  return `api ${path}?${sorted}`
}

/**
 * Stands in front of the application and answers what comes from memory to somebody who is nobody in particular: the
 * same answers as by the application, without making a request and a response of its own for each.
 */
export function createFront({ door, finished, log }: { door: Door; finished: Finished; log: Log }) {
  function makerOf(asked: Asked) {
    if (asked.method !== 'GET' || questionOf(asked) === undefined || !asked.url.startsWith('/api/')) return undefined
    const [path = '', query = ''] = asked.url.split('?', 2)
    const parameters = new URLSearchParams(query)
    const make = door.finished(path.slice('/api'.length), parameters)
    return make && { key: apiKey(path, parameters), make, path }
  }

  async function reply(asked: Asked, key: string, make: () => Promise<Response | Written>): Promise<Reply> {
    try {
      return await finished.reply(asked, key, make, API_HEADERS)
    } catch (error) {
      const { status, headers, bytes } = writtenFailure(error, log)
      return { status, headers: { ...headers, 'content-length': String(bytes.byteLength) }, body: bytes }
    }
  }

  return async (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void): Promise<void> => {
    const asked = askedIn(incoming)
    if (finished.answer(asked, outgoing)) return
    const maker = makerOf(asked)
    if (!maker) return next()
    const [id, began] = [randomUUID(), performance.now()]
    const { status, headers, body } = await reply(asked, maker.key, maker.make)
    outgoing.writeHead(status, { ...withProtection(headers), 'x-request-id': id }).end(body)
    noteRequest(log, { id, method: asked.method, path: maker.path, status, began })
  }
}
