import * as z from 'zod'
import { Email } from '#shared/accounts/text.ts'

/** What a call to send may add to a message beyond its words. */
export interface MessageExtras {
  /** One of the senders that the portal is set up with, as it is written there. */
  from?: string
  /** Headers of a mail. */
  headers?: Record<string, string>
  /** A picture or document that WhatsApp or a text message shows. */
  media_url?: string
  /** Handed to the page's worker with a push message. */
  data?: Record<string, unknown>
  /** Path inside the portal that a push message leads to. */
  url?: string
  /** How often somebody had it sent again by hand. */
  again?: number
}

const MAX_HEADERS = 10
/** What fits beside title, text and link into the one record of a push message. */
export const MAX_DATA_BYTES = 1_000

/** Those that neither say who sends, nor where to, nor steer the services that carry mail on. */
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

/** Fetched by the service that carries the message, so it must be open to the world. */
export const MediaUrl = z
  .url({ protocol: /^https$/, hostname: z.regexes.domain, error: 'Enter an address that begins with https://' })
  .max(2_000)
  .refine((url) => !URL.parse(url)?.username, 'Enter an address without a name or password')

export const PushData = z
  .record(z.string().max(60), z.unknown())
  .refine(
    (data) => new TextEncoder().encode(JSON.stringify(data)).length <= MAX_DATA_BYTES,
    `At most ${MAX_DATA_BYTES} bytes`,
  )

const KINDS_OF_MEDIA = { jpg: 'image', jpeg: 'image', png: 'image', mp4: 'video', pdf: 'document' } as const

/** What WhatsApp is to take it for; undefined where the address does not tell. */
export function mediaKindOf(url: string): 'image' | 'video' | 'document' | undefined {
  const end = /\.([a-z\d]+)$/i.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(KINDS_OF_MEDIA, end) ? KINDS_OF_MEDIA[end as keyof typeof KINDS_OF_MEDIA] : undefined
}
