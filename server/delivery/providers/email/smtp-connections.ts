import { Readable } from 'node:stream'
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
export interface SmtpConnection {
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
export function createSmtpConnections(url: string, max: number) {
  const idle: { connection: SmtpConnection; timer: NodeJS.Timeout }[] = []
  const waiting: (() => void)[] = []
  let open = 0
  let alive = 0
  let fewer = { max, until: 0 }
  const limit = () => (Date.now() < fewer.until ? fewer.max : max)

  /** Urgent messages get the next free connection. Throws an SmtpError if none can be opened. */
  async function take(isUrgent: boolean): Promise<SmtpConnection> {
    for (;;) {
      const idleConnection = idle.pop()
      if (idleConnection) {
        clearTimeout(idleConnection.timer)
        if (!idleConnection.connection.isOver) return idleConnection.connection
        drop(idleConnection.connection)
      } else if (open < limit()) {
        open++
        try {
          const connection = await openConnection(url)
          alive++
          return connection
        } catch (error) {
          open--
          if (alive === 0) {
            waiting.shift()?.()
            throw error
          }
          fewer = { max: alive, until: Date.now() + FEWER_MS }
        }
      } else await new Promise<void>((free) => (isUrgent ? waiting.unshift(free) : waiting.push(free)))
    }
  }

  function give(connection: SmtpConnection): void {
    if (connection.isOver) drop(connection)
    else idle.push({ connection, timer: setTimeout(() => retire(connection), IDLE_MS).unref() })
    waiting.shift()?.()
  }

  function retire(connection: SmtpConnection) {
    idle.splice(
      idle.findIndex((entry) => entry.connection === connection),
      1,
    )
    drop(connection)
  }

  function drop(connection: SmtpConnection) {
    open--
    alive--
    connection.close()
  }

  return {
    take,
    give,
    get alive() {
      return alive
    },
    close() {
      for (const { connection, timer } of idle.splice(0)) {
        clearTimeout(timer)
        drop(connection)
      }
    },
  }
}

async function openConnection(url: string): Promise<SmtpConnection> {
  const { auth, ...server } = parseConnectionUrl(url)
  const client = new SMTPConnection({
    ...(server as SMTPConnection.Options),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
  })
  // Without a listener, an error on an idle connection would end the process.
  client.on('error', () => {})
  const step = (begin: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      client.once('error', reject)
      client.once('end', () => reject(new Error('Connection closed unexpectedly')))
      begin((error) => (error ? reject(error) : resolve()))
    })
  await within(client, async () => {
    await step((done) => client.connect(done))
    if (auth && client.allowsAuth) await step((done) => client.login(auth, done))
  })
  return connectionOf(client)
}

/** Closes the connection if the operation exceeds the total time limit. */
async function within<T>(client: SMTPConnection, fn: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      client.close()
      reject(Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT' }))
    }, WHOLE_MS)
  })
  return Promise.race([fn(), late]).finally(() => clearTimeout(timer))
}

function connectionOf(client: SMTPConnection): SmtpConnection {
  const connection: SmtpConnection = {
    sent: 0,
    isOver: false,
    hasHung: false,
    async send(from, to, bytes) {
      connection.sent++
      let isBodySent = false
      // The library reads it once the server accepts the message.
      const body = new Readable()
      body.pipe = (to) => {
        isBodySent = true
        // Sends the message and the terminating dot in one write.
        const socket = client._socket
        if (socket) {
          socket.cork()
          setImmediate(() => socket.uncork())
        }
        to.end(bytes)
        return to
      }
      try {
        return await within(
          client,
          () =>
            new Promise<string>((resolve, reject) =>
              client.send({ from, to: [to] }, body, (error, info) => (error ? reject(error) : resolve(info.response))),
            ),
        )
      } catch (error) {
        const failed = error as SmtpError
        failed.mayHaveArrived = isBodySent && !failed.responseCode
        connection.hasHung = failed.code === 'ETIMEDOUT'
        if (!connection.isOver) await reset(connection, client)
        throw failed
      }
    },
    close: () => client.close(),
  }
  client.once('end', () => {
    connection.isOver = true
  })
  return connection
}

/** After a rejection the server may still have part of an envelope. */
const reset = (connection: SmtpConnection, client: SMTPConnection) =>
  new Promise<void>((done) => {
    client.once('end', done)
    client.reset((error) => {
      if (error) connection.isOver = true
      client.removeListener('end', done)
      done()
    })
  })
