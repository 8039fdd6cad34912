import { AppError } from '#shared/errors.ts'

const MOST_CALLERS = 10_000

/** Lets every caller do something `count` times in `seconds`; past that a 429 that says when to come back. Per node. */
export function createRateLimit({ count, seconds }: { count: number; seconds: number }) {
  const callers = new Map<string, { used: number; since: number }>()
  return {
    take(caller: string) {
      const now = Date.now()
      const known = callers.get(caller)
      if (!known || now - known.since >= seconds * 1000) {
        callers.delete(caller)
        callers.set(caller, { used: 1, since: now })
        // The oldest go first: memory stays bounded however many addresses call.
        if (callers.size > MOST_CALLERS) callers.delete(callers.keys().next().value as string)
        return
      }
      if (known.used >= count) {
        const wait = Math.max(1, Math.ceil((known.since + seconds * 1000 - now) / 1000))
        throw new AppError(429, 'too_many_requests', `That was too often. Please try again in ${wait} seconds.`, {
          headers: { 'retry-after': String(wait) },
        })
      }
      known.used++
    },
  }
}
