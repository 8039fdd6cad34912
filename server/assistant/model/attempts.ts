import { setTimeout as sleep } from 'node:timers/promises'

const MAX_ATTEMPTS = 3
const FIRST_MS = 25_000
const LATER_MS = 15_000
const LONGEST_WAIT_MS = 5_000

/** Timeout of attempt `n`, counted from 1 (000 §9). */
export const timeoutOf = (n: number) => (n === 1 ? FIRST_MS : LATER_MS)
/** Backoff after attempt `n` (000 §9). */
export const backoffOf = (n: number) => Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (n - 1))

const TIMEOUT_CODES = new Set([
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** Details of a failed call, from anywhere in its chain of causes. */
interface FailureDetails {
  name?: string
  code?: string
  statusCode?: number
  responseBody?: string
  message?: string
  cause?: unknown
}

/** Timeouts, 5xx and 429 are retryable; everything else would fail again (000 §8). */
export function isRetryable(error: unknown): boolean {
  for (let at = error as FailureDetails | undefined; at; at = at.cause as FailureDetails | undefined) {
    if (at.statusCode !== undefined) return at.statusCode >= 500 || at.statusCode === 429
    if (at.name === 'TimeoutError' || at.name === 'AbortError' || TIMEOUT_CODES.has(at.code ?? '')) return true
  }
  return false
}

const SHOWN = 200

/** The error in the wording of the specification (000 §8), for the log and for administrators. */
export function serviceError(error: unknown): Error {
  const failed = error as FailureDetails
  if (failed?.message === INVALID_RESPONSE) return error as Error
  const text =
    failed?.statusCode !== undefined && failed.responseBody
      ? `AI service error: ${failed.statusCode} - ${failed.responseBody.slice(0, SHOWN)}`
      : `AI service error: ${failed?.message ?? 'Failed to get AI response'} (${failed?.statusCode ?? failed?.code ?? failed?.name ?? 'unknown'})`
  return new Error(text, { cause: error })
}

/** Empty or unusable response (000 §8). */
export const INVALID_RESPONSE = 'Invalid response from AI service'

/**
 * Calls up to three times, with the timeouts and backoff of the specification, while the error is retryable and the
 * caller is waiting. Throws the last error in the wording of the specification.
 */
export async function attempts<T>(
  call: (signal: AbortSignal, attempt: number) => Promise<T>,
  {
    signal,
    wait = (ms) => sleep(ms, undefined, { signal }),
  }: { signal: AbortSignal; wait?: (ms: number) => Promise<unknown> },
): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await call(AbortSignal.any([signal, AbortSignal.timeout(timeoutOf(n))]), n)
    } catch (error) {
      if (signal.aborted || n === MAX_ATTEMPTS || !isRetryable(error)) throw serviceError(error)
      await wait(backoffOf(n))
    }
  }
}
