import { mediaKindOf } from '#shared/delivery/message-extras.ts'
import { INVALID_PHONE, isPhone, repeats } from '#shared/delivery/sms.ts'
import { DeliveryError, type DeliveryResult } from '../../delivery-result.ts'
import type { OutboundMessage } from '../../outbound-message.ts'
import { fillText } from '../../templates/placeholders.ts'
import { toSingleLine } from '../../templates/render.ts'
import { type ClosableTransport, inBatches } from '../batch-transport.ts'
import { createHttpClient, type HttpClientOptions, type HttpResponse } from '../http-client.ts'
import type { WhatsAppProvider } from '../settings.ts'

const provider = 'whatsapp'
export const WHATSAPP_VERSION = 'v23.0'
const MAX_TEXT = 4_096
const MAX_PARAMETER = 1_024
/** Rate limits and service outages. */
const PASSING = new Set([1, 2, 4, 80007, 130429, 131000, 131016, 131048, 131056, 133004])
/** Expired or insufficient tokens: a configuration error. */
const SETTINGS = new Set([0, 3, 10, 190, 131005, 133010])

/** Sends through WhatsApp's Cloud API, as plain text or as the placeholder of a configured template. */
export function whatsAppTransport(settings: WhatsAppProvider, limits?: HttpClientOptions['limits']): ClosableTransport {
  const http = createHttpClient({ provider, name: 'WhatsApp service', limits })
  const url = `${settings.url}/${WHATSAPP_VERSION}/${encodeURIComponent(settings.phoneId)}/messages`
  const headers = { authorization: `Bearer ${settings.token}`, 'content-type': 'application/json' }

  async function deliver(message: OutboundMessage): Promise<DeliveryResult> {
    if (!isPhone(message.to))
      return new DeliveryError(INVALID_PHONE, { isFinal: true, suppression: 'invalid', provider })
    const body = JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: message.to,
      ...contentOf(message, settings.template),
    })
    try {
      return resultOf(await http.post(url, headers, body))
    } catch (error) {
      if (error instanceof DeliveryError) return error
      throw error
    }
  }

  return inBatches({ name: provider, deliver, close: http.close }, { batch: 100, concurrency: 2, atOnce: 20 })
}

function contentOf(message: OutboundMessage, template: string | undefined): object {
  const { instruction = '', title, message: messageText, link, foot } = message.content.short
  const { media_url: media } = message.extras
  const fill = (texts: (string | null | undefined)[]) =>
    texts.flatMap((text) => (text ? [fillText(message, text)] : []))
  const heading = repeats(instruction, title) ? null : title
  const sections = { body: fill([instruction, heading, messageText]), end: fill([link, foot]) }
  const kind = media && !template ? mediaKindOf(media) : undefined
  if (kind) return { type: kind, [kind]: { link: media, caption: cut(sections, '\n', MAX_PARAMETER) } }
  if (!template) return { type: 'text', text: { body: cut(sections, '\n', MAX_TEXT), preview_url: false } }
  const lines = { body: sections.body.map(toSingleLine), end: sections.end.map(toSingleLine) }
  const text = cut(lines, ' · ', MAX_PARAMETER)
  return {
    type: 'template',
    template: {
      name: template,
      language: { policy: 'deterministic', code: message.content.language },
      components: [{ type: 'body', parameters: [{ type: 'text', text }] }],
    },
  }
}

/** The links at the end stay whole; the instruction at the beginning is cut last. */
function cut({ body, end }: { body: string[]; end: string[] }, between: string, max: number): string {
  const whole = [...body, ...end].join(between)
  if (whole.length <= max) return whole
  const last = end.join(between)
  const room = max - (last ? last.length + between.length : 0) - 3
  const text = `${body.join(between).slice(0, Math.max(0, room)).toWellFormed()}...`
  return (last ? `${text}${between}${last}` : text).slice(-max)
}

interface Answered {
  messages?: { id?: unknown }[]
  error?: { code?: unknown; message?: unknown; error_data?: { details?: unknown } }
}

function resultOf({ status, text, retryAfter }: HttpResponse): DeliveryResult {
  const answer = parsed(text)
  const id = answer.messages?.[0]?.id
  if (status >= 200 && status < 300) {
    if (typeof id === 'string' && id !== '') return { status: 'sent', provider, providerMessageId: id.slice(0, 500) }
    const reason = `WhatsApp service error: ${status} (an answer that cannot be read)`
    return new DeliveryError(reason, { provider, mayHaveArrived: true })
  }
  const code = Number(answer.error?.code ?? Number.NaN)
  const errorText = answer.error?.error_data?.details ?? answer.error?.message
  const detail = [answer.error?.code, typeof errorText === 'string' && errorText.slice(0, 200)]
    .filter(Boolean)
    .join(' ')
  const isPassing = status >= 500 || status === 429 || PASSING.has(code)
  const isSettings = [401, 403, 404].includes(status) || SETTINGS.has(code) || (code >= 200 && code < 300)
  return new DeliveryError(`WhatsApp service error: ${status}${detail ? ` (${detail})` : ''}`, {
    provider,
    isFinal: !isPassing && !isSettings,
    isPeerAway: isSettings || [429, 502, 503, 504].includes(status),
    retryAfter,
    suppression: code === 131050 ? 'opted_out' : undefined,
  })
}

function parsed(text: string): Answered {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Answered) : {}
  } catch {
    return {}
  }
}
