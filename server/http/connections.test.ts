import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { ConnectionLimits, createHttpServer } from './connections.ts'

const log = createLog('silent')
const closers: (() => void)[] = []
afterAll(() => {
  for (const close of closers) close()
})

/** A server that responds with what it has read, and raw connections to it. */
async function serving(
  limits: { trustedProxies?: number; maxConnections?: number; maxPendingOfAddress?: number; youngMs?: number } = {},
  times: Parameters<typeof createHttpServer>[0] = {},
  answer: RequestListener = (request, response) => {
    text(request).then(
      (body) => response.end(`read ${body}`),
      () => {},
    )
  },
) {
  const server = createHttpServer(times)
  const connections = new ConnectionLimits(server, {
    log,
    trustedProxies: 0,
    maxConnections: 1_000,
    youngMs: 0,
    ...limits,
  })
  server.on('request', answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  /** Connects from an address of this machine; `closed` resolves with the response. */
  async function open(bytes: string, localAddress = '127.0.0.1') {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    const closed = text(socket).catch(() => '')
    await once(socket, 'connect')
    if (bytes) socket.write(bytes)
    return { socket, closed }
  }
  const ask = async (path: string, localAddress?: string) =>
    (await open(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, localAddress)).closed
  return { server, connections, open, ask }
}

const isOpen = (socket: Socket) => !socket.destroyed
const HALF = [
  '',
  'GET / HT',
  'GET / HTTP/1.1\r\nhost: x\r\n',
  'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc',
]

test('600 slow connections of one address block neither others nor the same address', async () => {
  const { connections, open, ask } = await serving({ maxPendingOfAddress: 50 })
  const slow = await Promise.all(Array.from({ length: 600 }, (_, at) => open(HALF[at % HALF.length]!)))
  const closed = slow.map((connection) => connection.closed)
  for (const from of ['127.0.0.1', '127.0.0.2'])
    expect(await Promise.all(Array.from({ length: 50 }, (_, at) => ask(`/${at}`, from)))).toEqual(
      Array.from({ length: 50 }, () => expect.stringMatching(/^HTTP\/1\.1 200 /)),
    )
  await Promise.all(closed.slice(0, 500))
  expect(connections.pending).toBeLessThanOrEqual(50)
})

test('when an address has too many connections, the oldest is closed', async () => {
  const { connections, open } = await serving({ maxPendingOfAddress: 2 })
  const [first, second] = [await open('GET / HTTP/1.1\r\n'), await open('GET / HTTP/1.1\r\n')]
  await expect.poll(() => connections.pending).toBe(2)
  const other = await open('GET / HTTP/1.1\r\n', '127.0.0.3')
  const third = await open('GET / HTTP/1.1\r\n')
  expect(await first.closed).toBe('')
  for (const { socket } of [second, third, other]) expect(isOpen(socket)).toBe(true)
  second.socket.write('host: x\r\nconnection: close\r\n\r\n')
  expect(await second.closed).toMatch(/^HTTP\/1\.1 200 /)
  expect(connections.pending).toBe(2)
})

test('a connection that sent its request is not pending, until it begins one with a body', async () => {
  const { connections, open } = await serving()
  const { socket } = await open('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  expect(connections.pending).toBe(0)
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 6\r\n\r\nabc')
  await expect.poll(() => connections.pending).toBe(1)
  socket.write('def')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('read abcdef')
  expect(connections.pending).toBe(0)
  const chunked = await open('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n')
  await expect.poll(() => connections.pending).toBe(1)
  chunked.socket.destroy()
  await expect.poll(() => connections.pending).toBe(0)
})

test('a fully sent request is not closed because it has not been read yet', async () => {
  const answers: (() => void)[] = []
  const { connections, open } = await serving({ maxPendingOfAddress: 2 }, {}, (request, response) => {
    answers.push(() => request.resume().once('end', () => response.end('read')))
  })
  const post = 'POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 3\r\n\r\nabc'
  const waiting = []
  for (let at = 1; at <= 5; at++) {
    waiting.push(await open(post))
    await expect.poll(() => answers.length).toBe(at)
  }
  for (const answer of answers) answer()
  expect(await Promise.all(waiting.map(({ closed }) => closed))).toEqual(
    Array.from({ length: 5 }, () => expect.stringMatching(/^HTTP\/1\.1 200 /)),
  )
  await expect.poll(() => connections.pending).toBe(0)
})

test('a new connection is not closed: it may not have been read yet', async () => {
  const { connections, open } = await serving({ maxPendingOfAddress: 2, youngMs: 60_000 })
  const slow = await Promise.all(Array.from({ length: 20 }, () => open('GET / HTTP/1.1\r\n')))
  await expect.poll(() => connections.pending).toBe(20)
  for (const { socket } of slow) socket.write('host: x\r\nconnection: close\r\n\r\n')
  expect(await Promise.all(slow.map(({ closed }) => closed))).toEqual(
    Array.from({ length: 20 }, () => expect.stringMatching(/^HTTP\/1\.1 200 /)),
  )
})

test('one address has half of all connections at most, even if each sent a request', async () => {
  const { open, ask } = await serving({ maxConnections: 8 })
  const sockets = []
  for (let at = 0; at < 4; at++) {
    const { socket } = await open('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(socket, 'data')
    sockets.push(socket)
  }
  expect(await (await open('GET / HTTP/1.1\r\nhost: x\r\n\r\n')).closed).toBe('')
  expect(await ask('/', '127.0.0.2')).toMatch(/^HTTP\/1\.1 200 /)
  expect(sockets.every(isOpen)).toBe(true)
})

test('behind trusted proxies no address is limited, and half of the process is reserved for whole requests', async () => {
  const { connections, open, ask } = await serving({ trustedProxies: 1, maxPendingOfAddress: 2, maxConnections: 20 })
  const slow = await Promise.all(Array.from({ length: 10 }, () => open('GET / HTTP/1.1\r\n')))
  await expect.poll(() => connections.pending).toBe(10)
  expect(slow.every(({ socket }) => isOpen(socket))).toBe(true)
  expect(await ask('/')).toMatch(/^HTTP\/1\.1 200 /)
  expect(slow.filter(({ socket }) => isOpen(socket)).length).toBeGreaterThanOrEqual(9)
})

test.each(HALF)('a connection that stops sending times out: %j', async (bytes) => {
  const { connections, open } = await serving({}, { headersMs: 60, requestMs: 120, checkMs: 20 })
  const { closed } = await open(bytes)
  expect(await closed).toMatch(/^(HTTP\/1\.1 408 |$)/)
  await expect.poll(() => connections.pending).toBe(0)
})

test('an upgraded connection is not pending', async () => {
  const { server, connections, open } = await serving()
  server.on('upgrade', (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
  const { socket } = await open('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  await once(socket, 'data')
  expect(connections.pending).toBe(0)
  socket.destroy()
})
