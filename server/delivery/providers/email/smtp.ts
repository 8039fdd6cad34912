import addressparser from 'nodemailer/lib/addressparser'
import { DeliveryError, type DeliveryResult } from '../../delivery-result.ts'
import type { OutboundMessage } from '../../outbound-message.ts'
import { type ClosableTransport, inBatches, isAway, type Provider } from '../batch-transport.ts'
import { withFailover } from '../failover.ts'
import { MAX_AT_ONCE, mailAddress, mailWriter, messageIdOf } from './mime.ts'
import { type ResendProvider, resendProvider } from './resend.ts'
import { createSmtpConnections, type SmtpConnection, type SmtpError } from './smtp-connections.ts'

export interface MailProvider {
  url: string
  /** Sender of all mail: a name and an address. */
  from: string
  name?: string
}

/** Sends mail through the first healthy provider. */
export const mailTransport = (providers: (MailProvider | ResendProvider)[]): ClosableTransport =>
  inBatches(
    withFailover(providers.map((provider) => ('key' in provider ? resendProvider(provider) : smtpProvider(provider)))),
    {
      batch: 200,
      concurrency: 3,
      atOnce: MAX_AT_ONCE,
    },
  )

/** Sends through a mail server over pooled connections. Connects only when the first message is sent. */
export function smtpProvider({ url, from, name: provider = 'smtp' }: MailProvider): Provider {
  const sender = addressparser(from)[0]?.address ?? ''
  const domain = sender.split('@')[1] ?? 'portal.invalid'
  const write = mailWriter(from)
  const connections = createSmtpConnections(url, MAX_AT_ONCE)

  async function deliver(message: OutboundMessage): Promise<DeliveryResult> {
    const to = mailAddress(message.to)
    if (!to) return new DeliveryError('Invalid email address', { isFinal: true, suppression: 'invalid', provider })
    const messageId = messageIdOf(message.key, domain)
    const bytes = await write(message, to, messageId, new Date())
    for (let isSecondTry = false; ; isSecondTry = true) {
      let connection: SmtpConnection
      try {
        connection = await connections.take(message.isUrgent)
      } catch (error) {
        return failureOf(error as SmtpError, provider)
      }
      const wasReused = connection.sent > 0
      try {
        await connection.send(sender, to, bytes)
        // The Message-ID, by which a bounce report refers to the message.
        return { status: 'sent', provider, providerMessageId: messageId }
      } catch (error) {
        const failure = failureOf(error as SmtpError, provider)
        // A failure on a pooled connection closed by the server says nothing about this message.
        const wasStale = wasReused && failure.isPeerAway && !failure.mayHaveArrived && !connection.hasHung
        if (!wasStale || isSecondTry) return failure
      } finally {
        connections.give(connection)
      }
    }
  }

  return {
    name: provider,
    deliver,
    // One of several connections may fail while the others keep working.
    isHopeless: (failure) => failure.isPeerAway && connections.alive === 0,
    // A mailbox that asks to wait does so for every provider.
    isAtFault: isAway,
    close: connections.close,
  }
}

function failureOf(error: SmtpError, provider: string): DeliveryError {
  const { code, responseCode = 0, command, response = '' } = error
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  // A rejected sender is a configuration error that an operator can fix; 503 means a bad sequence of commands.
  const isFinal = isAboutMessage && command !== 'MAIL FROM' && responseCode >= 500 && responseCode !== 503
  // 5.1.x concerns the address; other rejections may concern the sender or the content.
  const isNoMailbox = isFinal && command === 'RCPT TO' && /^55[013][ -]5\.1\.\d/.test(response)
  const reason = `Email service error: ${(response || error.message).replace(/\s+/g, ' ').slice(0, 300)}`
  return new DeliveryError(reason, {
    isFinal,
    isPeerAway: !isAboutMessage || responseCode === 421,
    mayHaveArrived: error.mayHaveArrived,
    suppression: isNoMailbox ? 'bounced' : undefined,
    provider,
  })
}
