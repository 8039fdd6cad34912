import { composeSms, INVALID_PHONE, isPhone, MAX_RAW, TOO_LONG } from '#shared/delivery/sms.ts'
import { DeliveryError, type DeliveryResult } from '../../delivery-result.ts'
import type { OutboundMessage } from '../../outbound-message.ts'
import { fillText } from '../../templates/placeholders.ts'
import { type ClosableTransport, inBatches, type Provider } from '../batch-transport.ts'
import { withFailover } from '../failover.ts'
import { createHttpClient, type HttpClientOptions, type HttpResponse } from '../http-client.ts'
import type { SmsProvider } from '../settings.ts'

/** Error codes worth retrying: rate limits and full queues. */
const PASSING = new Set([14107, 20429, 21611, 30001])
/** Error codes that concern the number itself. */
const SUPPRESSION_BY_CODE: Record<number, 'invalid' | 'opted_out'> = {
  21211: 'invalid',
  21217: 'invalid',
  21614: 'invalid',
  21610: 'opted_out',
}
const AT_ONCE = 20

/** Sends text messages through the first healthy provider. `callbackUrl`: where each reports delivery. */
export const smsTransport = (
  providers: SmsProvider[],
  callbackUrl?: (provider: string) => string | undefined,
  limits?: HttpClientOptions['limits'],
): ClosableTransport =>
  inBatches(withFailover(providers.map((each) => twilioProvider(each, callbackUrl?.(each.name), limits))), {
    batch: 100,
    concurrency: 2,
    atOnce: AT_ONCE,
  })

/** A provider with Twilio's Messages API. */
function twilioProvider(
  settings: SmsProvider,
  callbackUrl: string | undefined,
  limits: HttpClientOptions['limits'],
): Provider {
  const { name: provider, account, token, from } = settings
  const http = createHttpClient({ provider, name: 'SMS service', connections: AT_ONCE, limits })
  const url = `${settings.url}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`
  const headers = {
    authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  const refused = (reason: string, suppression?: 'invalid') =>
    new DeliveryError(reason, { isFinal: true, provider, suppression })

  async function deliver(message: OutboundMessage): Promise<DeliveryResult> {
    if (!isPhone(message.to)) return refused(INVALID_PHONE, 'invalid')
    const { instruction = '', title, message: messageText, link } = message.content.short
    const fill = (text: string) => fillText(message, text)
    const short = {
      instruction: fill(instruction),
      title: fill(title),
      message: fill(messageText),
      link: link && fill(link),
    }
    const body = composeSms(short)
    if (body.length > MAX_RAW) return refused(TOO_LONG)
    const form = new URLSearchParams({
      To: message.to,
      [from.startsWith('MG') ? 'MessagingServiceSid' : 'From']: from,
      Body: body,
      ...(message.extras.media_url ? { MediaUrl: message.extras.media_url } : {}),
      ...(callbackUrl ? { StatusCallback: callbackUrl } : {}),
    })
    try {
      return resultOf(await http.post(url, headers, form.toString()), provider)
    } catch (error) {
      if (error instanceof DeliveryError) return error
      throw error
    }
  }

  const isFor = ({ extras }: OutboundMessage) => extras.from === undefined || extras.from === from
  return { name: provider, deliver, isFor, close: http.close }
}

function resultOf({ status, text, retryAfter }: HttpResponse, provider: string): DeliveryResult {
  const { sid, code, message } = parsed(text)
  if (status >= 200 && status < 300) {
    if (typeof sid === 'string' && /^\w{8,64}$/.test(sid)) return { status: 'sent', provider, providerMessageId: sid }
    return new DeliveryError(`SMS service error: ${status} (an answer that cannot be read)`, {
      provider,
      mayHaveArrived: true,
    })
  }
  const detail = [code, typeof message === 'string' && message.slice(0, 200)].filter(Boolean).join(' ')
  const number = Number(code)
  const isPassing = status >= 500 || status === 429 || status === 408 || PASSING.has(number)
  // The account is unknown or not permitted: a configuration error that an operator can fix.
  const isSettings = [401, 403, 404].includes(status)
  return new DeliveryError(`SMS service error: ${status}${detail ? ` (${detail})` : ''}`, {
    provider,
    isFinal: !isPassing && !isSettings,
    isPeerAway: isSettings || [429, 502, 503, 504].includes(status),
    retryAfter,
    suppression: SUPPRESSION_BY_CODE[number],
  })
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
