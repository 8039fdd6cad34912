import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '#server/log.ts'
import { retryWhileUnavailable } from './startup-retry.ts'

const log = createLog('silent')
const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('start-up waits for a database that becomes available a little later', async () => {
  const fn = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(away)
    .mockRejectedValueOnce(away)
    .mockResolvedValue('up')
  const started = retryWhileUnavailable(log, 'test', fn)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await started).toBe('up')
  expect(fn).toHaveBeenCalledTimes(3)
})

test('it gives up after a minute, and on any other error at once', async () => {
  const never = retryWhileUnavailable(log, 'test', () => Promise.reject(away)).catch((error: Error) => error)
  await vi.advanceTimersByTimeAsync(61_000)
  expect(await never).toBe(away)
  const wrong = vi.fn(() => Promise.reject(new Error('syntax error')))
  await expect(retryWhileUnavailable(log, 'test', wrong)).rejects.toThrow('syntax error')
  expect(wrong).toHaveBeenCalledTimes(1)
})
