import { userZone } from '#server/countries/user-zone.ts'
import type { UnsubscribeLinks } from '#server/notifications/subscriptions/unsubscribe-link.ts'
import { type Kind, QUEUE_PRIORITY } from '#shared/delivery/kinds.ts'
import { type Hours, opening } from '#shared/delivery/quiet-hours.ts'
import { INVALID_PHONE, isPhone } from '#shared/delivery/sms.ts'
import { languageOf } from '#shared/language.ts'
import { QUIET_REASON } from './deferral.ts'
import { DeliveryFailure } from './delivery-result.ts'
import type { Claimed } from './leases.ts'
import { MANDATORY_TEMPLATES } from './mandatory-templates.ts'
import type { MessageContent, OutboundMessage } from './outbound-message.ts'
import type { Announced, ContentCache } from './templates/announcement-content.ts'

/** Result of a message that is not sent now. */
export type SkipResult =
  | { status: 'dropped'; reason: string }
  /** Deferred without an attempt. */
  | { status: 'later'; at: Date; reason: string }

/** Links of an announcement that are individual to each recipient, by placeholder name. */
export type LinksOf = (announced: Announced, userId: string) => Record<string, string>

export interface SendContext {
  contentCache: ContentCache
  links: UnsubscribeLinks
  linksOf: LinksOf
  publicUrl: string
  brand: string
  /** Default for users without a time zone. */
  zone: string
  /** Hours in which text messages are sent. */
  textHours: Hours
  /** Urgent messages are exempt from those hours. */
  urgentAtAnyHour: boolean
  sendsEmail: boolean
}

/** Prepares a message for sending, or returns why it is not sent now. */
export function ready(row: Claimed, deps: SendContext, now: Date): OutboundMessage | SkipResult | DeliveryFailure {
  if (row.expires_at && row.expires_at <= now) return final('Its time ran out before it could be sent')
  if (row.void_reason) return { status: 'dropped', reason: row.void_reason }
  const to = addressOf(row, deps)
  if (to instanceof DeliveryFailure) return to
  // Secret messages are sent despite a suppression: the recipient requested them.
  if (row.stopped && !row.is_secret) return final(SUPPRESSION_TEXTS[row.stopped])
  const later = row.kind === 'account' ? null : openingOf(row, deps, now)
  if (later) return { status: 'later', at: later, reason: QUIET_REASON }
  const content = contentOf(row, deps)
  if (content instanceof DeliveryFailure) return content
  const ending = endingOf(row, deps)
  const extras = row.extras ?? {}
  return {
    id: row.id,
    // Resent by an administrator: needs a new key, or an idempotent provider would ignore it.
    key: extras.again ? `${row.message_key} again ${extras.again}` : row.message_key,
    to,
    replyTo: row.reply_to,
    content,
    personal: row.announcement_id === null ? null : personalOf(row, deps, ending?.page ?? deps.publicUrl),
    unsubscribeUrl: ending?.oneClick ?? null,
    isUrgent: row.lane === QUEUE_PRIORITY.urgent,
    extras,
  }
}

const SUPPRESSION_TEXTS: Record<NonNullable<Claimed['stopped']>, string> = {
  bounced: 'Nothing is sent to this address any more: it did not take a message',
  invalid: 'Nothing is sent to this address any more: it does not exist',
  complained: 'Nothing is sent to this address any more: its owner called a message unwanted',
  opted_out: 'Nothing is sent to this address any more: its owner said stop',
}

const final = (reason: string, suppression?: 'invalid') => new DeliveryFailure(reason, { isFinal: true, suppression })

/** The current address of the profile, unless the message has its own. */
function addressOf(row: Claimed, { sendsEmail }: SendContext): string | DeliveryFailure {
  const isOwn = row.announcement_id === null && row.recipient !== null
  switch (row.channel) {
    case 'email':
      // Where no email is sent at all, placeholder addresses are recorded like any other.
      if (row.is_made_up && sendsEmail) return final('No mail reaches this address: it was made up by the portal')
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
function openingOf(row: Claimed, deps: SendContext, now: Date): Date | null {
  if (row.channel === 'email') return null
  const isUrgent = row.lane === QUEUE_PRIORITY.urgent
  const passes = isUrgent && row.urgent_bypass
  const isText = row.channel !== 'push'
  const quiet =
    row.quiet_from && row.quiet_until && !passes ? { from: row.quiet_from, until: row.quiet_until } : undefined
  const open = isText && !(passes && deps.urgentAtAnyHour) ? deps.textHours : undefined
  if (!quiet && !open) return null
  return opening(now, userZone(row, deps.zone), { open, quiet })
}

function contentOf(row: Claimed, { contentCache, brand, publicUrl }: SendContext): MessageContent | DeliveryFailure {
  const language = languageOf(row.language) ?? 'en'
  if (row.announcement_id !== null && row.body_text === null)
    return contentCache.contentOf(row.announcement_id, language, brand)
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

function personalOf(row: Claimed, { contentCache, linksOf }: SendContext, unsubscribe: string): Record<string, string> {
  const announced = contentCache.find(row.announcement_id!)
  return { name: row.name ?? '', unsubscribe, ...(announced && row.user_id ? linksOf(announced, row.user_id) : {}) }
}

/** The unsubscribe link for messages of this kind; none for account messages and mandatory templates. */
function endingOf(row: Claimed, { links, publicUrl }: SendContext) {
  const isBound = row.kind === 'account' || MANDATORY_TEMPLATES.has(row.template)
  if (isBound || row.user_id === null || row.channel !== 'email') return undefined
  const { user_id: userId, kind, subscription_id: subscriptionId } = row
  const token = links.sign({ userId, kind: kind as Kind, ...(subscriptionId ? { subscriptionId } : {}) })
  return { page: `${publicUrl}/unsubscribe/${token}`, oneClick: `${publicUrl}/api/public/unsubscribe/${token}` }
}
