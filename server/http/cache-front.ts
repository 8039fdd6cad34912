import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '#server/log.ts'
import type { BufferedResponse } from './buffered-response.ts'
import { bufferedErrorResponse } from './failure.ts'
import { noteRequest, withProtection } from './protection.ts'
import { questionOf, type RawRequest, rawRequestFromNode } from './raw-request.ts'
import type { Reply, ResponseCache } from './response-cache.ts'
import type { Router } from './router.ts'

/** Headers of every API response, besides its own. */
export const API_HEADERS = { 'cache-control': 'no-cache', 'access-control-allow-origin': '*' }

/** Parameters in sorted order, so that equal requests share a response. */
export function apiKey(path: string, query: URLSearchParams): string {
  const sorted = new URLSearchParams(query)
  sorted.sort()
  return `api ${path}?${sorted}`
}

/**
 * Serves anonymous requests from memory in front of the application: the same responses, without creating a request and
 * a response object for each.
 */
export function createCacheFront({
  router,
  responseCache,
  log,
}: {
  router: Router
  responseCache: ResponseCache
  log: Log
}) {
  function makerOf(request: RawRequest) {
    if (request.method !== 'GET' || questionOf(request) === undefined || !request.url.startsWith('/api/'))
      return undefined
    const [path = '', query = ''] = request.url.split('?', 2)
    const parameters = new URLSearchParams(query)
    const make = router.findCacheable(path.slice('/api'.length), parameters)
    return make && { key: apiKey(path, parameters), make, path }
  }

  async function reply(
    request: RawRequest,
    key: string,
    make: () => Promise<Response | BufferedResponse>,
  ): Promise<Reply> {
    try {
      return await responseCache.reply(request, key, make, API_HEADERS)
    } catch (error) {
      const { status, headers, bytes } = bufferedErrorResponse(error, log)
      return { status, headers: { ...headers, 'content-length': String(bytes.byteLength) }, body: bytes }
    }
  }

  return async (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void): Promise<void> => {
    const request = rawRequestFromNode(incoming)
    if (responseCache.answer(request, outgoing)) return
    const maker = makerOf(request)
    if (!maker) return next()
    const [id, began] = [randomUUID(), performance.now()]
    const { status, headers, body } = await reply(request, maker.key, maker.make)
    outgoing.writeHead(status, { ...withProtection(headers), 'x-request-id': id }).end(body)
    noteRequest(log, { id, method: request.method, path: maker.path, status, began })
  }
}
