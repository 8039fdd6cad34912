import { createHash } from 'node:crypto'
import { DeliveryError, type DeliveryResult } from '../../delivery-result.ts'
import type { OutboundMessage } from '../../outbound-message.ts'
import { fillMarkup, fillText } from '../../templates/placeholders.ts'
import { isAway, type Provider } from '../batch-transport.ts'
import { createHttpClient, type HttpClientOptions, type HttpResponse } from '../http-client.ts'
import { answersTo, MAX_AT_ONCE, mailAddress, subjectOf, unsubscribeHeaders } from './mime.ts'

export interface ResendProvider {
  url: string
  /** Absent for a mail server. */
  key: string
  from: string
  name?: string
}

/**
 * Sends mail through Resend's HTTP API. Each request carries the message's key as idempotency key: within 24 hours a
 * repeated request returns the first response and sends nothing.
 */
export function resendProvider(settings: ResendProvider, limits?: HttpClientOptions['limits']): Provider {
  const { from, name: provider = 'resend' } = settings
  const http = createHttpClient({ provider, name: 'Email service', connections: MAX_AT_ONCE, limits })
  const url = `${settings.url}/emails`
  const headers = { authorization: `Bearer ${settings.key}`, 'content-type': 'application/json' }

  async function deliver(message: OutboundMessage): Promise<DeliveryResult> {
    const to = mailAddress(message.to)
    if (!to) return new DeliveryError('Invalid email address', { isFinal: true, suppression: 'invalid', provider })
    const key = keyOf(message)
    try {
      const body = JSON.stringify(bodyOf(message, to, from))
      return resultOf(await http.post(url, { ...headers, 'idempotency-key': key }, body), key, provider)
    } catch (error) {
      if (error instanceof DeliveryError) return error
      throw error
    }
  }

  return { name: provider, deliver, isAtFault: isAway, close: http.close }
}

/** Header values are limited to 256 characters; the message key may be longer and contain any character. */
const keyOf = ({ key }: OutboundMessage) => createHash('sha256').update(key).digest('hex')

/** Without date or attempt id, so that a repeated request is byte-identical. */
function bodyOf(message: OutboundMessage, to: string, from: string): object {
  const { content, extras } = message
  const answers = answersTo(message)
  return {
    from: extras.from ?? from,
    to: [to],
    subject: subjectOf(fillText(message, content.subject)),
    text: fillText(message, content.text),
    ...(content.html === null ? {} : { html: fillMarkup(message, content.html) }),
    ...(answers ? { reply_to: answers } : {}),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'Content-Language': content.language,
      ...unsubscribeHeaders(message),
      ...extras.headers,
    },
  }
}

function resultOf({ status, text, retryAfter }: HttpResponse, key: string, provider: string): DeliveryResult {
  const { id, name, message } = parsed(text)
  if (status >= 200 && status < 300) {
    if (typeof id === 'string' && id !== '') return { status: 'sent', provider, providerMessageId: id.slice(0, 500) }
    const reason = `Email service error: ${status} (an answer that cannot be read)`
    return new DeliveryError(reason, { provider, mayHaveArrived: true })
  }
  // Accepted earlier with different content.
  if (status === 409 && name === 'invalid_idempotent_request')
    return { status: 'sent', provider, providerMessageId: key }
  const detail = [name, typeof message === 'string' && message.replace(/\s+/g, ' ').slice(0, 200)].filter(Boolean)
  const isBusy = status === 409 && name === 'concurrent_idempotent_requests'
  // Key or sender is unknown or not permitted: a configuration error that an operator can fix.
  const isSettings = [401, 403, 404, 405].includes(status) || /\bfrom\b|quota/i.test(`${name} ${message}`)
  const isPassing = isBusy || isSettings || status >= 500 || status === 408 || status === 429
  return new DeliveryError(`Email service error: ${status}${detail.length > 0 ? ` (${detail.join(': ')})` : ''}`, {
    provider,
    isFinal: !isPassing,
    isPeerAway: isSettings || [429, 500, 502, 503, 504].includes(status),
    retryAfter,
    mayHaveArrived: isBusy,
    suppression: status === 422 && /`to`/.test(String(message)) ? 'invalid' : undefined,
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
