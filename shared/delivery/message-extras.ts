import * as z from 'zod'
import { Email } from '#shared/accounts/text.ts'

/** Optional additions to a message in a send request. */
export interface MessageExtras {
  /** One of the configured senders, spelled as in the configuration. */
  from?: string
  /** Mail headers. */
  headers?: Record<string, string>
  /** An image or document for WhatsApp or MMS. */
  media_url?: string
  /** Passed to the service worker with a push message. */
  data?: Record<string, unknown>
  /** Portal path that a push message opens. */
  url?: string
  /** Number of manual resends. */
  again?: number
}

const MAX_HEADERS = 10
/** What fits into a single push record beside title, text and link. */
export const MAX_DATA_BYTES = 1_000

/** Headers that do not set the sender or recipient and do not control the mail services in between. */
const HEADERS = ['reply-to', 'x-priority', 'x-entity-ref-id', 'x-auto-response-suppress']
const isAllowedHeader = (name: string) =>
  HEADERS.includes(name.toLowerCase()) || /^x-portal-[a-z\d-]{1,40}$/i.test(name)

export const MailHeaders = z
  .record(
    z
      .string()
      .refine(isAllowedHeader, 'Only Reply-To, X-Priority, X-Entity-Ref-ID, X-Auto-Response-Suppress and X-Portal-…'),
    z.string().regex(/^[\x20-\x7e]{1,500}$/, 'One line of plain letters, 500 at most'),
  )
  .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `At most ${MAX_HEADERS} headers`)
  .superRefine((headers, context) => {
    const names = Object.keys(headers).map((name) => name.toLowerCase())
    const refuse = (message: string) => context.addIssue({ code: 'custom', message, input: headers })
    if (new Set(names).size < names.length) refuse('Each header once')
    const answers = Object.entries(headers).find(([name]) => name.toLowerCase() === 'reply-to')
    if (answers && !Email.safeParse(answers[1]).success) refuse('Enter a valid email address')
  })

/** Fetched by the provider, so it must be publicly accessible. */
export const MediaUrl = z
  .url({ protocol: /^https$/, hostname: z.regexes.domain, error: 'Enter a web address that starts with https://' })
  .max(2_000)
  .refine((url) => !URL.parse(url)?.username, 'Enter an address without a name or password')

export const PushData = z
  .record(z.string().max(60), z.unknown())
  .refine(
    (data) => new TextEncoder().encode(JSON.stringify(data)).length <= MAX_DATA_BYTES,
    `At most ${MAX_DATA_BYTES} bytes`,
  )

const KINDS_OF_MEDIA = { jpg: 'image', jpeg: 'image', png: 'image', mp4: 'video', pdf: 'document' } as const

/** Media type for WhatsApp; undefined if the URL does not reveal it. */
export function mediaKindOf(url: string): 'image' | 'video' | 'document' | undefined {
  const end = /\.([a-z\d]+)$/i.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(KINDS_OF_MEDIA, end) ? KINDS_OF_MEDIA[end as keyof typeof KINDS_OF_MEDIA] : undefined
}
