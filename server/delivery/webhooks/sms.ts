import { inBackground } from '#server/db/claims.ts'
import type { ActionContext, Router } from '#server/http/router.ts'
import { isPhone } from '#shared/delivery/sms.ts'
import { receiveSms, receiveSmsStatus } from '#shared/delivery/webhooks.ts'
import { AppError } from '#shared/errors.ts'
import type { Upload } from '#shared/files/upload.ts'
import { type DeliveryEvent, recordDeliveryEvent } from '../delivery-events.ts'
import type { SmsProvider } from '../providers/settings.ts'
import { escaped } from '../templates/html.ts'
import type { InboundText, ReceiveText } from './inbound-text.ts'
import { applyOptOut, optOutOf } from './opt-out.ts'
import { invalidSignature, isSame, noSuchPage, twilioSignature } from './signatures.ts'

const MAX_FORM_BYTES = 64 * 1024
const EVENT_STATUSES: Record<string, DeliveryEvent['status']> = {
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
}
/** Error codes that concern the number itself: its owner opted out, it does not exist, or it cannot receive texts. */
const SUPPRESSION_BY_CODE: Record<string, DeliveryEvent['suppression_reason']> = {
  '21610': 'opted_out',
  '21211': 'invalid',
  '21614': 'invalid',
  '30006': 'invalid',
}

/** Webhooks of SMS providers: delivery reports and inbound texts. */
export function smsWebhooks(
  router: Router,
  { publicUrl, providers, receiveText }: { publicUrl: string; providers: SmsProvider[]; receiveText: ReceiveText },
) {
  const read = async (ctx: ActionContext, name: string, hook: string, body: Upload) => {
    const provider = providers.find((each) => each.name === name)
    if (!provider) throw noSuchPage()
    const form = formOf(await body.read(MAX_FORM_BYTES))
    // The signature covers the URL configured at the provider, whatever a proxy changed.
    const expected = twilioSignature(provider.token, `${publicUrl}/api/hooks/sms/${name}/${hook}`, form)
    if (!isSame(ctx.headers.get('x-twilio-signature') ?? '', expected)) throw invalidSignature()
    return form
  }

  router.act(receiveSmsStatus, async (ctx, { params, body }) => {
    const form = await read(ctx, params.provider, 'status', body)
    const { MessageSid = '', MessageStatus = '', ErrorCode = '' } = form
    const status = EVENT_STATUSES[MessageStatus]
    // Intermediate statuses are ignored; only final ones are recorded.
    if (!status || !MessageSid) return { told: 0 }
    const detail = ErrorCode ? `${MessageStatus} (${ErrorCode})` : MessageStatus
    const event = {
      provider: params.provider,
      provider_message_id: MessageSid.slice(0, 500),
      status,
      detail,
      suppression_reason: SUPPRESSION_BY_CODE[ErrorCode],
    }
    await inBackground(ctx.database, 'receipts', (db) => recordDeliveryEvent(db, event))
    return { told: 1 }
  })

  router.act(receiveSms, async ({ database, now, ...ctx }, { params, body }) => {
    const form = await read({ database, now, ...ctx }, params.provider, 'inbound', body)
    const text = textIn(form, params.provider)
    if (!text) return twiml()
    // The provider itself replies to STOP and START.
    if (text.optOut)
      await inBackground(database, 'receipts', (db) => applyOptOut(db, text.optOut!, text.channel, text.number))
    const { reply } = await receiveText(database, text, now)
    return twiml(reply)
  })
}

/** A message posted by Twilio, via SMS or WhatsApp; undefined if there is no number to reply to. */
function textIn(form: Record<string, string>, provider: string): InboundText | undefined {
  const { From = '', Body = '', Latitude, Longitude } = form
  const isWhatsApp = From.startsWith('whatsapp:')
  const number = From.replace(/^whatsapp:/, '').trim()
  if (!isPhone(number)) return undefined
  const location = Latitude && Longitude ? `${Latitude},${Longitude}` : ''
  return {
    provider,
    providerMessageId: (form.MessageSid || form.SmsMessageSid || form.SmsSid)?.slice(0, 500) ?? null,
    channel: isWhatsApp ? 'whatsapp' : 'sms',
    number,
    body: [Body, location].filter(Boolean).join('\n'),
    mediaCount: Math.min(100, Math.max(0, Number.parseInt(form.NumMedia ?? '0', 10) || 0)),
    optOut: optOutOf(Body),
  }
}

function formOf({ bytes }: { bytes: Uint8Array }): Record<string, string> {
  const form: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(Buffer.from(bytes).toString('utf8'))) {
    if (Object.hasOwn(form, name))
      throw new AppError(400, 'malformed_form', 'The form did not arrive complete. Please send it again.')
    Object.defineProperty(form, name, { value, enumerable: true })
  }
  return form
}

function twiml(reply?: string | null): Response {
  const message = reply ? `<Message>${escaped(reply)}</Message>` : ''
  const text = `<?xml version="1.0" encoding="UTF-8"?><Response>${message}</Response>`
  return new Response(text, { headers: { 'content-type': 'text/xml; charset=utf-8' } })
}
