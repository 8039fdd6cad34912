import type { Providers } from '#server/delivery/providers/settings.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import type { MessageExtras } from '#shared/delivery/message-extras.ts'
import { mediaKindOf } from '#shared/delivery/message-extras.ts'
import { AppError } from '#shared/errors.ts'
import { safeReturnTo } from '#shared/page-access.ts'

/** Permitted senders and the WhatsApp configuration. */
export type Senders = Pick<Providers, 'mailFrom' | 'mailSenders' | 'sms' | 'whatsapp'>

interface ExtrasInput {
  from?: string | undefined
  headers?: Record<string, string>
  media_url?: string | undefined
  data?: Record<string, unknown> | undefined
  action_url?: string | undefined
}

/** Extra fields of a call, as stored; unsupported ones are rejected by field, never dropped. */
export function extrasOf(
  channel: MessageChannel,
  input: ExtrasInput,
  senders: Senders,
  publicUrl: string,
): MessageExtras {
  const extras: MessageExtras = {}
  if (input.from !== undefined) extras.from = senderOf(channel, input.from, senders)
  const { 'reply-to': _, ...headers } = byName(input.headers ?? {})
  if (Object.keys(headers).length > 0) extras.headers = Object.fromEntries(Object.values(headers))
  if (input.media_url !== undefined) extras.media_url = mediaOf(channel, input.media_url, senders)
  if (input.data && Object.keys(input.data).length > 0) extras.data = input.data
  if (input.action_url !== undefined) extras.url = pageOf(input.action_url, publicUrl)
  return extras
}

/** The Reply-To address from the header or the field; if both are set they must agree. */
export function replyToOf(headers: Record<string, string> = {}, replyTo: string | undefined): string | undefined {
  const named = byName(headers)['reply-to']?.[1].trim().toLowerCase()
  if (named && replyTo && named !== replyTo) throw refused('headers', 'Use this or reply_to, not both')
  return replyTo ?? named
}

const byName = (headers: Record<string, string>): Record<string, [string, string]> =>
  Object.fromEntries(Object.entries(headers).map((entry) => [entry[0].toLowerCase(), entry]))

/** In the configured form: matched by address, or by name and address. */
function senderOf(channel: MessageChannel, from: string, senders: Senders): string {
  const known: Record<MessageChannel, string[]> = {
    email: [senders.mailFrom, ...senders.mailSenders],
    sms: senders.sms.map((provider) => provider.from),
    whatsapp: senders.whatsapp ? [senders.whatsapp.phoneId] : [],
    push: [],
  }
  const plain = (text: string) => text.trim().toLowerCase()
  const addressIn = (text: string) => /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text
  const isNamed = from.includes('<')
  const sender = known[channel].find((candidate) => plain(isNamed ? candidate : addressIn(candidate)) === plain(from))
  if (!sender) throw refused('from', 'The portal cannot send as this sender. Leave this out.')
  return sender
}

function mediaOf(channel: MessageChannel, url: string, { whatsapp }: Senders): string {
  if (channel !== 'whatsapp') return url
  if (whatsapp?.template) throw refused('media_url', 'WhatsApp messages go out by a template, which shows no media.')
  if (!mediaKindOf(url)) throw refused('media_url', 'WhatsApp shows addresses that end in jpg, png, mp4 or pdf.')
  return url
}

/** A path of the portal, given alone or as an absolute URL. */
export function pageOf(url: string, publicUrl: string): string {
  const path = safeReturnTo(url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url)
  if (!path) throw refused('action_url', 'Enter a page of this portal, such as /travel-advisories')
  return path
}

const refused = (field: string, message: string) =>
  new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields: { [field]: message } })
