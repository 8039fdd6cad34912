import type { SessionEvent } from './session-events.ts'

/** 001 §9: looked at every 30 seconds; lengthened when three looks remain, which is also when it counts as over. */
export const TICK_MS = 30_000
const EXPIRY_MARGIN_MS = 3 * TICK_MS
const FIRST_RETRY_MS = 200
const SIGN_OUT_LIMIT_MS = 5_000
/** How long the longest session lasts without being lengthened. */
export const LONGEST_DAYS = 14
const DAY_MS = 24 * 3_600_000

export const isExpired = (expiresAt: number, now = Date.now()) => expiresAt - now < EXPIRY_MARGIN_MS

/** Seen from its end: a session of a day says nothing about when it was lengthened, and is lengthened once more. */
export const wasLengthenedToday = (expiresAt: number, now = Date.now()) => expiresAt - now > (LONGEST_DAYS - 1) * DAY_MS

interface RenewalOptions {
  /** Milliseconds since 1970. */
  expiresAt: number
  /** Asks for more time; gives the new end. Rejects with a `status` of 401 when the session is over. */
  refresh: () => Promise<number>
  emit: (event: SessionEvent) => void
  /** The server says that nobody is in any more. */
  onEnd: () => void
}

/** Keeps a session from running out while its pages are open. Returns how to stop. */
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
      // Anything but a refusal may pass: the next look tries again.
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

/** Tries again after 200 ms, doubled each time, until the next look is due. */
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

/** Signs out, or says within five seconds that it did not work; `clear` leaves nothing on the device in any case. */
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
