import type { Selectable } from 'kysely'
import addressparser from 'nodemailer/lib/addressparser'
import type { Database } from '#server/db/connection.ts'
import type { MessagesTable } from '#server/db/tables-notifications.ts'
import type { Settings } from '#server/env.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { DeliveryFailure } from './delivery-result.ts'
import type { Transport } from './outbound-message.ts'
import { mailTransport } from './providers/email/smtp.ts'
import { browsersIn } from './providers/push/push-subscriptions.ts'
import { pushKeysOf } from './providers/push/vapid.ts'
import { pushTransport } from './providers/push/web-push.ts'
import type { Providers } from './providers/settings.ts'
import { smsTransport } from './providers/sms/twilio.ts'
import { whatsAppTransport } from './providers/whatsapp/cloud-api.ts'

export { DeliveryFailure } from './delivery-result.ts'

export type Message = Selectable<MessagesTable>

type ChannelSettings = Pick<Settings, keyof Providers | 'isEmbedded' | 'host' | 'publicUrl' | 'trustedProxies' | 'hub'>

/** Ways that have no provider: what should leave by them is recorded, or fails with that reason. */
export function unsentChannels(
  settings: Pick<Settings, 'smtpUrl' | 'secondSmtpUrl' | 'resend' | 'sms' | 'whatsapp'>,
): MessageChannel[] {
  const { smtpUrl, secondSmtpUrl, resend, sms, whatsapp } = settings
  return [
    ...(smtpUrl || secondSmtpUrl || resend ? [] : (['email'] as const)),
    ...(sms.length > 0 ? [] : (['sms'] as const)),
    ...(whatsapp ? [] : (['whatsapp'] as const)),
  ]
}

export interface Channels {
  transports: Record<MessageChannel, Transport>
  /** False where mail is only recorded. */
  sendsEmail: boolean
  /** Ways that have no provider. */
  unsent: readonly MessageChannel[]
  /** Domain of addresses that were made up for members of whom the hub knows none. */
  madeUpDomain: string | undefined
  /** The outbox shows what signs somebody in: a first look on one's own machine. */
  hasOpenOutbox: boolean
  close(): void
}

/** The ways out that the settings name; what is not configured is recorded, or fails with the reason. */
export function createChannels(settings: ChannelSettings, deps: { database?: Database } = {}): Channels {
  const { isEmbedded, sms, whatsapp } = settings
  const servers = mailProvidersOf(settings)
  const configuredTransports = {
    ...(servers.length > 0 ? { email: mailTransport(servers) } : {}),
    ...(sms.length > 0 ? { sms: smsTransport(sms, (provider) => callbackUrl(settings, provider)) } : {}),
    ...(deps.database ? { push: pushThrough(deps.database, settings) } : {}),
    ...(whatsapp ? { whatsapp: whatsAppTransport(whatsapp) } : {}),
  }
  const without = (name: string) => (isEmbedded ? recording : noProvider(name))
  const transports: Record<MessageChannel, Transport> = {
    email: recording,
    sms: without('SMS'),
    push: without('push'),
    whatsapp: without('WhatsApp'),
    ...configuredTransports,
  }
  return {
    transports,
    sendsEmail: servers.length > 0,
    unsent: unsentChannels(settings),
    madeUpDomain: settings.hub?.emailDomain,
    hasOpenOutbox: hasOpenOutbox(settings),
    close: () => {
      for (const transport of Object.values(configuredTransports)) transport.close()
    },
  }
}

/** In the order in which they are asked. */
function mailProvidersOf({ smtpUrl, resend, secondSmtpUrl, mailFrom: from }: ChannelSettings) {
  return [
    ...(smtpUrl ? [{ url: smtpUrl, from, name: 'smtp' }] : []),
    ...(resend ? [{ ...resend, from, name: 'resend' }] : []),
    ...(secondSmtpUrl ? [{ url: secondSmtpUrl, from, name: 'smtp-2' }] : []),
  ]
}

/** Where a provider tells of delivery; a machine that nobody else reaches is not told. */
function callbackUrl({ publicUrl, sms }: ChannelSettings, provider: string): string | undefined {
  const { url } = sms.find(({ name }) => name === provider)!
  const isReached = !isLoopback(new URL(publicUrl).hostname) || isLoopback(new URL(url).hostname)
  return isReached ? `${publicUrl}/api/hooks/sms/${provider}/status` : undefined
}

function pushThrough(database: Database, { pushKeys, mailFrom, allowsPrivatePush }: ChannelSettings) {
  return pushTransport({
    browsers: browsersIn(database),
    keys: () => pushKeysOf(database, pushKeys),
    contact: `mailto:${addressparser(mailFrom)[0]?.address ?? 'no-reply@portal.invalid'}`,
    allowsPrivate: allowsPrivatePush,
  })
}

const recording: Transport = {
  batch: 500,
  concurrency: 1,
  async send(messages, onResult) {
    for (const message of messages) onResult(message, { status: 'recorded' })
  },
}
const noProvider = (name: string): Transport => ({
  batch: 500,
  concurrency: 1,
  async send(messages, onResult) {
    for (const message of messages)
      onResult(message, new DeliveryFailure(`No ${name} provider is configured`, { isFinal: true }))
  },
})

/**
 * True where nobody but the person at this machine can come in: embedded, no mail server, and only loopback as the
 * address to listen on and to be reached by. Then anyone may look at what was recorded, to finish a sign-up.
 */
export function hasOpenOutbox(
  settings: Pick<Settings, 'smtpUrl' | 'resend' | 'isEmbedded' | 'host' | 'publicUrl' | 'trustedProxies'>,
): boolean {
  const { smtpUrl, resend, isEmbedded, host, publicUrl, trustedProxies } = settings
  const isAlone = isLoopback(host) && isLoopback(new URL(publicUrl).hostname) && trustedProxies === 0
  return isEmbedded && !smtpUrl && !resend && isAlone
}

/** A name or address of this machine that no other can reach. */
export const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
