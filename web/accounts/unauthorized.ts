import { leaveNothing } from '#web/lib/leftovers.ts'
import { ApiError, call } from '#web/lib/transport.ts'
import { emitSessionEvent } from './session-events.ts'

/** The browser event of a session that is over (001 §2). Who takes care of it prevents its default. */
export const UNAUTHORIZED = 'auth:unauthorized'

let underway: Promise<number> | undefined

/** Lengthens the session: one request, however many ask for it. Gives its new end in milliseconds. */
export function refresh(): Promise<number> {
  underway ??= call('POST /auth/refresh')
    .then(({ expires_at }) => expires_at * 1000)
    .finally(() => {
      underway = undefined
    })
  return underway
}

/** After a call was refused: true when the session could be lengthened, so that the call may be made once more. */
export async function recoverFromRefusal(): Promise<boolean> {
  try {
    await refresh()
    return true
  } catch (error) {
    // A network that is away ends no session.
    if (error instanceof ApiError && error.status === 401) endSession()
    return false
  }
}

/** The session is over: nothing of it stays, everybody is told, and the way in follows. */
export function endSession() {
  leaveNothing()
  emitSessionEvent('SIGNED_OUT')
  const event = new CustomEvent(UNAUTHORIZED, {
    cancelable: true,
    detail: { type: 'security', severity: 'critical', message: 'User session has expired' },
  })
  if (window.dispatchEvent(event)) location.assign(loginUrl('expired'))
}

/** The way in, and back here afterwards. */
export function loginUrl(ended: string): string {
  const query = new URLSearchParams({ ended, returnTo: location.pathname + location.search })
  return `/login?${query}`
}
