import { createECDH, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import net from 'node:net'
import type { MessageContent, OutboundMessage, Transport } from '#server/delivery/outbound-message.ts'
import { mailWriter } from '#server/delivery/providers/email/mime.ts'
import { mailTransport } from '#server/delivery/providers/email/smtp.ts'
import { encryptForBrowser } from '#server/delivery/providers/push/encryption.ts'
import type { Browser } from '#server/delivery/providers/push/push-subscriptions.ts'
import { makePushKeys, pushSigner } from '#server/delivery/providers/push/vapid.ts'
import { pushTransport } from '#server/delivery/providers/push/web-push.ts'
import { renderAnnouncement } from '#server/delivery/templates/announcement-content.ts'
import { count, median, type Row, times } from './report.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { answerOf, helper } from './tools/processes.ts'

const FROM = 'MFA Portal <portal@church.example>'
const MAILS = 4_000
const POSTS = 3_000
const CONNECTIONS = 20
const SOCKETS = 32

/** Handing over an urgent advisory, compared with bare sockets that write the same bytes ready-made. */
export async function measure({ options }: BenchEnvironment): Promise<Row[]> {
  const content = advisoryContent()
  const mail = await measureMail(content, options.rounds)
  const push = await measurePush(content, options.rounds)
  return [
    rowOf(`mail handed over, ${CONNECTIONS} connections: messages per second`, 0.5, mail),
    rowOf(`web push, encrypted and signed, ${SOCKETS} sockets: browsers told per second`, 0.4, push),
  ]
}

interface Pair {
  ours: number[]
  bare: number[]
}

function rowOf(what: string, budget: number, { ours, bare }: Pair): Row {
  const ratio = median(ours.map((rate, at) => rate / bare[at]!))
  return {
    what,
    budget: `≥ ${budget} × bare`,
    measured: count(median(ours)),
    baseline: count(median(bare)),
    ratio: times(ratio),
    isMet: ratio >= budget,
  }
}

async function measureMail(content: MessageContent, rounds: number): Promise<Pair> {
  const sink = helper('sink-server.ts', 'mail')
  const port = await answerOf<number>(sink)
  const transport = mailTransport([{ url: `smtp://127.0.0.1:${port}`, from: FROM }])
  const readers = Array.from({ length: MAILS }, (_, at) => reader(content, at))
  const ready = await mailWriter(FROM)(readers[0]!, readers[0]!.to, '<0@church.example>', new Date())
  const measured: Pair = { ours: [], bare: [] }
  try {
    await sendAll(transport, readers)
    for (let round = 0; round < rounds; round++) {
      measured.bare.push(await perSecond(MAILS, () => bareMail(port, ready)))
      measured.ours.push(await perSecond(MAILS, () => sendAll(transport, readers)))
    }
    return measured
  } finally {
    transport.close()
    sink.kill()
  }
}

/** EHLO, then MAIL, RCPT and DATA pipelined, then the message. */
function bareMail(port: number, ready: Buffer): Promise<unknown> {
  const message = Buffer.concat([ready, Buffer.from('\r\n.\r\n')])
  const envelope = 'MAIL FROM:<portal@church.example>\r\nRCPT TO:<reader@example.org>\r\nDATA\r\n'
  let begun = 0
  const line = () =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1').setNoDelay(true)
      let text = ''
      let expected = 1
      let step: () => void = () => send('EHLO bench\r\n', 1, next)
      const send = (what: string | Buffer, replies: number, then: () => void) => {
        expected = replies
        step = then
        socket.write(what)
      }
      const next = () => {
        if (begun++ < MAILS) return send(envelope, 3, () => send(message, 1, next))
        socket.end('QUIT\r\n')
        resolve()
      }
      socket.on('error', reject)
      socket.on('data', (data) => {
        text += data
        for (let reply = REPLY.exec(text); reply; reply = REPLY.exec(text)) {
          text = text.slice(reply[0].length)
          if (Number(reply[1]) >= 400) reject(new Error(reply[0]))
          if (reply[2] === ' ' && --expected === 0) step()
        }
      })
    })
  return Promise.all(Array.from({ length: CONNECTIONS }, line))
}
const REPLY = /^(\d{3})([ -]).*\r\n/

async function measurePush(content: MessageContent, rounds: number): Promise<Pair> {
  const sink = helper('sink-server.ts', 'posts')
  const port = await answerOf<number>(sink)
  const keys = makePushKeys()
  const browsers = new Map(Array.from({ length: POSTS }, (_, at) => [`reader ${at}`, [browser(port, at)]]))
  const transport = pushTransport({
    browsers: { of: async () => browsers, forget: async () => {}, used: async () => {} },
    keys: async () => keys,
    contact: 'mailto:portal@church.example',
    allowsPrivate: true,
  })
  const readers = Array.from({ length: POSTS }, (_, at) => ({ ...reader(content, at), to: `reader ${at}` }))
  const [subscription] = browsers.get('reader 0')!
  const ready = encryptForBrowser(subscription!, Buffer.from(JSON.stringify(content.push)))
  const authorization = pushSigner(keys, 'mailto:portal@church.example')(`http://127.0.0.1:${port}`)
  const measured: Pair = { ours: [], bare: [] }
  try {
    await sendAll(transport, readers)
    for (let round = 0; round < rounds; round++) {
      measured.bare.push(await perSecond(POSTS, () => barePosts(port, ready, authorization)))
      measured.ours.push(await perSecond(POSTS, () => sendAll(transport, readers)))
    }
    return measured
  } finally {
    transport.close()
    sink.kill()
  }
}

async function barePosts(port: number, body: Buffer, authorization: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS })
  const headers = { ttl: 86_400, 'content-encoding': 'aes128gcm', 'content-length': body.length, authorization }
  const post = () =>
    new Promise<void>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/browser', method: 'POST', agent, headers }, (response) =>
        response.resume().on('end', resolve),
      )
        .on('error', reject)
        .end(body)
    })
  let begun = 0
  const work = async () => {
    while (begun++ < POSTS) await post()
  }
  await Promise.all(Array.from({ length: SOCKETS }, work))
  agent.destroy()
}

function browser(port: number, at: number): Browser {
  const own = createECDH('prime256v1')
  own.generateKeys()
  return {
    id: String(at),
    userId: `reader ${at}`,
    endpoint: `http://127.0.0.1:${port}/browser/${at}`,
    p256dh: own.getPublicKey('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
}

function advisoryContent(): MessageContent {
  const texts = {
    title: 'Peru: leave the country',
    message: 'Flights end tonight. Go to the airport, or to the assembly point of your locale.',
    severity: 'Emergency',
    countries: 'Peru',
    instruction: 'Leave now by any way that is open.',
    source: 'U.S. Department of State',
    reason: 'It was raised from warning to emergency.',
  }
  const content = renderAnnouncement(
    {
      id: '1',
      kind: 'announcement',
      template: 'announcement',
      texts: { en: texts, ar: texts },
      actionUrl: '/travel-advisories/1',
      advisoryId: null,
      rollCallId: null,
    },
    'en',
    { brand: 'MFA Portal', publicUrl: 'https://portal.example' },
  )
  if (content instanceof Error) throw content
  return content
}

const reader = (content: MessageContent, at: number): OutboundMessage => ({
  id: String(at),
  key: `advisory 1 reader ${at} email`,
  to: `reader-${at}@example.org`,
  replyTo: null,
  content,
  personal: { name: `Reader ${at}`, unsubscribe: `https://portal.example/unsubscribe/${at}` },
  unsubscribeUrl: `https://portal.example/api/public/unsubscribe/${at}`,
  isUrgent: true,
  extras: {},
})

/** In batches as the sender claims them, with the concurrency of the transport. */
async function sendAll(transport: Transport, messages: OutboundMessage[]): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < messages.length) {
      const batch = messages.slice(next, next + transport.batch)
      next += batch.length
      await transport.send(batch, (_, result) => {
        if (result instanceof Error) throw result
      })
    }
  }
  await Promise.all(Array.from({ length: transport.concurrency }, worker))
}

async function perSecond(messages: number, fn: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await fn()
  return messages / ((performance.now() - began) / 1_000)
}
