import { gunzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { noteRead } from '#server/db/read-tracking.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { served } from '#server/testing/http-server.ts'
import { acceptedEncoding, ResponseCache } from './response-cache.ts'

const UNCHANGED = { generation: 1, isUnchangedSince: () => true, isOnlyPolledSince: () => true }
/** Rows of two tables, either of which can be changed. */
function twoTables() {
  const changedIn = new Map([
    ['a', 0],
    ['b', 0],
    ['counts:1', 0],
  ])
  let generation = 0
  return {
    get generation() {
      return generation
    },
    isUnchangedSince: (since: number, tables: ReadonlySet<string>) =>
      [...tables].every((table) => changedIn.get(table)! <= since),
    isOnlyPolledSince: (since: number, tables: ReadonlySet<string>) =>
      [...tables].every((table) => table.startsWith('counts:') || changedIn.get(table)! <= since),
    change: (table: string) => changedIn.set(table, ++generation),
  }
}

const get = (url: string, headers: Record<string, string> = {}) => new Request(url, { headers })
const big = 'advisory '.repeat(400)

test('a response is made once for all who wait for it, and is served again until the rows change', async () => {
  const rows = twoTables()
  let made = 0
  const responseCache = new ResponseCache({ rows, validUntil: () => Number.POSITIVE_INFINITY })
  const ask = () =>
    responseCache.respond(get('http://x/a'), 'a', async () => {
      noteRead('a')
      return new Response(`${big}${++made}`)
    })
  const texts = await Promise.all([ask(), ask(), ask()].map(async (r) => (await r).text()))
  expect(new Set(texts).size).toBe(1)
  expect(made).toBe(1)
  expect(await (await ask()).text()).toBe(`${big}2`)
  expect(await (await ask()).text()).toBe(`${big}2`)
  rows.change('b')
  expect(await (await ask()).text()).toBe(`${big}2`)
  rows.change('a')
  expect(await (await ask()).text()).toBe(`${big}3`)
  expect(await (await ask()).text()).toBe(`${big}3`)
})

test('while only a count is outdated everyone gets the last response at once, and soon the new one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const rows = twoTables()
  rows.change('counts:1')
  let made = 0
  let release = () => {}
  const responseCache = new ResponseCache({ rows, validUntil: () => Number.POSITIVE_INFINITY })
  const ask = async () => {
    const response = await responseCache.respond(get('http://x/a', { 'accept-encoding': 'gzip' }), 'a', async () => {
      noteRead('a')
      noteRead('counts:1')
      if (++made > 2) await new Promise<void>((resolve) => (release = resolve))
      return new Response(`${big}${made}`)
    })
    return Number(
      gunzipSync(await response.arrayBuffer())
        .toString()
        .slice(big.length),
    )
  }
  expect([await ask(), await ask(), await ask()]).toEqual([1, 2, 2])
  rows.change('counts:1')
  expect([await ask(), await ask()]).toEqual([2, 2])
  expect(made).toBe(3)
  release()
  await vi.waitFor(async () => expect(await ask()).toBe(3), { timeout: 10_000 })

  // Safety information is never served stale.
  rows.change('counts:1')
  rows.change('a')
  const pending = ask()
  await vi.waitFor(() => expect(made).toBe(4), { timeout: 10_000 })
  release()
  expect(await pending).toBe(4)

  // After a while without requests the last response is too old to be served.
  rows.change('counts:1')
  vi.setSystemTime(Date.now() + 11_000)
  const later = ask()
  await vi.waitFor(() => expect(made).toBe(5), { timeout: 10_000 })
  release()
  expect(await later).toBe(5)
  vi.useRealTimers()
})

test('a response made while the rows changed is not cached under the newer version', async () => {
  const rows = twoTables()
  const cache = new ResponseCache({ rows, validUntil: () => Number.POSITIVE_INFINITY })
  const ask = (text: string) =>
    cache.respond(get('http://x/a'), 'a', async () => {
      noteRead('a')
      if (text === 'old') rows.change('a')
      return new Response(text)
    })
  // It would be cached from now on.
  await ask('first')
  expect(await (await ask('old')).text()).toBe('old')
  expect(await (await ask('new')).text()).toBe('new')
})

test('a response that expires by time alone is made again then', async () => {
  let until = Date.now() + 60_000
  const responseCache = new ResponseCache({ rows: UNCHANGED, validUntil: () => until })
  let made = 0
  const ask = async () =>
    (await responseCache.respond(get('http://x/a'), 'a', async () => new Response(String(++made)))).text()
  expect([await ask(), await ask(), await ask()]).toEqual(['1', '2', '2'])
  responseCache.clear()
  until = Date.now() - 1
  expect([await ask(), await ask(), await ask()]).toEqual(['3', '4', '5'])
})

test('a response with its own validity period is cached no longer, and does not pass the header on', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const responseCache = new ResponseCache({ rows: UNCHANGED, validUntil: () => Number.POSITIVE_INFINITY })
  let made = 0
  const ask = () =>
    responseCache.respond(
      get('http://x/n'),
      'n',
      async () => new Response(String(++made), { headers: { 'valid-for': '60' } }),
    )
  const first = await ask()
  expect(first.headers.has('valid-for')).toBe(false)
  expect(await (await ask()).text()).toBe('2')
  vi.advanceTimersByTime(59_000)
  expect(await (await ask()).text()).toBe('2')
  vi.advanceTimersByTime(2_000)
  expect(await (await ask()).text()).toBe('3')
  vi.useRealTimers()
})

test('failures are never cached, and memory is bounded however many different requests come', async () => {
  const responseCache = new ResponseCache({
    rows: UNCHANGED,
    validUntil: () => Number.POSITIVE_INFINITY,
    limitBytes: 50_000,
  })
  let made = 0
  const fail = () =>
    responseCache.respond(get('http://x/f'), 'f', async () => new Response('no', { status: 503 + ++made * 0 }))
  await fail()
  await fail()
  await fail()
  expect(made).toBe(3)
  for (let i = 0; i < 400; i++)
    await responseCache.respond(get(`http://x/${i}`), `k${i >> 1}`, async () => new Response(big))
  const again = () => responseCache.respond(get('http://x/0'), 'k0', async () => new Response(`${++made}`))
  expect(await (await again()).text()).toBe('4')
})

test('a repeated request stays cached, however many unrepeated ones come', async () => {
  const responseCache = new ResponseCache({
    rows: UNCHANGED,
    validUntil: () => Number.POSITIVE_INFINITY,
    limitBytes: 100_000,
  })
  let made = 0
  const ask = async (key: string) =>
    (await responseCache.respond(get(`http://x/${key}`), key, async () => new Response(`${big}${++made}`))).text()
  await ask('popular')
  const popular = await ask('popular')
  const once = await ask('once')
  for (let i = 0; i < 200; i++) await ask(`${i}`)
  expect(await ask('popular')).toBe(popular)
  expect(await ask('once')).not.toBe(once)
})

test('the encoding is one the client accepts', () => {
  expect(acceptedEncoding('gzip, deflate, br, zstd')).toBe('br')
  expect(acceptedEncoding('gzip;q=1.0, br;q=0')).toBe('gzip')
  expect(acceptedEncoding('br;q=0, gzip;q=0')).toBe('identity')
  expect(acceptedEncoding(null)).toBe('identity')
})

const comparable = async (response: Response) => {
  const headers = Object.fromEntries(response.headers)
  for (const name of ['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding']) delete headers[name]
  return { status: response.status, headers, body: await response.text() }
}

test('a first request is answered in front of the application exactly as by it, also an invalid one', async () => {
  const database = await testDatabase()
  const app = await testApp(database)
  const { url } = await served(app)
  for (const path of [
    '/api/public/travel-advisories?limit=5',
    '/api/public/locales?lat=14.6&lng=121&radius=50',
    '/api/functions/church-locator?radius=50&lng=121&lat=14.6',
    '/api/public/locales?lat=91',
    '/api/public/locales?limit=1&limit=2',
    '/api/public/locales?colour=red',
    '/api/public/locales/nowhere',
  ])
    for (const headers of [{}, { 'accept-encoding': 'identity' }]) {
      app.responseCache.clear()
      const front = await fetch(`${url}${path}`, { headers })
      app.responseCache.clear()
      const { 'content-length': length, ...others } = (await comparable(front.clone())).headers
      const { headers: appHeaders, ...rest } = await comparable(await app.request(`${url}${path}`, { headers }))
      delete appHeaders['content-length']
      expect(front.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect({ ...(await comparable(front)), headers: others }).toEqual({ ...rest, headers: appHeaders })
    }
})

test('a repeated request is answered in front of the application exactly as by it, and never for a signed-in caller', async () => {
  const database = await testDatabase()
  const app = await testApp(database)
  const { url } = await served(app)
  await inBackground(database, 'test', (db) =>
    insertAdvisory(db, { title: 'Peru', detailed_information: `<p>${big}</p>` }),
  )
  await app.readModel.catchUp()
  const address = `${url}/api/public/travel-advisories?limit=5`
  await fetch(address)
  const first = await comparable(await fetch(address))
  const before = app.responseCache.counts.hits
  expect(await comparable(await fetch(address))).toEqual(first)
  expect(app.responseCache.counts.hits).toBe(before + 1)
  const etag = first.headers.etag!
  expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
  await inBackground(database, 'test', (db) => insertAdvisory(db, { title: 'Japan', is_urgent: true }))
  await app.readModel.catchUp()
  expect(((await (await fetch(address)).json()) as any).advisories[0].title).toBe('Japan')
  expect((await fetch(address, { headers: { cookie: 'session=abc' } })).headers.get('x-request-id')).toBeTruthy()
})
