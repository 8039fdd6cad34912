// A process that accepts mail, push messages and HTTP posts as fast as they arrive, and reports counts and times. Mail
// and push messages are read as raw bytes, since full servers would compete for the measured processor time.
import { once } from 'node:events'
import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'

/** Counts since the last report; times are performance.timeOrigin + now, comparable across processes. */
export interface SinkCounts {
  messages: number
  /** Distinct ids; for mail by HTTP, distinct recipients. */
  different: number
  /** Mails accepted by HTTP, counting each key once. */
  accepted: number
  firstAt: number
  lastAt: number
  /** Arrival time of a message that contains the marker text. */
  markedAt: number
}

/** Port of each server. */
export interface Ports {
  mail: number
  pushes: number
  posts: number
}

const MARK = 'OVERTAKES'
const REPLY = { ok: '250 ok\r\n', data: '354 go on\r\n', hello: '250-sink\r\n250 PIPELINING\r\n' }
const END = '\r\n.\r\n'
const HEAD_END = '\r\n\r\n'
const CREATED = 'HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n'

/** Delay before a mail is acknowledged. */
let waitMs = 0
let seen = new Map<string, number>()
/** Accepted mails by idempotency key. */
const taken = new Map<string, { id: string; body: string }>()
let times = { firstAt: 0, lastAt: 0, markedAt: 0 }
const clock = () => performance.timeOrigin + performance.now()

function record(id: string, isMarked: boolean): void {
  const now = clock()
  seen.set(id, (seen.get(id) ?? 0) + 1)
  times.firstAt ||= now
  times.lastAt = now
  if (isMarked) times.markedAt ||= now
}

const mail = net.createServer((socket) => {
  let text = ''
  let isData = false
  socket.setNoDelay(true).on('error', () => {})
  socket.write('220 sink\r\n')
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
    let answer = ''
    for (;;) {
      const end = text.indexOf(isData ? END : '\r\n')
      if (end < 0) break
      const segment = text.slice(0, end)
      text = text.slice(end + (isData ? END.length : 2))
      if (isData) {
        record(/^message-id: *(\S+)/im.exec(segment)?.[1] ?? segment, segment.includes(MARK))
        isData = false
        answer += REPLY.ok
      } else {
        isData = /^data/i.test(segment)
        answer += isData ? REPLY.data : /^ehlo/i.test(segment) ? REPLY.hello : REPLY.ok
      }
    }
    if (!answer) return
    if (waitMs > 0 && answer.startsWith(REPLY.ok)) setTimeout(() => socket.write(answer), waitMs)
    else socket.write(answer)
  })
})
const pushes = net.createServer((socket) => {
  let rest = Buffer.alloc(0)
  socket.setNoDelay(true).on('error', () => {})
  socket.on('data', (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let answers = 0
    for (let end = rest.indexOf(HEAD_END); end >= 0; end = rest.indexOf(HEAD_END)) {
      const head = rest.toString('latin1', 0, end)
      const whole = end + HEAD_END.length + Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      if (rest.length < whole) break
      record(head.slice('POST '.length, head.indexOf(' HTTP/')), false)
      rest = rest.subarray(whole)
      answers++
    }
    if (answers > 0) socket.write(CREATED.repeat(answers))
  })
})
/** A mail provider with an HTTP API. */
const posts = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { status, body } = takeOnce(String(request.headers['idempotency-key']), Buffer.concat(chunks).toString())
  if (waitMs > 0) await new Promise((wait) => setTimeout(wait, waitMs))
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

/**
 * A provider with idempotency keys: the mail is accepted before the response, and a repeated request gets the same
 * response.
 */
function takeOnce(key: string, body: string): { status: number; body: object } {
  record((JSON.parse(body) as { to: string[] }).to.join(), false)
  const known = taken.get(key) ?? { id: `mail-${taken.size + 1}`, body }
  taken.set(key, known)
  if (known.body === body) return { status: 200, body: { id: known.id } }
  return { status: 409, body: { name: 'invalid_idempotent_request', message: 'The words are others than before.' } }
}

process.on('message', (command: string) => {
  if (command.startsWith('ports')) {
    waitMs = Number(command.split(' ')[1] ?? 0)
    return listen()
  }
  const messages = [...seen.values()].reduce((sum, times) => sum + times, 0)
  process.send!({ messages, different: seen.size, accepted: taken.size, ...times } satisfies SinkCounts)
  if (command === 'forget') {
    seen = new Map()
    times = { firstAt: 0, lastAt: 0, markedAt: 0 }
  }
})

async function listen() {
  const ports: Ports = { mail: await portOf(mail), pushes: await portOf(pushes), posts: await portOf(posts) }
  process.send!(ports)
}

async function portOf(server: net.Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}
