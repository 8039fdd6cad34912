import { randomUUID } from 'node:crypto'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Router } from '#server/http/router.ts'
import { QUEUE_PRIORITY } from '#shared/delivery/kinds.ts'
import { isPhone } from '#shared/delivery/sms.ts'
import { receiveWhatsApp, verifyWhatsAppHook } from '#shared/delivery/webhooks.ts'
import { AppError } from '#shared/errors.ts'
import { type DeliveryEvent, recordDeliveryEvent } from '../delivery-events.ts'
import type { WhatsAppProvider } from '../providers/settings.ts'
import type { InboundText, ReceiveText } from './inbound-text.ts'
import { applyOptOut, optOutOf } from './opt-out.ts'
import { hubSignature, invalidSignature, isSame, noSuchPage } from './signatures.ts'

const MAX_BYTES = 1024 * 1024
/** Read receipts are not requested, but a read message has arrived. */
const EVENT_STATUSES: Record<string, DeliveryEvent['status']> = {
  delivered: 'delivered',
  read: 'delivered',
  failed: 'failed',
}

interface Value {
  statuses?: { id?: string; status?: string; errors?: { code?: number; title?: string; message?: string }[] }[]
  messages?: Message[]
}

/** A message as posted by WhatsApp; the text is in a different field for each type. */
interface Message {
  from?: string
  id?: string
  type?: string
  text?: { body?: string }
  button?: { text?: string }
  interactive?: { button_reply?: { title?: string }; list_reply?: { title?: string } }
  reaction?: { emoji?: string }
  location?: { latitude?: number; longitude?: number; name?: string; address?: string }
  image?: Media
  video?: Media
  document?: Media
  audio?: Media
  sticker?: Media
}
interface Media {
  caption?: string
}

/** Webhooks of WhatsApp: delivery reports and replies. */
export function whatsAppWebhooks(
  router: Router,
  { provider, receiveText }: { provider: WhatsAppProvider | undefined; receiveText: ReceiveText },
) {
  router.act(verifyWhatsAppHook, async (_, { query }) => {
    if (!provider?.verifyToken) throw noSuchPage()
    if (query['hub.mode'] !== 'subscribe' || !isSame(query['hub.verify_token'], provider.verifyToken))
      throw invalidSignature()
    return new Response(query['hub.challenge'], { headers: { 'content-type': 'text/plain; charset=utf-8' } })
  })

  router.act(receiveWhatsApp, async ({ database, headers, now }, { body }) => {
    if (!provider?.appSecret) throw noSuchPage()
    const { bytes } = await body.read(MAX_BYTES)
    if (!isSame(headers.get('x-hub-signature-256') ?? '', hubSignature(provider.appSecret, bytes)))
      throw invalidSignature()
    const values = valuesOf(bytes)
    const events = values.flatMap(({ statuses }) => (statuses ?? []).flatMap(eventsOf))
    await inBackground(database, 'receipts', async (db) => {
      for (const event of events) await recordDeliveryEvent(db, event)
    })
    const texts = values.flatMap(({ messages }) => (messages ?? []).flatMap(textIn))
    const failures: unknown[] = []
    // Each in its own transaction: failures are delivered again, and texts already received count once.
    for (const text of texts) await receive(database, text, now).catch((error) => failures.push(error))
    if (failures.length > 0) throw failures[0]
    return { told: events.length }
  })

  async function receive(database: Database, text: InboundText, now: Date): Promise<void> {
    const { number, optOut, providerMessageId } = text
    if (optOut) await inBackground(database, 'receipts', (db) => applyOptOut(db, optOut, 'whatsapp', number))
    const { reply } = await receiveText(database, text, now)
    if (reply) await inBackground(database, 'receipts', (db) => queueReply(db, number, reply, providerMessageId))
  }
}

/** The webhook response cannot carry a reply, so it is queued as a message with its own text, before bulk ones. */
async function queueReply(db: Db, number: string, reply: string, id: string | null): Promise<void> {
  await db
    .insertInto('messages')
    .values({
      message_key: `reply ${id ?? randomUUID()}`,
      channel: 'whatsapp',
      recipient: number,
      template: 'text-reply',
      subject: '',
      body_text: reply,
      queue_priority: QUEUE_PRIORITY.urgent,
    })
    .onConflict((c) => c.column('message_key').doNothing())
    .execute()
}

function textIn(message: Message): InboundText[] {
  const number = `+${message.from ?? ''}`
  if (!isPhone(number) || message.type === 'system') return []
  const media = [message.image, message.video, message.document, message.audio, message.sticker].filter(Boolean)
  const { location, interactive, reaction } = message
  // A removed reaction has no meaning.
  if (message.type === 'reaction' && !reaction?.emoji) return []
  const place = location && `${location.latitude},${location.longitude}`
  const lines = [
    message.text?.body ?? message.button?.text ?? interactive?.button_reply?.title ?? interactive?.list_reply?.title,
    reaction?.emoji,
    ...media.map((item) => item?.caption),
    ...(place ? [place, location?.name, location?.address] : []),
  ]
  const body = lines.filter((line): line is string => typeof line === 'string' && line !== '').join('\n')
  return [
    {
      provider: 'whatsapp',
      providerMessageId: typeof message.id === 'string' ? message.id.slice(0, 500) : null,
      channel: 'whatsapp',
      number,
      body,
      mediaCount: media.length,
      optOut: optOutOf(body),
    },
  ]
}

function eventsOf({ id, status = '', errors }: NonNullable<Value['statuses']>[number]): DeliveryEvent[] {
  const became = EVENT_STATUSES[status]
  if (!became || typeof id !== 'string') return []
  const [error] = errors ?? []
  const detail = error ? `${status} (${[error.code, error.message ?? error.title].filter(Boolean).join(' ')})` : status
  const suppression = error?.code === 131050 ? ('opted_out' as const) : undefined
  return [
    {
      provider: 'whatsapp',
      provider_message_id: id.slice(0, 500),
      status: became,
      detail,
      suppression_reason: suppression,
    },
  ]
}

function valuesOf(bytes: Uint8Array): Value[] {
  try {
    const payload = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
      entry?: { changes?: { field?: string; value?: Value }[] }[]
    }
    return (payload.entry ?? []).flatMap(({ changes }) => (changes ?? []).flatMap(({ value }) => value ?? []))
  } catch {
    throw new AppError(400, 'malformed_json', 'The body is not valid JSON.')
  }
}
