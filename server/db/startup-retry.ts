import { isDatabaseAway } from '#server/http/failure.ts'
import type { Log } from '#server/log.ts'

const PATIENCE_MS = 60_000
const PAUSE_MS = 500

/**
 * Tries again for a minute while the database does not answer: at a start it may still be starting itself, or be busy.
 * What must be tried is the whole of it, so it must do no harm twice. Any other failure is thrown at once.
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
