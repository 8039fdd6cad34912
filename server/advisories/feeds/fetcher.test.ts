import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, createGzip, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { isPublicAddress, lookupPublic } from '#server/http/public-address.ts'
import { FETCH_LIMITS, type FetchOptions, fetchDocument } from './fetcher.ts'

const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const optionsFor = (url: string, more: Partial<FetchOptions> = {}): FetchOptions => ({
  hosts: new Set([new URL(url).host]),
  publicUrl: 'https://portal.example',
  allowsPrivate: true,
  ...more,
})
const get = (url: string, more: Partial<FetchOptions> = {}, limits: Partial<typeof FETCH_LIMITS> = {}) =>
  fetchDocument({ url }, optionsFor(url, more), { ...FETCH_LIMITS, ...limits })
const failure = (fetched: Promise<unknown>) =>
  fetched.then(
    () => 'no failure',
    (error) => error.line,
  )

test('a document is fetched with the portal’s user agent', async () => {
  let agent: string | undefined
  const url = await serve((request, response) => {
    agent = request.headers['user-agent']
    response.setHeader('etag', '"1"').setHeader('content-type', 'text/xml').end('<rss/>')
  })
  const fetched = await get(url)
  expect(fetched).toMatchObject({ status: 'read', etag: '"1"', contentType: 'text/xml', url: `${url}/` })
  expect(fetched.status === 'read' && new TextDecoder().decode(fetched.bytes)).toBe('<rss/>')
  expect(agent).toBe('MFA-Portal/1.0 (travel advisories; +https://portal.example)')
})

test.each([
  ['gzip', gzipSync('<rss/>')],
  ['br', brotliCompressSync('<rss/>')],
  ['identity', Buffer.from('<rss/>')],
])('a response encoded as %s is decompressed', async (encoding, body) => {
  const url = await serve((_, response) => response.setHeader('content-encoding', encoding).end(body))
  const fetched = await get(url)
  expect(fetched.status === 'read' && new TextDecoder().decode(fetched.bytes)).toBe('<rss/>')
})

test('a document unchanged since the last response is not sent again', async () => {
  const url = await serve((request, response) => {
    const isKnown = request.headers['if-none-match'] === '"1"' && request.headers['if-modified-since'] !== undefined
    response.writeHead(isKnown ? 304 : 200).end()
  })
  const document = { url, etag: '"1"', last_modified: 'Wed, 08 Oct 2025 00:00:00 GMT' }
  expect(await fetchDocument(document, optionsFor(url))).toEqual({ status: 'unchanged' })
  expect(await get(url)).toMatchObject({ status: 'read' })
})

test.each([404, 429, 500, 503])('a response with status %i is an error that names the status', async (status) => {
  const url = await serve((_, response) => response.writeHead(status).end('<html>Sorry</html>'))
  expect(await failure(get(url))).toBe(`RSS Fetcher returned ${status}`)
})

test('a server that does not exist', async () => {
  const url = await serve(() => {})
  servers.pop()!.close()
  expect(await failure(get(url))).toBe('RSS fetch failed: the connection was refused')
})

test('a host without an address', async () => {
  const line = await failure(get('https://no-such-host.invalid/', { allowsPrivate: false }))
  expect(line).toMatch(/^RSS fetch failed: the host (has no address|could not be looked up)$/)
})

test('an endless body is cut at the limit', async () => {
  let sent = 0
  const url = await serve((_, response) => {
    const block = Buffer.alloc(65_536, 'x')
    const write = () => {
      while (!response.destroyed && response.write(block)) sent += block.length
    }
    response.on('drain', write)
    write()
  })
  expect(await failure(get(url))).toBe('RSS fetch failed: it is larger than 20 MB')
  expect(sent).toBeLessThan(60 * 1024 * 1024)
})

test('a body announced as 50 MB is not read at all', async () => {
  const url = await serve((_, response) => {
    response.setHeader('content-length', 50 * 1024 * 1024).flushHeaders()
  })
  expect(await failure(get(url))).toBe('RSS fetch failed: it is larger than 20 MB')
})

test('a compression bomb is unpacked no further than the limit', async () => {
  const url = await serve((_, response) => {
    response.setHeader('content-encoding', 'gzip')
    const gzip = createGzip()
    gzip.pipe(response)
    const zeros = Buffer.alloc(1024 * 1024)
    for (let megabyte = 0; megabyte < 200; megabyte++) gzip.write(zeros)
    gzip.end()
  })
  const before = process.memoryUsage().arrayBuffers
  expect(await failure(get(url))).toBe('RSS fetch failed: it is larger than 20 MB')
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(300 * 1024 * 1024)
})

test.each([
  ['an answer that never begins', () => {}, 'no answer in time'],
  ['an answer that stops in the middle', (_, response) => response.write('<rss>'), 'the answer stopped in the middle'],
] as [string, RequestListener, string][])('%s', async (_, listener, reason) => {
  const url = await serve(listener)
  expect(await failure(get(url, {}, { idleMs: 300 }))).toBe(`RSS fetch failed: ${reason}`)
})

test('a response that trickles for ever ends with the total timeout', async () => {
  const url = await serve((_, response) => {
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  })
  expect(await failure(get(url, {}, { totalMs: 1_000 }))).toBe('RSS fetch failed: not complete within 1 seconds')
})

test('a truncated response, and one with damaged compression', async () => {
  const cut = await serve((_, response) => {
    response.setHeader('content-length', 100).write('<rss>')
    setTimeout(() => response.destroy(), 20)
  })
  expect(await failure(get(cut))).toBe('RSS fetch failed: the connection was cut')
  const damaged = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end('not gzip'))
  expect(await failure(get(damaged))).toBe('RSS fetch failed: its compression is damaged')
  const unknown = await serve((_, response) => response.setHeader('content-encoding', 'rot13').end('x'))
  expect(await failure(get(unknown))).toContain('encoded as "rot13"')
})

test('a redirect on the same host is followed, one to another host is not', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/moved') response.writeHead(301, { location: '/here' }).end()
    else if (request.url === '/away') response.writeHead(302, { location: 'http://evil.example/feed' }).end()
    else if (request.url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    else response.end('<rss/>')
  })
  expect(await get(`${url}/moved`)).toMatchObject({ status: 'read', url: `${url}/here` })
  expect(await failure(get(`${url}/away`))).toBe(
    'RSS fetch failed: it redirects to the host evil.example, not one of this source',
  )
  expect(await failure(get(`${url}/file`))).toBe('RSS fetch failed: it redirects to an address that is not https')
})

test('a redirect to a private address is refused although its host is allowed', async () => {
  const url = await serve((_, response) =>
    response.writeHead(302, { location: 'https://169.254.169.254/latest' }).end(),
  )
  const hosts = new Set([new URL(url).host, '169.254.169.254'])
  const line = failure(fetchDocument({ url }, { ...optionsFor(url), hosts, allowsPrivate: false }))
  expect(await line).toBe('RSS fetch failed: an address that is not https')
  const direct = { url: 'https://169.254.169.254/latest' }
  expect(await failure(fetchDocument(direct, { ...optionsFor(url), hosts, allowsPrivate: false }))).toBe(
    'RSS fetch failed: a private address',
  )
})

test('a redirect loop ends', async () => {
  const url = await serve((_, response) => response.writeHead(302, { location: '/again' }).end())
  expect(await failure(get(url))).toBe('RSS fetch failed: it redirects too often')
})

test('a name that resolves to this machine is refused on connecting', async () => {
  const line = await failure(get('https://localhost:1/', { allowsPrivate: false }))
  expect(line).toBe('RSS fetch failed: the host has a private address')
})

test('a lookup returns public addresses only', async () => {
  const error = await new Promise((done) => lookupPublic('localhost', { all: true }, (result) => done(result)))
  expect(String(error)).toContain('localhost has a private address')
})

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.127.255.255',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
  '198.18.0.1',
  '192.0.2.1',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  'fe80::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  '2001::1',
  'localhost',
  '',
])('%s is not an address of the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '172.15.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is an address of the public internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)
