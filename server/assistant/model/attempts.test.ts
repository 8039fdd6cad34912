import { expect, test, vi } from 'vitest'
import { attempts, backoffOf, isRetryable, serviceError, timeoutOf } from './attempts.ts'

const patient = () => new AbortController().signal
const failure = (statusCode: number) => Object.assign(new Error('failed'), { statusCode, responseBody: 'busy' })

test('the first attempt has 25 s, each further one 15 s', () => {
  expect([1, 2, 3].map(timeoutOf)).toEqual([25_000, 15_000, 15_000])
})

test('the backoff doubles from one second up to five', () => {
  expect([1, 2, 3, 4].map(backoffOf)).toEqual([1000, 2000, 4000, 5000])
})

test('timeouts, 5xx and 429 are retryable; other responses are not', () => {
  for (const status of [429, 500, 503]) expect(isRetryable(failure(status))).toBe(true)
  for (const status of [400, 401, 404]) expect(isRetryable(failure(status))).toBe(false)
  expect(isRetryable(Object.assign(new Error(''), { code: 'ETIMEDOUT' }))).toBe(true)
  expect(isRetryable(new DOMException('', 'AbortError'))).toBe(true)
  expect(isRetryable(new Error('wrapped', { cause: new DOMException('', 'TimeoutError') }))).toBe(true)
  expect(isRetryable(new Error('other'))).toBe(false)
})

test('there are at most three attempts, with the backoff between them', async () => {
  const call = vi.fn().mockRejectedValue(failure(503))
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  await expect(attempts(call, { signal: patient(), wait })).rejects.toThrow('AI service error: 503 - busy')
  expect(call).toHaveBeenCalledTimes(3)
  expect(waits).toEqual([1000, 2000])
})

test('a permanent error and a success are not retried', async () => {
  const refused = vi.fn().mockRejectedValue(failure(401))
  await expect(attempts(refused, { signal: patient() })).rejects.toThrow('AI service error: 401 - busy')
  expect(refused).toHaveBeenCalledTimes(1)
  const second = vi.fn().mockRejectedValueOnce(failure(429)).mockResolvedValueOnce('words')
  expect(await attempts(second, { signal: patient(), wait: async () => {} })).toBe('words')
})

test('nothing is retried after the caller has gone', async () => {
  const left = new AbortController()
  const call = vi.fn(async () => {
    left.abort()
    throw failure(503)
  })
  await expect(attempts(call, { signal: left.signal })).rejects.toThrow('AI service error')
  expect(call).toHaveBeenCalledTimes(1)
})

test('an error without a response is reported with its message and code', () => {
  expect(serviceError(Object.assign(new Error('socket closed'), { code: 'ECONNRESET' })).message).toBe(
    'AI service error: socket closed (ECONNRESET)',
  )
})
