import type { SessionEvent } from './session-events.ts'

/** 001 §9: checked every 30 seconds; renewed when three checks remain, which is also when it is considered expired. */
export const TICK_MS = 30_000
const EXPIRY_MARGIN_MS = 3 * TICK_MS
const FIRST_RETRY_MS = 200
const SIGN_OUT_LIMIT_MS = 5_000
/** Maximum session lifetime without renewal, in days. */
export const LONGEST_DAYS = 14
const DAY_MS = 24 * 3_600_000

export const isExpired = (expiresAt: number, now = Date.now()) => expiresAt - now < EXPIRY_MARGIN_MS

/** Derived from the expiry: a one-day session does not show when it was renewed, and is renewed once more. */
export const wasLengthenedToday = (expiresAt: number, now = Date.now()) => expiresAt - now > (LONGEST_DAYS - 1) * DAY_MS

interface RenewalOptions {
  /** Milliseconds since 1970. */
  expiresAt: number
  /** Renews the session and returns the new expiry. Rejects with a `status` of 401 when the session is over. */
  refresh: () => Promise<number>
  emit: (event: SessionEvent) => void
  /** The server reports that the session has ended. */
  onEnd: () => void
}

/** Renews a session while its pages are open. Returns a function that stops it. */
export function startSessionRenewal({ expiresAt, refresh, emit, onEnd }: RenewalOptions): () => void {
  let end = expiresAt
  let isLengthening = false
  let isCancelled = false

  async function lengthen() {
    if (isLengthening) return
    isLengthening = true
    try {
      end = await patiently(refresh, () => isCancelled)
      if (!isCancelled) emit('TOKEN_REFRESHED')
    } catch (error) {
      // Any error other than 401 may be transient: the next check retries.
      if (!isCancelled && isUnauthorized(error)) onEnd()
    } finally {
      isLengthening = false
    }
  }

  const timer = setInterval(() => {
    if (end - Date.now() <= EXPIRY_MARGIN_MS) void lengthen()
  }, TICK_MS)
  if (!wasLengthenedToday(end)) void lengthen()
  return () => {
    isCancelled = true
    clearInterval(timer)
  }
}

/** Retries with exponential backoff from 200 ms until the next check is due. */
async function patiently<T>(run: () => Promise<T>, isCancelled: () => boolean): Promise<T> {
  for (let wait = FIRST_RETRY_MS; ; wait *= 2) {
    try {
      return await run()
    } catch (error) {
      if (isUnauthorized(error) || isCancelled() || wait > TICK_MS) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

export const isUnauthorized = (error: unknown) => (error as { status?: unknown } | null)?.status === 401

/** Signs out, or fails within five seconds; `clear` wipes the device in either case. */
export async function signOutWithin(send: () => Promise<unknown>, clear: () => void): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Sign out timed out')), SIGN_OUT_LIMIT_MS)
  })
  const sent = send().catch((error) => {
    throw new Error('Sign out failed', { cause: error })
  })
  try {
    await Promise.race([sent, limit])
  } finally {
    clearTimeout(timer)
    clear()
  }
}
