import { AppError } from '#shared/errors.ts'

const MAX_CALLERS = 10_000

export type RateLimit = ReturnType<typeof createRateLimit>

/** Allows every caller `count` calls in `seconds`. Per node. */
export function createRateLimit({ count, seconds }: { count: number; seconds: number }) {
  const callers = new Map<string, { used: number; since: number }>()

  /** Counts one more; returns the seconds to wait if that exceeded the limit, otherwise 0. */
  function secondsToWait(caller: string): number {
    const now = Date.now()
    const known = callers.get(caller)
    if (!known || now - known.since >= seconds * 1000) {
      callers.delete(caller)
      callers.set(caller, { used: 1, since: now })
      // The oldest are dropped first: memory stays bounded however many addresses call.
      if (callers.size > MAX_CALLERS) callers.delete(callers.keys().next().value as string)
      return 0
    }
    if (known.used < count) {
      known.used++
      return 0
    }
    return Math.max(1, Math.ceil((known.since + seconds * 1000 - now) / 1000))
  }

  return {
    secondsToWait,
    /** The same, throwing a 429 with the time to wait. */
    take(caller: string) {
      const wait = secondsToWait(caller)
      if (wait > 0) throw tooMany(`Too many attempts. Please try again in ${wait} seconds.`, wait)
    },
  }
}

/** The 429 for a caller who must wait. */
export const tooMany = (message: string, wait: number): AppError =>
  new AppError(429, 'too_many_requests', message, { headers: { 'retry-after': String(wait) } })
