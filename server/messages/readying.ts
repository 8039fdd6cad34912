import { languageOf } from '#shared/language.ts'
import { type Kind, LANES } from '#shared/notifications/kinds.ts'
import { type Hours, opening } from '#shared/notifications/quiet.ts'
import { INVALID_PHONE, isPhone } from '#shared/notifications/sms.ts'
import { personZone } from '../countries/person-zone.ts'
import type { UnsubscribeLinks } from '../notifications/unsubscribeLink.ts'
import { ALWAYS_TOLD } from './always.ts'
import type { Claimed } from './claiming.ts'
import { QUIET_REASON } from './deferred.ts'
import { DeliveryFailure } from './failure.ts'
import type { Leaving, Words } from './leaving.ts'
import type { Announced, WordBook } from './words.ts'

/** What becomes of a message that does not leave now. */
export type Kept =
  | { status: 'dropped'; reason: string }
  /** Waits without having been tried. */
  | { status: 'later'; at: Date; reason: string }

/** Links of an announcement that are its reader's own, by the places in its words that they fill. */
export type LinksOf = (announced: Announced, userId: string) => Record<string, string>

export interface ReadyingParts {
  words: WordBook
  links: UnsubscribeLinks
  linksOf: LinksOf
  publicUrl: string
  brand: string
  /** Where nobody has said another. */
  zone: string
  /** Hours in which text messages are sent. */
  textHours: Hours
  /** What is urgent is not held up by those hours. */
  urgentAtAnyHour: boolean
  sendsEmail: boolean
}

/** Makes a message ready to leave, or says what becomes of it instead. */
export function ready(row: Claimed, parts: ReadyingParts, now: Date): Leaving | Kept | DeliveryFailure {
  if (row.expires_at && row.expires_at <= now) return final('Its time ran out before it could be sent')
  if (row.void_reason) return { status: 'dropped', reason: row.void_reason }
  const to = addressOf(row, parts)
  if (to instanceof DeliveryFailure) return to
  // What signs somebody in is tried all the same: whoever waits for it has asked for it.
  if (row.stopped && !row.is_secret) return final(STOPPED[row.stopped])
  const later = row.kind === 'account' ? null : openingOf(row, parts, now)
  if (later) return { status: 'later', at: later, reason: QUIET_REASON }
  const words = wordsOf(row, parts)
  if (words instanceof DeliveryFailure) return words
  const ending = endingOf(row, parts)
  const extras = row.extras ?? {}
  return {
    id: row.id,
    // Somebody has it sent again: to a provider that remembers keys it is another message.
    key: extras.again ? `${row.message_key} again ${extras.again}` : row.message_key,
    to,
    replyTo: row.reply_to,
    words,
    personal: row.announcement_id === null ? null : personalOf(row, parts, ending?.page ?? parts.publicUrl),
    unsubscribeUrl: ending?.oneClick ?? null,
    isUrgent: row.lane === LANES.urgent,
    extras,
  }
}

const STOPPED: Record<NonNullable<Claimed['stopped']>, string> = {
  bounced: 'Nothing is sent to this address any more: it did not take a message',
  invalid: 'Nothing is sent to this address any more: it does not exist',
  complained: 'Nothing is sent to this address any more: its owner called a message unwanted',
  opted_out: 'Nothing is sent to this address any more: its owner said stop',
}

const final = (reason: string, stops?: 'invalid') => new DeliveryFailure(reason, { isFinal: true, stops })

/** As the profile says at this moment, where the message does not say itself. */
function addressOf(row: Claimed, { sendsEmail }: ReadyingParts): string | DeliveryFailure {
  const isOwn = row.announcement_id === null && row.recipient !== null
  switch (row.channel) {
    case 'email':
      // Where nothing is sent at all, made-up addresses are recorded like the others.
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

/** When a message that makes a sound may leave; null: now. */
function openingOf(row: Claimed, parts: ReadyingParts, now: Date): Date | null {
  if (row.channel === 'email') return null
  const isUrgent = row.lane === LANES.urgent
  const passes = isUrgent && row.urgent_bypass
  const isText = row.channel !== 'push'
  const quiet =
    row.quiet_from && row.quiet_until && !passes ? { from: row.quiet_from, until: row.quiet_until } : undefined
  const open = isText && !(passes && parts.urgentAtAnyHour) ? parts.textHours : undefined
  if (!quiet && !open) return null
  return opening(now, personZone(row, parts.zone), { open, quiet })
}

function wordsOf(row: Claimed, { words, brand, publicUrl }: ReadyingParts): Words | DeliveryFailure {
  const language = languageOf(row.language) ?? 'en'
  if (row.announcement_id !== null && row.body_text === null) return words.wordsOf(row.announcement_id, language, brand)
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

function personalOf(row: Claimed, { words, linksOf }: ReadyingParts, unsubscribe: string): Record<string, string> {
  const announced = words.find(row.announcement_id!)
  return { name: row.name ?? '', unsubscribe, ...(announced && row.user_id ? linksOf(announced, row.user_id) : {}) }
}

/** The way out of messages of this kind; none of those of the account itself, nor of what cannot be switched off. */
function endingOf(row: Claimed, { links, publicUrl }: ReadyingParts) {
  const isBound = row.kind === 'account' || ALWAYS_TOLD.has(row.template)
  if (isBound || row.user_id === null || row.channel !== 'email') return undefined
  const { user_id: userId, kind, subscription_id: subscriptionId } = row
  const token = links.sign({ userId, kind: kind as Kind, ...(subscriptionId ? { subscriptionId } : {}) })
  return { page: `${publicUrl}/unsubscribe/${token}`, oneClick: `${publicUrl}/api/public/unsubscribe/${token}` }
}
