import { createFetcher, FETCH_LIMITS, FetchError } from '#server/advisories/feeds/fetcher.ts'
import { isWithin } from '#server/http/domains.ts'
import { type Page, pageOfHtml, pageOfText } from './chunks.ts'

/** External dependencies of reading pages. */
export interface PageReaderDeps {
  /** Allowed domains, for pages and for their redirects. */
  domains: readonly string[]
  publicUrl: string
  /** Tests only: allows http and localhost. */
  allowsPrivate: boolean
  signal?: AbortSignal
}

export const PAGE_LIMITS = { ...FETCH_LIMITS, totalMs: 15_000, bytes: 4 * 1024 * 1024 }

/** Why a page is rejected whose domain no administrator has allowed. */
export const NOT_ALLOWED = 'This domain is not on the list of allowed domains'

/** A page that cannot be read. The message is shown to users. */
export class PageError extends Error {
  override readonly name = 'PageError'
}

/** Fetches a page, with limits on time and size, and never from a private address. */
export async function readPage(address: string, reading: PageReaderDeps, limits = PAGE_LIMITS): Promise<Page> {
  const url = URL.parse(address)
  if (!url || !isWithin(url.hostname, reading.domains)) throw new PageError(NOT_ALLOWED)
  const fetcher = createFetcher(
    {
      hosts: new Set([url.host, ...reading.domains.flatMap((domain) => [domain, `www.${domain}`])]),
      publicUrl: reading.publicUrl,
      allowsPrivate: reading.allowsPrivate,
      ...(reading.signal ? { signal: reading.signal } : {}),
    },
    limits,
  )
  try {
    const fetched = await fetcher.fetch({ url: url.href })
    if (fetched.status !== 'read') throw new PageError('We could not read the page')
    return pageOf(fetched.bytes, fetched.contentType)
  } catch (error) {
    if (error instanceof FetchError) throw new PageError(messageOf(error), { cause: error })
    throw error
  } finally {
    await fetcher.close()
  }
}

function pageOf(bytes: Uint8Array, contentType: string | null): Page {
  const [, type = '', charset] = /^\s*([\w/+.-]+)(?:.*charset="?([\w-]+))?/i.exec(contentType ?? 'text/html') ?? []
  const isHtml = /^(text\/html|application\/xhtml\+xml)$/i.test(type)
  if (!isHtml && !/^text\/(plain|markdown)$/i.test(type)) throw new PageError(`It is no page but ${type}`)
  const text = decoded(bytes, charset)
  const page = isHtml ? pageOfHtml(text) : pageOfText(text)
  if (page.chunks.length === 0) throw new PageError('The page contains no text')
  return page
}

function decoded(bytes: Uint8Array, named: string | undefined): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2_048))
  const charset = named ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(start)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // Unknown charset.
    return new TextDecoder().decode(bytes)
  }
}

/** Rewords the fetcher's messages, which are written for feeds. */
const messageOf = ({ reason, message }: FetchError) => reason ?? message.replace('RSS Fetcher returned', 'It answered')
