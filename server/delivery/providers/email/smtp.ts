import addressparser from 'nodemailer/lib/addressparser'
import { DeliveryFailure } from '../../delivery-result.ts'
import type { DeliveryResult, OutboundMessage } from '../../outbound-message.ts'
import { type ClosableTransport, inBatches, isAway, type Provider } from '../batch-transport.ts'
import { withFailover } from '../failover.ts'
import { MAX_AT_ONCE, mailAddress, mailWriter, messageIdOf } from './mime.ts'
import { type ResendProvider, resendProvider } from './resend.ts'
import { createMailLines, type MailLine, type SmtpError } from './smtp-connections.ts'

export interface MailProvider {
  url: string
  /** Sender of everything: a name and an address. */
  from: string
  name?: string
}

/** Carries mail by the first of the servers and services that is well. */
export const mailTransport = (providers: (MailProvider | ResendProvider)[]): ClosableTransport =>
  inBatches(
    withFailover(providers.map((provider) => ('key' in provider ? resendProvider(provider) : smtpProvider(provider)))),
    {
      batch: 200,
      concurrency: 3,
      atOnce: MAX_AT_ONCE,
    },
  )

/** Sends by a mail server, over connections that are kept. It is not asked before the first message. */
export function smtpProvider({ url, from, name: provider = 'smtp' }: MailProvider): Provider {
  const sender = addressparser(from)[0]?.address ?? ''
  const domain = sender.split('@')[1] ?? 'portal.invalid'
  const write = mailWriter(from)
  const lines = createMailLines(url, MAX_AT_ONCE)

  async function deliver(message: OutboundMessage): Promise<DeliveryResult> {
    const to = mailAddress(message.to)
    if (!to) return new DeliveryFailure('Invalid email address', { isFinal: true, suppression: 'invalid', provider })
    const messageId = messageIdOf(message.key, domain)
    const bytes = await write(message, to, messageId, new Date())
    for (let isSecondTry = false; ; isSecondTry = true) {
      let line: MailLine
      try {
        line = await lines.take(message.isUrgent)
      } catch (error) {
        return failureOf(error as SmtpError, provider)
      }
      const wasReused = line.sent > 0
      try {
        await line.send(sender, to, bytes)
        // The name by which a report of a mailbox that is gone knows it.
        return { status: 'sent', provider, providerMessageId: messageId }
      } catch (error) {
        const failure = failureOf(error as SmtpError, provider)
        // A kept connection that the other side had closed meanwhile says nothing about this message.
        const wasStale = wasReused && failure.isPeerAway && !failure.mayHaveArrived && !line.hasHung
        if (!wasStale || isSecondTry) return failure
      } finally {
        lines.give(line)
      }
    }
  }

  return {
    name: provider,
    deliver,
    // Of several connections one may break off while the others go on.
    isHopeless: (failure) => failure.isPeerAway && lines.alive === 0,
    // A mailbox that wants patience wants it of everybody.
    isAtFault: isAway,
    close: lines.close,
  }
}

function failureOf(error: SmtpError, provider: string): DeliveryFailure {
  const { code, responseCode = 0, command, response = '' } = error
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  // A sender that is refused is a fault of the settings, which somebody may mend; 503 is one of the order of commands.
  const isFinal = isAboutMessage && command !== 'MAIL FROM' && responseCode >= 500 && responseCode !== 503
  // 5.1.x is about the address; other refusals may be about the sender or what is said.
  const isNoMailbox = isFinal && command === 'RCPT TO' && /^55[013][ -]5\.1\.\d/.test(response)
  const reason = `Email service error: ${(response || error.message).replace(/\s+/g, ' ').slice(0, 300)}`
  return new DeliveryFailure(reason, {
    isFinal,
    isPeerAway: !isAboutMessage || responseCode === 421,
    mayHaveArrived: error.mayHaveArrived,
    suppression: isNoMailbox ? 'bounced' : undefined,
    provider,
  })
}
