import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deployed, mappedFunction } from './functions.ts'
import { ApiError, backoff, call, DEFAULT_PAGE_SIZE, TIMEOUTS, transport } from './transport.ts'

const json = (status: number, body: unknown, statusText = '') =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, statusText })
const fetched = vi.fn<(address: string, init: RequestInit) => Promise<Response>>()
const addresses = () => fetched.mock.calls.map(([address]) => address)
const list = { advisories: [], total: 0, limit: 50, offset: 0 }
/** Skips the delays between attempts. */
const resultOf = async <T>(promise: Promise<T>) => {
  const result = promise.then(
    (value) => ({ value, error: undefined }),
    (error: ApiError) => ({ value: undefined, error }),
  )
  await vi.runAllTimersAsync()
  return result
}

// Each test runs in its own hour, so that no function is still paused by the previous one.
let hour = Date.UTC(2026, 8, 27)

beforeEach(() => {
  hour += 3_600_000
  vi.useFakeTimers({ now: hour })
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  fetched.mockReset()
  deployed.clear()
  transport.headers = () => ({})
})

describe('request', () => {
  test('path parameters, query without empty values, JSON body, headers', async () => {
    fetched.mockImplementation(async () => json(200, { success: true }))
    transport.headers = () => ({ apikey: 'public', authorization: 'Bearer token' })
    await call('GET /travel-advisories/{id}', { params: { id: 'a b/c' } })
    await call('GET /public/travel-advisories', { query: { search: 'São Tomé', country: undefined, limit: 50 } })
    await call('POST /functions/travel-advisories-fetch', { body: { source: 'us' } })
    expect(addresses()).toEqual([
      '/api/travel-advisories/a%20b%2Fc',
      '/api/public/travel-advisories?search=S%C3%A3o+Tom%C3%A9&limit=50',
      '/api/functions/travel-advisories-fetch',
    ])
    const { method, headers, body } = fetched.mock.calls[2]![1]
    expect({ method, body }).toEqual({ method: 'POST', body: '{"source":"us"}' })
    expect(headers).toMatchObject({
      apikey: 'public',
      authorization: 'Bearer token',
      'content-type': 'application/json',
    })
  })

  test('one base URL for all', async () => {
    fetched.mockImplementation(async () => json(200, list))
    transport.base = 'https://elsewhere.example/api'
    await call('GET /public/travel-advisories')
    transport.base = '/api'
    expect(addresses()).toEqual(['https://elsewhere.example/api/public/travel-advisories'])
  })
})

describe('response', () => {
  test.each([
    ['success with data', { success: true, data: list }],
    ['success beside the fields', { success: true, ...list }],
    ['advisories alone', list],
  ])('%s', async (_name, body) => {
    fetched.mockImplementation(async () => json(200, body))
    expect(await call('GET /public/travel-advisories')).toMatchObject(list)
  })

  test.each(['<html>', '"text"', 'null', ''])('%s is not a valid response', async (body) => {
    fetched.mockImplementation(async () => json(200, body))
    await expect(call('GET /public/travel-advisories')).rejects.toMatchObject({
      message: 'Invalid response format',
      code: 'invalid_response',
    })
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  // HTTP/2 has no status text: a proxy's bare 502 would otherwise show as nothing but a number.
  test.each(['', '<html>', 'null', '{}', '[]'])('an error without a message has a default one: %s', async (body) => {
    fetched.mockImplementation(async () => json(418, body))
    await expect(call('GET /public/travel-advisories')).rejects.toMatchObject({
      status: 418,
      message: 'Unknown error occurred',
    })
  })

  test('an error carries status, code, fields and id', async () => {
    const refusal = {
      success: false,
      error: 'Please correct the marked fields.',
      code: 'invalid_input',
      fields: { limit: 'Too big' },
      id: 'E-1',
    }
    fetched.mockImplementation(async () => json(422, refusal))
    const error = await call('GET /public/travel-advisories').catch((e) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 422,
      message: refusal.error,
      code: 'invalid_input',
      fields: refusal.fields,
      id: 'E-1',
    })
  })

  test('an error in a 200 response, and one without a message', async () => {
    fetched.mockImplementationOnce(async () => json(200, { success: false, error: 'No.' }))
    await expect(call('GET /public/travel-advisories')).rejects.toMatchObject({ message: 'No.' })
    fetched.mockImplementationOnce(async () => json(418, 'short and stout', "I'm a teapot"))
    await expect(call('GET /public/travel-advisories')).rejects.toMatchObject({ message: "418 I'm a teapot" })
  })
})

describe('retries', () => {
  test.each([502, 503, 504])('%i is tried three times in all', async (status) => {
    fetched.mockImplementation(async () => json(status, { success: false, error: 'away', code: 'unavailable' }))
    const { error } = await resultOf(call('GET /public/travel-advisories'))
    expect(error).toMatchObject({ status, message: 'away' })
    expect(fetched).toHaveBeenCalledTimes(3)
  })

  test.each([400, 404, 422, 429, 500])('%i is not retried', async (status) => {
    fetched.mockImplementation(async () => json(status, {}))
    await resultOf(call('GET /public/travel-advisories'))
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  test('a transient network failure is hidden', async () => {
    fetched.mockRejectedValueOnce(new TypeError('fetch failed')).mockImplementationOnce(async () => json(200, list))
    const { value } = await resultOf(call('GET /public/travel-advisories', {}, { timeout: 'short', retries: 1 }))
    expect(value).toMatchObject(list)
  })

  test('a write is sent once, with an idempotency key it is retried like a read', async () => {
    fetched.mockRejectedValue(new TypeError('fetch failed'))
    await resultOf(call('POST /travel-advisories/refresh'))
    expect(fetched).toHaveBeenCalledTimes(1)
    await resultOf(call('POST /travel-advisories/refresh', undefined, { idempotencyKey: 'k' }))
    expect(fetched).toHaveBeenCalledTimes(4)
    expect(fetched.mock.calls[1]![1].headers).toMatchObject({ 'idempotency-key': 'k' })
  })

  test('backoff of 1 s doubled plus up to 1 s, 10 s at most', () => {
    for (const [failures, low, high] of [
      [0, 1_000, 2_000],
      [1, 2_000, 3_000],
      [2, 4_000, 5_000],
      [9, 10_000, 10_000],
    ] as const) {
      const wait = backoff(failures)
      expect(wait).toBeGreaterThanOrEqual(low)
      expect(wait).toBeLessThanOrEqual(high)
    }
  })

  test('timeouts: 15, 8, 30 and 60 s, 20 s for chat; the final attempt 8 s', async () => {
    expect(TIMEOUTS).toEqual({ default: 15_000, short: 8_000, long: 30_000, upload: 60_000, chat: 20_000 })
    expect(DEFAULT_PAGE_SIZE).toBe(10)
    const limit = vi.spyOn(AbortSignal, 'timeout')
    fetched.mockRejectedValue(new TypeError('fetch failed'))
    await resultOf(call('GET /public/travel-advisories', {}, { timeout: 'long' }))
    expect(limit.mock.calls).toEqual([[30_000], [30_000], [8_000]])
    limit.mockClear()
    await resultOf(call('POST /travel-advisories/refresh'))
    expect(limit.mock.calls).toEqual([[15_000]])
    limit.mockRestore()
  })

  test('reports a timeout, and stops when the caller aborts', async () => {
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    fetched.mockRejectedValue(new DOMException('', 'TimeoutError'))
    const { error } = await resultOf(call('GET /public/travel-advisories'))
    expect(error).toMatchObject({ status: 0, code: 'timeout' })
    limit.mockRestore()
    fetched.mockClear()
    await resultOf(call('GET /public/travel-advisories', {}, { signal: AbortSignal.abort() }))
    expect(fetched).toHaveBeenCalledTimes(1)
  })
})

describe('functions', () => {
  test.each([
    ['/internal/pdos/slots', 'pdos-processing'],
    ['/admin/travel-advisories', 'admin-operations'],
    ['/admin-operations/notifications', 'admin-operations'],
    ['/public/chat', 'ai-chat-public'],
    ['/public/locales?search=x', 'church-locator'],
    ['/public/travel-advisories/statistics', 'public-advisories'],
    ['/travel-advisories/1', 'public-advisories'],
    ['/kb/search', 'kb-search'],
    ['/communication/send-sms', 'send-sms'],
    ['/notifications', 'notification-tracking'],
    ['/internal/documents/7', 'document-processing'],
    ['/mfa/x', 'admin-operations'],
    ['/x/admin/y', undefined],
    ['/travel-advisories-archive', undefined],
    ['/public/ticker', undefined],
  ])('%s', (path, name) => expect(mappedFunction(path)).toBe(name))

  test('a deployed function is called, everything else goes to the backend', async () => {
    deployed.add('public-advisories')
    fetched.mockImplementation(async () => json(200, list))
    await call('GET /public/travel-advisories')
    await call('GET /public/ticker')
    expect(addresses()).toEqual(['/api/functions/public-advisories/public/travel-advisories', '/api/public/ticker'])
    await expect(call('GET /public/ticker', {}, { via: 'function' })).rejects.toThrow(
      'No Edge Function mapping found for endpoint',
    )
  })

  test.each([405, 501, 502, 503, 504])('after %i it is skipped for 120 s', async (status) => {
    deployed.add('public-advisories')
    fetched.mockImplementation(async (address) =>
      address.includes('/functions/') ? json(status, {}) : json(200, list),
    )
    await call('GET /public/travel-advisories')
    await call('GET /public/travel-advisories')
    expect(addresses().filter((address) => address.includes('/functions/'))).toHaveLength(1)
    vi.advanceTimersByTime(120_000)
    await call('GET /public/travel-advisories')
    expect(addresses().filter((address) => address.includes('/functions/'))).toHaveLength(2)
  })

  test('a missing record says nothing about the function, a missing function does (F-26)', async () => {
    deployed.add('public-advisories')
    fetched.mockImplementation(async () => json(404, { error: 'Advisory not found.', code: 'advisory_not_found' }))
    await expect(call('GET /travel-advisories/{id}', { params: { id: '1' } })).rejects.toMatchObject({ status: 404 })
    expect(fetched).toHaveBeenCalledTimes(1)
    fetched
      .mockImplementationOnce(async () => json(404, { error: '', code: 'function_not_found' }))
      .mockImplementationOnce(async () => json(200, list))
    await call('GET /public/travel-advisories')
    expect(addresses().at(-1)).toBe('/api/public/travel-advisories')
  })

  test('when both fail both are named; a write that may have arrived is not resent', async () => {
    deployed.add('public-advisories')
    fetched.mockImplementation(async (address) =>
      address.includes('/functions/') ? json(501, '', 'Not Implemented') : json(500, { error: 'backend broken' }),
    )
    await expect(call('GET /public/travel-advisories')).rejects.toThrow(
      'Supabase Edge Function error: 501 Not Implemented; backend broken',
    )
    vi.advanceTimersByTime(120_000)
    fetched.mockReset().mockImplementation(async () => json(502, ''))
    await resultOf(call('POST /travel-advisories/refresh'))
    expect(fetched).toHaveBeenCalledTimes(1)
  })
})
