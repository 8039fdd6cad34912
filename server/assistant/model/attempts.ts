import { setTimeout as sleep } from 'node:timers/promises'

const MAX_ATTEMPTS = 3
const FIRST_MS = 25_000
const LATER_MS = 15_000
const LONGEST_WAIT_MS = 5_000

/** How long attempt `n`, counted from 1, may take (000 §9). */
export const timeoutOf = (n: number) => (n === 1 ? FIRST_MS : LATER_MS)
/** How long is waited after attempt `n` failed (000 §9). */
export const backoffOf = (n: number) => Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (n - 1))

const TIMEOUT_CODES = new Set([
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** What a failed call says of itself, wherever in the chain of causes it stands. */
interface Failed {
  name?: string
  code?: string
  statusCode?: number
  responseBody?: string
  message?: string
  cause?: unknown
}

/** Time-outs, 5xx and 429 may pass; everything else fails the same way again (000 §8). */
export function isRetryable(error: unknown): boolean {
  for (let at = error as Failed | undefined; at; at = at.cause as Failed | undefined) {
    if (at.statusCode !== undefined) return at.statusCode >= 500 || at.statusCode === 429
    if (at.name === 'TimeoutError' || at.name === 'AbortError' || TIMEOUT_CODES.has(at.code ?? '')) return true
  }
  return false
}

const SHOWN = 200

/** The failure in the words of the specification (000 §8), for the log and for administrators. */
export function serviceError(error: unknown): Error {
  const failed = error as Failed
  if (failed?.message === INVALID_RESPONSE) return error as Error
  const text =
    failed?.statusCode !== undefined && failed.responseBody
      ? `AI service error: ${failed.statusCode} - ${failed.responseBody.slice(0, SHOWN)}`
      : `AI service error: ${failed?.message ?? 'Failed to get AI response'} (${failed?.statusCode ?? failed?.code ?? failed?.name ?? 'unknown'})`
  return new Error(text, { cause: error })
}

/** Nothing came, or nothing that could be shown (000 §8). */
export const INVALID_RESPONSE = 'Invalid response from AI service'

/**
 * Calls up to three times, with the times and pauses of the specification, as long as the failure may pass and the
 * caller waits. Throws the last failure in the words of the specification.
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
