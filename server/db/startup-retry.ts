import type { Log } from '#server/log.ts'
import { isDatabaseAway } from './availability.ts'

const PATIENCE_MS = 60_000
const PAUSE_MS = 500

/**
 * Retries for a minute while the database is unavailable: it may be starting itself, or busy. `fn` must be idempotent,
 * since all of it is retried. Any other error is thrown at once.
 */
export async function retryWhileUnavailable<T>(log: Log, what: string, fn: () => Promise<T>): Promise<T> {
  const began = Date.now()
  for (;;) {
    try {
      return await fn()
    } catch (error) {
      if (!isDatabaseAway(error) || Date.now() - began > PATIENCE_MS) throw error
      log.warn({ what, reason: (error as Error).message }, 'the database does not answer yet, trying again')
      await new Promise((wait) => setTimeout(wait, PAUSE_MS))
    }
  }
}
