import type { AddressInfo, Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/**
 * How the peer handles a message to this address. 'hang' never responds; 'close' announces that it disconnects; 'cut'
 * disconnects after receiving the message, before responding; 'spam' rejects the content.
 */
export type Reception = 'accept' | 'delay' | 'refuse' | 'hang' | 'close' | 'cut' | 'spam' | { after: number }

export interface ReceivedMail extends Email {
  /** Envelope recipient. */
  recipient: string
  raw: string
}

export interface MailPeer {
  /** For SMTP_URL. */
  url: string
  port: number
  mails: ReceivedMail[]
  /** Total number of connections opened. */
  connections: number
  /** Handling per address; may be changed during the test. Accepts everything by default. */
  receive: (recipient: string) => Reception
  mailsTo(recipient: string): ReceivedMail[]
  /** The next, or latest, message to an address. */
  mailTo(recipient: string, withinMs?: number): Promise<ReceivedMail>
  close(): Promise<void>
}

/** A local mail server that records messages. Speaks plain SMTP, without TLS. */
export async function startMailPeer(port = 0): Promise<MailPeer> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    hideSize: true,
    closeTimeout: 100,
    logger: false,
    onConnect(_session, done) {
      peer.connections++
      done()
    },
    onRcptTo({ address }, _session, done) {
      const reception = peer.receive(address)
      if (reception === 'delay') done(reply(451, '4.7.1 Greylisted, please try again'))
      else if (reception === 'refuse') done(reply(550, '5.1.1 No such mailbox'))
      else if (reception === 'close') done(reply(421, '4.3.2 Going away'))
      else if (reception !== 'hang') done()
    },
    onData(stream, session, done) {
      const recipient = session.envelope.rcptTo[0]!.address
      saveMail(stream, recipient).then(() => {
        const reception = peer.receive(recipient)
        if (reception === 'cut') socketsOf(server, session.id).forEach((socket) => void socket.destroy())
        else if (reception === 'spam') done(reply(554, '5.7.1 This looks like spam'))
        else done(null, 'kept')
      }, done)
    },
  })
  async function saveMail(stream: AsyncIterable<Buffer>, recipient: string) {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    mails.push({ ...(await PostalMime.parse(raw)), recipient, raw: raw.toString('utf8') })
    const reception = peer.receive(recipient)
    if (typeof reception === 'object') await new Promise((wait) => setTimeout(wait, reception.after))
  }
  // A killed client resets its connection.
  server.on('error', () => {})
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const listening = (server.server.address() as AddressInfo).port
  const peer: MailPeer = {
    url: `smtp://127.0.0.1:${listening}`,
    port: listening,
    mails,
    connections: 0,
    receive: () => 'accept',
    mailsTo: (recipient) => mails.filter((mail) => mail.recipient === recipient),
    async mailTo(recipient, withinMs = 15_000) {
      const until = Date.now() + withinMs
      for (;;) {
        const mail = peer.mailsTo(recipient).at(-1)
        if (mail) return mail
        if (Date.now() > until) throw new Error(`No mail came to ${recipient}`)
        await new Promise((wait) => setTimeout(wait, 50))
      }
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }
  return peer
}

/** smtp-server has no API to close a single connection. */
const socketsOf = (server: SMTPServer, id: string) =>
  [...(server as SMTPServer & { connections: Set<{ id: string; _socket: Socket }> }).connections]
    .filter((connection) => connection.id === id)
    .map((connection) => connection._socket)

const reply = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
