import { createHash } from 'node:crypto'
import nodemailer from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import { type Deliver, DeliveryFailure } from './channels.ts'

const STEP_MS = 10_000
/** A peer that answers, but slowly, holds a message no longer than this. */
const WHOLE_MS = 30_000
const CONNECTIONS = 4
const IDLE_MS = 20_000

/** Sends by a mail server, over connections that are kept. It is not asked before the first message. */
export function smtpDelivery(url: string, from: string): { deliver: Deliver; close: () => void } {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    // Another try is the queue's business: one that breaks off may have arrived.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = addressparser(from)[0]?.address?.split('@')[1] ?? 'portal.invalid'
  return {
    async deliver(message) {
      const messageId = messageIdOf(message.message_key, domain)
      try {
        const { response } = await transport.sendMail({
          from,
          to: { name: '', address: message.recipient! },
          ...(message.reply_to ? { replyTo: { name: '', address: message.reply_to } } : {}),
          subject: message.subject,
          text: message.body_text!,
          ...(message.body_html ? { html: message.body_html } : {}),
          messageId,
          headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': message.language },
          signal: AbortSignal.timeout(WHOLE_MS),
        })
        return { status: 'sent', receipt: `${messageId} ${response}`.slice(0, 500) }
      } catch (error) {
        throw failureOf(error as SmtpError)
      }
    },
    close: () => transport.close(),
  }
}

/** The same message sent twice carries one id, so that the receiving side can tell. */
export const messageIdOf = (key: string, domain: string) =>
  `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}>`

type SmtpError = Error & { code?: string; responseCode?: number; response?: string; command?: string }

function failureOf(error: SmtpError): DeliveryFailure {
  const { code, responseCode = 0, command } = error
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  // A sender that is refused is a fault of the settings, which somebody may mend; 503 is one of the order of commands.
  const isFinal = isAboutMessage && command !== 'MAIL FROM' && responseCode >= 500 && responseCode !== 503
  const isFaulty = code === 'EENVELOPE' && command === 'API'
  const reason = (error.response ?? error.message).replace(/\s+/g, ' ').slice(0, 300)
  return new DeliveryFailure(reason, {
    isFinal: isFinal || isFaulty,
    isPeerAway: !isAboutMessage || responseCode === 421,
  })
}
