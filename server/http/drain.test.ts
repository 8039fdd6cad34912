import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createDrain } from './drain.ts'

/** A server that responds once it has read the whole body, and raw connections to it. */
async function draining() {
  const server = createServer()
  const drain = createDrain(server, { requestsMs: 200, answersMs: 60_000 })
  const requests: string[] = []
  server.on('request', (request, response) => {
    requests.push(request.url!)
    drain.pass(response, () => {
      text(request).then(
        (body) => response.end(`read ${body}`),
        () => {},
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = (request: string) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('error', () => {})
    return { socket, answer: text(socket).catch(() => '') }
  }
  const accepted = async (count: number) => {
    while (requests.length < count) await new Promise((turn) => setImmediate(turn))
  }
  return { server, drain, open, accepted }
}

const POST = 'POST /form HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n'

test('a half-sent body is refused when the server stops, and one that still arrives is answered', async () => {
  const { drain, open, accepted } = await draining()
  const half = open(`${POST}abc`)
  const slow = open(`${POST}abc`)
  await accepted(2)
  let isClosed = false
  const drained = drain.drain(() => {
    isClosed = true
  })
  while (!isClosed) await new Promise((turn) => setImmediate(turn))
  slow.socket.write('defghij')
  expect(await slow.answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*read abcdefghij$/i)
  expect(await half.answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 2[\s\S]*"code":"restarting"/)
  await drained
})

test('a connection that sent nothing, or half a header, does not keep the server from stopping', async () => {
  const { server, drain, open } = await draining()
  const connected = new Promise<void>((both) => {
    let count = 0
    server.on('connection', () => ++count === 2 && both())
  })
  const [silent, halfHeader] = [open(''), open('GET / HTTP/1.1\r\nhos')]
  await connected
  await drain.drain(() => {})
  expect(await silent.answer).toBe('')
  expect(await halfHeader.answer).toBe('')
  expect(server.listening).toBe(false)
})

test('an endless chunked body is refused as well', async () => {
  const { drain, open, accepted } = await draining()
  const { answer } = open('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n')
  await accepted(1)
  await drain.drain(() => {})
  expect(await answer).toMatch(/^HTTP\/1\.1 503 /)
})
