import addressparser from 'nodemailer/lib/addressparser'
import { mailAddress, mailWriter, messageIdOf } from './carriers/mail-form.ts'
import { createMailLines, type MailLine, type SmtpError } from './carriers/mail-lines.ts'
import { DeliveryFailure } from './failure.ts'
import type { Carrier, Leaving, Outcome } from './leaving.ts'

const CONNECTIONS = 20
const BATCH = 200
/** With the time of one message less than the lease of a batch: what is not begun by then waits for the next try. */
const BATCH_MS = 60_000

export interface MailCarrier extends Carrier {
  close(): void
}

/** Sends by a mail server, over connections that are kept. It is not asked before the first message. */
export function smtpCarrier({
  url,
  from,
  provider = 'smtp',
}: {
  url: string
  from: string
  provider?: string
}): MailCarrier {
  const sender = addressparser(from)[0]?.address ?? ''
  const domain = sender.split('@')[1] ?? 'portal.invalid'
  const write = mailWriter(from)
  const lines = createMailLines(url, CONNECTIONS)

  async function deliver(message: Leaving): Promise<Outcome> {
    const to = mailAddress(message.to)
    if (!to) return new DeliveryFailure('Invalid email address', { isFinal: true, stops: 'invalid', provider })
    const messageId = messageIdOf(message.key, domain)
    const bytes = await write(message, to, messageId, new Date())
    for (let isSecondTry = false; ; isSecondTry = true) {
      let line: MailLine
      try {
        line = await lines.take(message.isUrgent)
      } catch (error) {
        return failureOf(error as SmtpError, provider)
      }
      const wasKept = line.sent > 0
      try {
        const response = await line.send(sender, to, bytes)
        return { status: 'sent', provider, receipt: `${messageId} ${response}`.slice(0, 500) }
      } catch (error) {
        const failure = failureOf(error as SmtpError, provider)
        // A kept connection that the other side had closed meanwhile says nothing about this message.
        const wasStale = wasKept && failure.isPeerAway && !failure.mayHaveArrived && !line.hasHung
        if (!wasStale || isSecondTry) return failure
      } finally {
        lines.give(line)
      }
    }
  }

  return {
    batch: BATCH,
    lanes: 2,
    async send(messages, told) {
      const until = Date.now() + BATCH_MS
      let next = 0
      let away: DeliveryFailure | undefined
      const work = async () => {
        for (let message = messages[next++]; message; message = messages[next++]) {
          if (Date.now() > until)
            away ??= new DeliveryFailure('The mail server is too slow', { isPeerAway: true, provider })
          const outcome = away ?? (await deliver(message).catch((error: Error) => faultOf(error, provider)))
          if (outcome instanceof DeliveryFailure && outcome.isPeerAway && lines.alive === 0) away = outcome
          told(message, outcome)
        }
      }
      await Promise.all(Array.from({ length: Math.min(CONNECTIONS, messages.length) }, work))
    },
    close: lines.close,
  }
}

/** The words do not fit what they are filled with: no later try goes better. */
const faultOf = (error: Error, provider: string) => new DeliveryFailure(error.message, { isFinal: true, provider })

function failureOf(error: SmtpError, provider: string): DeliveryFailure {
  const { code, responseCode = 0, command, response = '' } = error
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  // A sender that is refused is a fault of the settings, which somebody may mend; 503 is one of the order of commands.
  const isFinal = isAboutMessage && command !== 'MAIL FROM' && responseCode >= 500 && responseCode !== 503
  // 5.1.x is about the address; other refusals may be about the sender or what is said.
  const isNoMailbox = isFinal && command === 'RCPT TO' && /^55[013][ -]5\.1\.\d/.test(response)
  const reason = (response || error.message).replace(/\s+/g, ' ').slice(0, 300)
  return new DeliveryFailure(reason, {
    isFinal,
    isPeerAway: !isAboutMessage || responseCode === 421,
    mayHaveArrived: error.mayHaveArrived,
    stops: isNoMailbox ? 'bounced' : undefined,
    provider,
  })
}
