import type { Readable, Writable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'

const STEP_MS = 10_000
/** Total time limit per message for a peer that responds slowly. */
const WHOLE_MS = 30_000
const IDLE_MS = 20_000
/** How long to wait before opening more connections after the server refused one. */
const FEWER_MS = 60_000

export type SmtpError = Error & {
  code?: string
  responseCode?: number
  response?: string
  command?: string
  /** The message was transmitted completely but not acknowledged. */
  mayHaveArrived?: boolean
}

/** An SMTP connection, used for one message at a time. */
export interface MailLine {
  /** Number of messages sent over it. */
  sent: number
  isOver: boolean
  /** It did not respond in time. */
  hasHung: boolean
  /** Returns the server's response. Throws an SmtpError. */
  send(from: string, to: string, bytes: Buffer): Promise<string>
  close(): void
}

/** SMTP connection pool: opens connections on demand, keeps them for a while, and never exceeds `max`. */
export function createMailLines(url: string, max: number) {
  const idle: { line: MailLine; timer: NodeJS.Timeout }[] = []
  const waiting: (() => void)[] = []
  let open = 0
  let alive = 0
  let fewer = { most: max, until: 0 }
  const limit = () => (Date.now() < fewer.until ? fewer.most : max)

  /** Urgent messages get the next free connection. Throws an SmtpError if none can be opened. */
  async function take(isUrgent: boolean): Promise<MailLine> {
    for (;;) {
      const idleConnection = idle.pop()
      if (idleConnection) {
        clearTimeout(idleConnection.timer)
        if (!idleConnection.line.isOver) return idleConnection.line
        drop(idleConnection.line)
      } else if (open < limit()) {
        open++
        try {
          const line = await openLine(url)
          alive++
          return line
        } catch (error) {
          open--
          if (alive === 0) {
            waiting.shift()?.()
            throw error
          }
          fewer = { most: alive, until: Date.now() + FEWER_MS }
        }
      } else await new Promise<void>((free) => (isUrgent ? waiting.unshift(free) : waiting.push(free)))
    }
  }

  function give(line: MailLine): void {
    if (line.isOver) drop(line)
    else idle.push({ line, timer: setTimeout(() => retire(line), IDLE_MS).unref() })
    waiting.shift()?.()
  }

  function retire(line: MailLine) {
    idle.splice(
      idle.findIndex((entry) => entry.line === line),
      1,
    )
    drop(line)
  }

  function drop(line: MailLine) {
    open--
    alive--
    line.close()
  }

  return {
    take,
    give,
    get alive() {
      return alive
    },
    close() {
      for (const { line, timer } of idle.splice(0)) {
        clearTimeout(timer)
        drop(line)
      }
    },
  }
}

async function openLine(url: string): Promise<MailLine> {
  const { auth, ...server } = parseConnectionUrl(url)
  const connection = new SMTPConnection({
    ...(server as SMTPConnection.Options),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
  })
  // Without a listener, an error on an idle connection would end the process.
  connection.on('error', () => {})
  const step = (begin: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      connection.once('error', reject)
      connection.once('end', () => reject(new Error('Connection closed unexpectedly')))
      begin((error) => (error ? reject(error) : resolve()))
    })
  await within(connection, async () => {
    await step((done) => connection.connect(done))
    if (auth && connection.allowsAuth) await step((done) => connection.login(auth, done))
  })
  return lineOf(connection)
}

/** Closes the connection if the operation exceeds the total time limit. */
async function within<T>(connection: SMTPConnection, fn: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      connection.close()
      reject(Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT' }))
    }, WHOLE_MS)
  })
  return Promise.race([fn(), late]).finally(() => clearTimeout(timer))
}

function lineOf(connection: SMTPConnection): MailLine {
  const line: MailLine = {
    sent: 0,
    isOver: false,
    hasHung: false,
    async send(from, to, bytes) {
      line.sent++
      let isBodySent = false
      // The minimal stream interface the library needs; it is read once the server accepts the message.
      const body = {
        pipe(to: Writable) {
          isBodySent = true
          // Sends the message and the terminating dot in one write.
          const socket = connection._socket
          if (socket) {
            socket.cork()
            setImmediate(() => socket.uncork())
          }
          to.end(bytes)
        },
      }
      try {
        return await within(
          connection,
          () =>
            new Promise<string>((resolve, reject) =>
              connection.send({ from, to: [to] }, body as unknown as Readable, (error, info) =>
                error ? reject(error) : resolve(info.response),
              ),
            ),
        )
      } catch (error) {
        const failed = error as SmtpError
        failed.mayHaveArrived = isBodySent && !failed.responseCode
        line.hasHung = failed.code === 'ETIMEDOUT'
        if (!line.isOver) await reset(line, connection)
        throw failed
      }
    },
    close: () => connection.close(),
  }
  connection.once('end', () => {
    line.isOver = true
  })
  return line
}

/** After a rejection the server may still have part of an envelope. */
const reset = (line: MailLine, connection: SMTPConnection) =>
  new Promise<void>((done) => {
    connection.once('end', done)
    connection.reset((error) => {
      if (error) line.isOver = true
      connection.removeListener('end', done)
      done()
    })
  })
