import type { Selectable } from 'kysely'
import addressparser from 'nodemailer/lib/addressparser'
import type { Database } from '#server/db/connection.ts'
import type { MessagesTable } from '#server/db/tables-delivery.ts'
import type { Settings } from '#server/env.ts'
import { present } from '#shared/assert.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { DeliveryError } from './delivery-result.ts'
import type { Transport } from './outbound-message.ts'
import { mailTransport } from './providers/email/smtp.ts'
import { browsersIn } from './providers/push/push-subscriptions.ts'
import { pushKeysOf } from './providers/push/vapid.ts'
import { pushTransport } from './providers/push/web-push.ts'
import type { Providers } from './providers/settings.ts'
import { smsTransport } from './providers/sms/twilio.ts'
import { whatsAppTransport } from './providers/whatsapp/cloud-api.ts'

export { DeliveryError } from './delivery-result.ts'

export type Message = Selectable<MessagesTable>

type ChannelSettings = Pick<Settings, keyof Providers | 'isEmbedded' | 'host' | 'publicUrl' | 'trustedProxies' | 'hub'>

/** Channels without a provider: messages are recorded, or fail with that reason. */
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
  /** False if email is only recorded. */
  sendsEmail: boolean
  /** Channels without a provider. */
  unsent: readonly MessageChannel[]
  /** Domain of placeholder addresses for members whose address the hub does not know. */
  madeUpDomain: string | undefined
  /** The outbox shows secret messages (codes and sign-in links), for a first trial on one's own machine. */
  hasOpenOutbox: boolean
  close(): void
}

/** Creates the configured transports; channels that are not configured record messages or fail with the reason. */
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

/** In the order in which they are tried. */
function mailProvidersOf({ smtpUrl, resend, secondSmtpUrl, mailFrom: from }: ChannelSettings) {
  return [
    ...(smtpUrl ? [{ url: smtpUrl, from, name: 'smtp' }] : []),
    ...(resend ? [{ ...resend, from, name: 'resend' }] : []),
    ...(secondSmtpUrl ? [{ url: secondSmtpUrl, from, name: 'smtp-2' }] : []),
  ]
}

/** Where a provider reports deliveries; undefined for a machine that is not reachable from outside. */
function callbackUrl({ publicUrl, sms }: ChannelSettings, provider: string): string | undefined {
  const { url } = present(
    sms.find(({ name }) => name === provider),
    `the SMS provider ${provider}`,
  )
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
      onResult(message, new DeliveryError(`No ${name} provider is configured`, { isFinal: true }))
  },
})

/**
 * True if only the user of this machine can connect: embedded database, no mail server, and both the listening and the
 * public address are loopback. Recorded messages are then open to anyone, so that a sign-up can be finished.
 */
export function hasOpenOutbox(
  settings: Pick<Settings, 'smtpUrl' | 'resend' | 'isEmbedded' | 'host' | 'publicUrl' | 'trustedProxies'>,
): boolean {
  const { smtpUrl, resend, isEmbedded, host, publicUrl, trustedProxies } = settings
  const isAlone = isLoopback(host) && isLoopback(new URL(publicUrl).hostname) && trustedProxies === 0
  return isEmbedded && !smtpUrl && !resend && isAlone
}

/** A name or address of this machine that no other machine can reach. */
export const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
