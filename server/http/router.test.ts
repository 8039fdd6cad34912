import { expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { isDatabaseAway } from '#server/db/availability.ts'
import { createLog } from '#server/log.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { endpoint } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { ACCESS } from '#shared/roles.ts'
import { loadAssets } from './assets.ts'
import { responseOf } from './buffered-response.ts'
import { errorResponseOf } from './failure.ts'
import { Router } from './router.ts'
import { callerOf, NOBODY, type SignedIn } from './session.ts'

const database = await testDatabase()
const app = await testApp(database)

const ask = (path: string, init: RequestInit = {}) => app.request(`http://portal.test${path}`, init)

test('every endpoint names a row of the access table', () => {
  for (const endpoint of app.router.endpoints()) expect(Object.keys(ACCESS)).toContain(endpoint.access)
})

test('a handler’s expected error keeps its status and code; any other reveals no internals', () => {
  const log = createLog('silent')
  expect(errorResponseOf(new AppError(404, 'chapter_not_found', 'Chapter not found'), log)).toMatchObject({
    status: 404,
    body: { success: false, error: 'Chapter not found', code: 'chapter_not_found' },
  })
  const unexpected = errorResponseOf(new Error('select secret from users'), log)
  expect(unexpected.status).toBe(500)
  expect(unexpected.body).toMatchObject({
    code: 'unexpected',
    id: expect.stringMatching(/^E-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
  })
  expect(JSON.stringify(unexpected.body)).not.toContain('secret')
})

test('a character that the database cannot store is a client error', () => {
  for (const code of ['22021', '22P05'])
    expect(
      errorResponseOf(Object.assign(new Error('invalid byte sequence'), { code }), createLog('silent')),
    ).toMatchObject({
      status: 422,
      body: { code: 'unstorable_text' },
    })
})

test('a slow, full or unavailable database is a 503 with the time to retry', () => {
  for (const error of [
    Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
    new Error('timeout exceeded when trying to connect'),
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    new Error('Connection terminated unexpectedly'),
  ])
    expect(errorResponseOf(error, createLog('silent'))).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
  expect(isDatabaseAway(Object.assign(new Error('duplicate key'), { code: '23505' }))).toBe(false)
})

test('a full disk is a 503 without an early retry', () => {
  for (const code of ['53100', '25006'])
    expect(errorResponseOf(Object.assign(new Error('no'), { code }), createLog('silent'))).toMatchObject({
      status: 503,
      body: { code: 'read_only', error: expect.stringContaining('Nothing was saved') },
      headers: { 'retry-after': '60' },
    })
})

const mirror = endpoint({
  method: 'POST',
  path: '/mirror/{id}',
  access: 'anyone',
  summary: 'Answers what it got',
  params: z.strictObject({ id: z.coerce.number() }),
  body: z.strictObject({ text: z.string().min(1), more: z.strictObject({ count: z.number() }).optional() }),
  response: z.object({ id: z.number(), text: z.string() }),
  status: 201,
})

test('a handler has a user, never null by type, where the access of its endpoint requires an account', async () => {
  const router = new Router({ database, now: () => new Date(), log: createLog('silent') })
  const response = z.object({ name: z.string().nullable() })
  const open = endpoint({ method: 'GET', path: '/open', access: 'anyone', summary: 'For anyone', response })
  const own = endpoint({ method: 'GET', path: '/own', access: 'signedIn', summary: 'For users', response })
  const admin = endpoint({ method: 'GET', path: '/admin', access: 'overview', summary: 'For admins', response })
  router.serve(open, ({ user }) => {
    expectTypeOf(user).toEqualTypeOf<SignedIn | null>()
    return { name: user?.name ?? null }
  })
  router.act(own, async ({ user }) => {
    expectTypeOf(user).toEqualTypeOf<SignedIn>()
    return { name: user.name }
  })
  router.handle(admin, async ({ user }) => {
    expectTypeOf(user).toEqualTypeOf<SignedIn>()
    return { name: user.name }
  })
  const user: SignedIn = { id: '9d2f4c1e-0000-4000-8000-000000000001', name: 'Ana', role: 'member' }
  const nobody = callerOf(NOBODY)
  const ana = callerOf({ user, address: '' })
  expect(await router.call(nobody, open.key, {})).toEqual({ name: null })
  expect(await router.call(ana, open.key, {})).toEqual({ name: 'Ana' })
  expect(await router.call(ana, own.key, {})).toEqual({ name: 'Ana' })
  await expect(router.call(nobody, own.key, {})).rejects.toMatchObject({ status: 401 })
  await expect(router.call(ana, admin.key, {})).rejects.toMatchObject({ status: 403 })
})

test('input is parsed once in the router: typed for the handler, one message per field for the caller', async () => {
  const router = new Router({ database, now: () => new Date(), log: createLog('silent') })
  router.serve(mirror, (_ctx, { params, body }) => ({ id: params.id + 1, text: body.text }))
  const routes = router.routes({
    sessionOf: () => ({ user: null, address: '' }),
    finish: async (_request, make) => responseOf(await make()),
  })
  routes.onError((error) => {
    const { status, body } = errorResponseOf(error, createLog('silent'))
    return Response.json(body, { status })
  })
  const post = async (path: string, body: string | Uint8Array<ArrayBuffer> | null, type = 'application/json') => {
    const response = await routes.request(path, { method: 'POST', body, headers: { 'content-type': type } })
    return { status: response.status, body: (await response.json()) as any }
  }
  expect(await post('/mirror/1', '{"text":"hello"}')).toEqual({
    status: 201,
    body: { success: true, id: 2, text: 'hello' },
  })
  const wrong = await post('/mirror/x', '{"text":"","more":{"count":"1"},"role":"admin"}')
  expect(wrong.status).toBe(422)
  expect(Object.keys(wrong.body.fields).sort()).toEqual(['id', 'more.count', 'role', 'text'])
  expect((await post('/mirror/1', '{')).status).toBe(400)
  expect((await post('/mirror/1', 'text=hello', 'application/x-www-form-urlencoded')).status).toBe(415)
  expect((await post('/mirror/1', `{"text":"${'a'.repeat(1_100_000)}"}`)).status).toBe(413)
  expect((await post('/mirror/1', new Uint8Array([0x7b, 0xff, 0x7d]))).status).toBe(400)
  expect((await post('/mirror/1', null)).status).toBe(422)
})

test('the same endpoint cannot be registered twice', () => {
  const router = new Router({ database, now: () => new Date(), log: createLog('silent') })
  router.serve(mirror, () => ({ id: 1, text: '' }))
  expect(() => router.serve(mirror, () => ({ id: 1, text: '' }))).toThrow('registered twice')
})

test('the OpenAPI document lists every path with its access and its responses', async () => {
  const response = await ask('/api/openapi.json')
  const document = (await response.json()) as any
  expect(document.openapi).toBe('3.1.0')
  for (const { method, path, also, access } of app.router.endpoints())
    for (const address of [path, ...(also ?? [])])
      expect(document.paths[`/api${address}`][method.toLowerCase()]).toMatchObject({
        'x-access': access,
        responses: expect.anything(),
      })
  const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)
  expect([...new Set([...references].map(([, to]) => to))]).toEqual(['#/components/schemas/Failure'])
})

test('responses carry the protective headers, and unknown API paths are distinguished from pages', async () => {
  const response = await ask('/api/nothing')
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ success: false, code: 'endpoint_not_found' })
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test.each([
  '/api/public/ticker',
  '/api/auth/user',
  '/api/nothing',
  '/sitemap.xml',
  '/travel-advisories/feed.atom',
  '/privacy',
  '/no-such-page',
])('%s opened directly loads nothing, runs nothing and cannot be framed', async (path) => {
  const { headers } = await ask(path)
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('built files cannot be framed and their types are not sniffed', async () => {
  const assets = await loadAssets([{ folder: 'public', under: '/', isImmutable: false }])
  for (const path of ['/favicon.svg', '/push-worker.js', '/emergency-worker.js', '/locales/en/common.json']) {
    const { headers } = assets(new Request(`http://portal.test${path}`))!
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
    // A worker needs to reach its own origin.
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'self';.* frame-ancestors 'none'$/)
  }
})

test('a cached response is compressed, is not resent to a client that has it, and changes with the rows', async () => {
  const first = await ask('/api/public/travel-advisories/statistics', { headers: { 'accept-encoding': 'br' } })
  const etag = first.headers.get('etag')!
  expect(etag).toBeTruthy()
  expect((await ask('/api/public/travel-advisories/statistics', { headers: { 'if-none-match': etag } })).status).toBe(
    304,
  )
  const countries = await ask('/api/public/countries', { headers: { 'accept-encoding': 'gzip, deflate, br' } })
  expect(countries.headers.get('content-encoding')).toBe('br')
})

test('old URLs redirect to the canonical ones and never off the site', async () => {
  for (const [from, to] of [
    ['/privacy', '/privacy-policy'],
    ['/find-churches?country=Japan', '/church-locator?country=Japan'],
    ['/pdos-registration', '/pdos-register'],
    ['/internal/admin/users', '/admin/users'],
    ['/internal/anything/else', '/admin'],
    ['/app/x', '/admin'],
    ['/travel-faq/', '/travel-faq'],
    ['//evil.example/', '/evil.example'],
  ])
    expect([from, (await ask(from!)).headers.get('location')]).toEqual([from, to])
})
