import type { IncomingMessage } from 'node:http'

/** The parts of a request that determine its response. */
export interface RawRequest {
  method: string
  /** Path and query. */
  url: string
  header: (name: string) => string | undefined
}

/** From a Fetch API request. */
export const rawRequestOf = ({ method, url, headers }: Request): RawRequest => ({
  method,
  url: url.slice(url.indexOf('/', url.indexOf('//') + 2)),
  header: (name) => headers.get(name) ?? undefined,
})

/** From a Node request. */
export const rawRequestFromNode = ({ method, url, headers }: IncomingMessage): RawRequest => ({
  method: method ?? '',
  url: url ?? '',
  header: (name) => headers[name] as string | undefined,
})

/** Matches cookies with only the language and country chosen in this browser. */
const OF_NOBODY = /^(?:(?:__Host-)?(?:lng=[a-z]{2}|place=[A-Z]{2})(?:; |$))+$/

/**
 * Cache key of a request: its URL and the inputs of language detection. Undefined for a possibly signed-in caller: any
 * credential, and any cookie except language and country, is left to the application.
 */
export function questionOf({ url, header }: RawRequest): string | undefined {
  if (header('authorization') !== undefined) return undefined
  const cookie = header('cookie')
  if (cookie !== undefined && !OF_NOBODY.test(cookie)) return undefined
  return `${url}\n${header('accept-language') ?? ''}\n${cookie ?? ''}`
}
