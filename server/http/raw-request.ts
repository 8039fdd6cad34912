import type { IncomingMessage } from 'node:http'

/** What of a question counts for how it is answered. */
export interface RawRequest {
  method: string
  /** Path and query. */
  url: string
  header: (name: string) => string | undefined
}

/** A question as the application has it. */
export const rawRequestOf = ({ method, url, headers }: Request): RawRequest => ({
  method,
  url: url.slice(url.indexOf('/', url.indexOf('//') + 2)),
  header: (name) => headers.get(name) ?? undefined,
})

/** A question as Node hands it over. */
export const rawRequestFromNode = ({ method, url, headers }: IncomingMessage): RawRequest => ({
  method: method ?? '',
  url: url ?? '',
  header: (name) => headers[name] as string | undefined,
})

/** Language and country chosen in this browser, and nothing else. */
const OF_NOBODY = /^(?:(?:__Host-)?(?:lng=[a-z]{2}|place=[A-Z]{2})(?:; |$))+$/

/**
 * What tells one question from another: the address and what the language is taken from. Undefined when the caller may
 * be somebody: any credential, and any cookie but language and country, is left to the application.
 */
export function questionOf({ url, header }: RawRequest): string | undefined {
  if (header('authorization') !== undefined) return undefined
  const cookie = header('cookie')
  if (cookie !== undefined && !OF_NOBODY.test(cookie)) return undefined
  return `${url}\n${header('accept-language') ?? ''}\n${cookie ?? ''}`
}
