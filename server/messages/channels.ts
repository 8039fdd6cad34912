import type { Selectable } from 'kysely'
import type { MessagesTable } from '../db/tables-reaching.ts'
import type { Settings } from '../env.ts'
import { smtpDelivery } from './smtp.ts'

export type Message = Selectable<MessagesTable>

/** 'recorded': nothing was sent, the outbox shows what would have been. */
export type Delivered = { status: 'sent'; receipt: string } | { status: 'recorded' }
/** Hands a message to whoever carries it on. Throws a DeliveryFailure. */
export type Deliver = (message: Message) => Promise<Delivered>

export class DeliveryFailure extends Error {
  /** Another try cannot go better. */
  readonly isFinal: boolean
  /** Nobody answers: the next message would meet the same. */
  readonly isPeerAway: boolean
  /** Not before so many seconds, as the other side asked. */
  readonly retryAfter: number | undefined
  /** The address itself is at fault: nothing more is sent to it. */
  readonly stops: 'bounced' | 'invalid' | 'opted_out' | undefined
  readonly provider: string | undefined

  constructor(
    reason: string,
    more: {
      isFinal?: boolean
      isPeerAway?: boolean
      retryAfter?: number | undefined
      stops?: 'bounced' | 'invalid' | 'opted_out' | undefined
      provider?: string | undefined
    } = {},
  ) {
    super(reason)
    this.isFinal = more.isFinal ?? false
    this.isPeerAway = more.isPeerAway ?? false
    this.retryAfter = more.retryAfter
    this.stops = more.stops
    this.provider = more.provider
  }
}

export interface Channels {
  email: Deliver
  sms: Deliver
  push: Deliver
  whatsapp: Deliver
  /** False where mail is only recorded. */
  sendsEmail: boolean
  /** Domain of addresses that were made up for members of whom the hub knows none. */
  madeUpDomain: string | undefined
  /** The outbox shows what signs somebody in: a first look on one's own machine. */
  hasOpenOutbox: boolean
  close(): void
}

/** The ways out that the settings name; what is not configured is recorded, or fails with the reason. */
export function createChannels(
  settings: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'isEmbedded' | 'host' | 'publicUrl' | 'trustedProxies' | 'hub'>,
): Channels {
  const smtp = settings.smtpUrl ? smtpDelivery(settings.smtpUrl, settings.mailFrom) : undefined
  return {
    email: smtp?.deliver ?? record,
    sms: settings.isEmbedded ? record : noProvider('SMS'),
    push: settings.isEmbedded ? record : noProvider('push'),
    whatsapp: settings.isEmbedded ? record : noProvider('WhatsApp'),
    sendsEmail: smtp !== undefined,
    madeUpDomain: settings.hub?.emailDomain,
    hasOpenOutbox: hasOpenOutbox(settings),
    close: () => smtp?.close(),
  }
}

const record: Deliver = async () => ({ status: 'recorded' })
const noProvider =
  (name: string): Deliver =>
  async () => {
    throw new DeliveryFailure(`No ${name} provider is configured`, { isFinal: true })
  }

/**
 * True where nobody but the person at this machine can come in: embedded, no mail server, and only loopback as the
 * address to listen on and to be reached by. Then anyone may look at what was recorded, to finish a sign-up.
 */
export function hasOpenOutbox(
  settings: Pick<Settings, 'smtpUrl' | 'isEmbedded' | 'host' | 'publicUrl' | 'trustedProxies'>,
): boolean {
  const { smtpUrl, isEmbedded, host, publicUrl, trustedProxies } = settings
  const isAlone = isLoopback(host) && isLoopback(new URL(publicUrl).hostname) && trustedProxies === 0
  return isEmbedded && !smtpUrl && isAlone
}

/** A name or address of this machine that no other can reach. */
export const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
