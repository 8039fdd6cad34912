import { userZone } from '#server/countries/user-zone.ts'
import { type Kind, QUEUE_PRIORITY } from '#shared/delivery/kinds.ts'
import { nextSendTime } from '#shared/delivery/quiet-hours.ts'
import { INVALID_PHONE, isPhone } from '#shared/delivery/sms.ts'
import { languageOf } from '#shared/language.ts'
import { QUIET_REASON } from './deferral.ts'
import { DeliveryError, type SkipResult } from './delivery-result.ts'
import type { LeasedMessage } from './leases.ts'
import type { MessageContent, OutboundMessage } from './outbound-message.ts'
import { MANDATORY_TEMPLATES } from './outbox.ts'
import type { SendContext } from './send-context.ts'

/** Prepares a message for sending, or returns why it is not sent now. */
export function checkEligibility(
  row: LeasedMessage,
  context: SendContext,
  now: Date,
): OutboundMessage | SkipResult | DeliveryError {
  if (row.expires_at && row.expires_at <= now) return final('The message expired before it could be sent')
  if (row.skip_reason) return { status: 'dropped', reason: row.skip_reason }
  const to = addressOf(row, context)
  if (to instanceof DeliveryError) return to
  // Secret messages are sent despite a suppression: the recipient requested them.
  if (row.suppression_reason && !row.is_secret) return final(SUPPRESSION_TEXTS[row.suppression_reason])
  const later = row.kind === 'account' ? null : sendTimeOf(row, context, now)
  if (later) return { status: 'later', at: later, reason: QUIET_REASON }
  const content = contentOf(row, context)
  if (content instanceof DeliveryError) return content
  const limited = row.channel === 'sms' ? context.rateLimiter.take(row, to, now) : null
  if (limited) return limited
  const unsubscribe = unsubscribeUrlsOf(row, context)
  const extras = row.extras ?? {}
  return {
    id: row.id,
    // Resent by an administrator: needs a new key, or an idempotent provider would ignore it.
    key: extras.again ? `${row.message_key} again ${extras.again}` : row.message_key,
    to,
    replyTo: row.reply_to,
    content,
    personal: row.announcement_id === null ? null : personalOf(row, context, unsubscribe?.page ?? context.publicUrl),
    unsubscribeUrl: unsubscribe?.oneClick ?? null,
    isUrgent: row.queue_priority === QUEUE_PRIORITY.urgent,
    extras,
  }
}

const SUPPRESSION_TEXTS: Record<NonNullable<LeasedMessage['suppression_reason']>, string> = {
  bounced: 'We no longer send to this address: a message bounced',
  invalid: 'We no longer send to this address: it does not exist',
  complained: 'We no longer send to this address: its owner reported a message as spam',
  opted_out: 'We no longer send to this address: its owner opted out',
}

const final = (reason: string, suppression?: 'invalid') => new DeliveryError(reason, { isFinal: true, suppression })

/** The current address of the profile, unless the message has its own. */
function addressOf(row: LeasedMessage, { sendsEmail }: SendContext): string | DeliveryError {
  const isOwn = row.announcement_id === null && row.recipient !== null
  switch (row.channel) {
    case 'email':
      // Where no email is sent at all, placeholder addresses are recorded like any other.
      if (row.is_made_up && sendsEmail) return final('This account has no real email address')
      return (isOwn ? row.recipient : row.email) ?? final('No email address available for user')
    case 'sms':
    case 'whatsapp': {
      const number = isOwn ? row.recipient : row.phone
      if (!number) return final('No phone number available for user')
      return isPhone(number) ? number : final(INVALID_PHONE, 'invalid')
    }
    case 'push':
      return row.user_id ?? final('No browser is known for user')
    default:
      return final('Unsupported notification type')
  }
}

/** The earliest time at which a message that makes a sound may be sent; null: now. */
function sendTimeOf(row: LeasedMessage, context: SendContext, now: Date): Date | null {
  if (row.channel === 'email') return null
  const isUrgent = row.queue_priority === QUEUE_PRIORITY.urgent
  const passes = isUrgent && row.urgent_bypass
  const isText = row.channel !== 'push'
  const quiet =
    row.quiet_from && row.quiet_until && !passes ? { from: row.quiet_from, until: row.quiet_until } : undefined
  const open = isText && !(passes && context.urgentAtAnyHour) ? context.textHours : undefined
  if (!quiet && !open) return null
  return nextSendTime(now, userZone(row, context.zone), { open, quiet })
}

function contentOf(
  row: LeasedMessage,
  { announcements, brand, publicUrl }: SendContext,
): MessageContent | DeliveryError {
  const language = languageOf(row.language) ?? 'en'
  if (row.announcement_id !== null && row.body_text === null)
    return announcements.get(row.announcement_id)?.contentOf(language, brand) ?? final('Advisory data not found')
  const text = row.body_text ?? ''
  const extras = row.extras ?? {}
  return {
    language,
    subject: row.subject,
    text,
    html: row.body_html,
    short: { title: '', message: text, link: null },
    push: {
      title: row.subject || brand,
      body: text,
      url: `${publicUrl}${extras.url ?? ''}`,
      tag: row.message_key,
      id: row.message_key,
      ...(extras.data ? { data: extras.data } : {}),
    },
  }
}

function personalOf(
  row: LeasedMessage,
  { announcements, linksOf }: SendContext,
  unsubscribe: string,
): Record<string, string> {
  const announcement = row.announcement_id === null ? undefined : announcements.get(row.announcement_id)?.source
  return {
    name: row.name ?? '',
    unsubscribe,
    ...(announcement && row.user_id ? linksOf(announcement, row.user_id) : {}),
  }
}

/** The unsubscribe links of messages of this kind; none for account messages and mandatory templates. */
function unsubscribeUrlsOf(row: LeasedMessage, { unsubscribeUrls }: SendContext) {
  const isBound = row.kind === 'account' || MANDATORY_TEMPLATES.has(row.template)
  if (isBound || row.user_id === null || row.channel !== 'email') return undefined
  const { user_id: userId, kind, subscription_id: subscriptionId } = row
  return unsubscribeUrls({ userId, kind: kind as Kind, ...(subscriptionId ? { subscriptionId } : {}) })
}
