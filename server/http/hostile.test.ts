import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { served } from '#server/testing/http-server.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { PageBuild } from './pages.ts'

const database = await testDatabase()
const app = await testApp(database)
const { url, server } = await served(app)
const admin = await createTestUser(database, 'admin')

const NAMES = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  '__defineGetter__',
  '__proto__[x]',
  'constructor.prototype',
]
const endpoints = app.router.endpoints()

/** Response after checking that it is never a server error. */
async function ask(method: string, path: string, init: RequestInit & { as?: string } = {}) {
  const response = await app.request(`http://portal.test/api${path}`, {
    method,
    ...init,
    headers: { 'x-test-as': init.as ?? admin.as, origin: 'http://portal.test', ...init.headers },
  })
  const text = await response.text()
  return { status: response.status, text, code: text.startsWith('{') ? JSON.parse(text).code : undefined }
}

const pathOf = ({ path }: { path: string }, value = '00000000-0000-4000-8000-000000000000') =>
  path.replace(/\{\w+\}/g, value)

test.each(NAMES)('a parameter called %s is unknown to every endpoint', async (name) => {
  for (const endpoint of endpoints) {
    const { status, code } = await ask(endpoint.method, `${pathOf(endpoint)}?${name}=x`)
    expect([endpoint.key, [422, 403].includes(status) && ['invalid_input', 'forbidden'].includes(code)]).toEqual([
      endpoint.key,
      true,
    ])
  }
})

test.each(NAMES)('an id called %s finds nothing', async (name) => {
  for (const endpoint of endpoints.filter(({ path, method }) => path.includes('{') && method === 'GET')) {
    const { status } = await ask('GET', pathOf(endpoint, name))
    expect([endpoint.key, status < 500]).toEqual([endpoint.key, true])
  }
})

test.each(NAMES)('a body with %s in it is validated and changes no prototype', async (name) => {
  for (const endpoint of endpoints.filter(({ body, takesFile }) => body && !takesFile))
    for (const body of [`{"${name}":{"polluted":true}}`, `[{"${name}":1}]`, `{"values":{"${name}":1},"${name}":"x"}`]) {
      const { status } = await ask(endpoint.method, pathOf(endpoint), {
        body,
        headers: { 'content-type': 'application/json' },
      })
      expect([endpoint.key, body, status < 500]).toEqual([endpoint.key, body, true])
    }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test.each([
  ['a thousand parameters', Array.from({ length: 1_000 }, (_, i) => `p${i}=1`).join('&')],
  ['one parameter twice', 'limit=1&limit=2'],
  ['lists', 'limit[]=1&limit[x]=2'],
  ['broken percent signs', 'search=%&search%zz=%ff'],
  ['bytes that are no text', 'search=%ff%fe%00'],
  ['half of a letter', 'search=%ED%A0%80'],
  ['no name', '=x&&&=&?'],
  ['a very long value', `search=${'x'.repeat(10_000)}`],
])('%s in the query causes no server error', async (_, query) => {
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
    const { status } = await ask('GET', `${pathOf(endpoint)}?${query}`)
    expect([endpoint.key, status < 500]).toEqual([endpoint.key, true])
  }
})

test.each(['%', '%zz', '%ff', '%00', '..%2f..', '%2e%2e', 'a%0d%0ab', '%ED%A0%80', 'x'.repeat(5_000)])(
  'an id of %s causes no server error',
  async (id) => {
    for (const endpoint of endpoints.filter(({ path }) => path.includes('{'))) {
      const { status } = await ask(endpoint.method, pathOf(endpoint, id))
      expect([endpoint.key, status < 500]).toEqual([endpoint.key, true])
    }
  },
)

/** The raw response to a raw request on its own connection. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(text))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

test.each([
  ['TRACE', '/'],
  ['TRACE', '/api/public/faq'],
  ['CONNECT', '/'],
  ['PROPFIND', '/'],
  ['MKCOL', '/travel-advisories'],
  ['QUERY', '/api/public/faq'],
])('%s %s is not allowed, and the response lists what is', async (method, address) => {
  const answer = await raw(`${method} ${address} HTTP/1.1\r\nhost: portal.test\r\nconnection: close\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 405 /)
  expect(answer.toLowerCase()).toMatch(/\r\nallow: get, head, post, put, patch, delete\r\n/)
})

test.each([
  ['PUT', '/api/public/faq', 'GET, HEAD'],
  ['DELETE', '/api/public/travel-advisories', 'GET, HEAD'],
  ['GET', '/api/auth/login', 'POST'],
  ['PATCH', '/api/travel-advisories/00000000-0000-4000-8000-000000000000/acknowledge', 'POST'],
])('%s %s: the path exists, for other methods', async (method, path, allow) => {
  const response = await app.request(`http://portal.test${path}`, { method, headers: { origin: 'http://portal.test' } })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe(allow)
  expect(await response.json()).toMatchObject({ success: false, code: 'method_not_allowed' })
})

test.each([
  ['a method that is none', 'TRACK /api/public/faq HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
  ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['a host that is none', 'GET /nowhere HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n'],
  ['two lengths', 'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{'],
  [
    'a length and chunks',
    'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['an address that is none', 'GET http://%/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
  ['an address of nothing', 'GET * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
  ['two slashes', 'GET //api/public/faq HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
  ['a header without end', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`],
])('%s is a client error', async (_, text) => {
  const answer = await raw(text)
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
  // The server keeps running.
  expect(server.listening).toBe(true)
})

const BUILT = path.resolve('build/server/index.js')
/** The pages, if built. */
const paged = existsSync(BUILT)
  ? await testApp(database, { pages: async () => (await import(pathToFileURL(BUILT).href)) as PageBuild })
  : undefined

test
  .skipIf(!paged)
  .each([
    ...NAMES.flatMap((name) => [`/?${name}=x`, `/travel-advisories?${name}=x`, `/countries/${name}`, `/${name}`]),
    '/travel-advisories?search=%00%ff%',
    '/travel-advisories?page[]=1&page[x]=2&page=3&page=4',
    '/church-locator?near=%00',
    '/church-locator?search=%00',
    '/%',
    '/%ff',
    '/%2e%2e/%2e%2e',
    '/.data',
    '/countries/%00.data',
    '/__manifest?paths=__proto__&version=constructor',
  ])('a page at %s causes no server error', async (address) => {
  const response = await paged!.request(`http://portal.test${address}`, { headers: { accept: 'text/html' } })
  expect(response.status).toBeLessThan(500)
})
