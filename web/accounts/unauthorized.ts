import { leaveUnsentMessages } from '#web/lib/leftovers.ts'
import { ApiError, call } from '#web/lib/transport.ts'
import { emitSessionEvent } from './session-events.ts'

/** Browser event of an expired session (001 §2). A listener that handles it prevents its default. */
export const UNAUTHORIZED = 'auth:unauthorized'

let underway: Promise<number> | undefined

/** Renews the session and returns its new expiry in milliseconds. Concurrent callers share one request. */
export function refresh(): Promise<number> {
  underway ??= call('POST /auth/refresh')
    .then(({ expires_at }) => expires_at * 1000)
    .finally(() => {
      underway = undefined
    })
  return underway
}

/** After a 401: true if the session was renewed and the call may be retried. */
export async function recoverFromRefusal(): Promise<boolean> {
  try {
    await refresh()
    return true
  } catch (error) {
    // A network failure does not end the session.
    if (error instanceof ApiError && error.status === 401) endSession()
    return false
  }
}

/** Session expired: clears its data, emits the event, and redirects to sign-in. */
export function endSession() {
  leaveUnsentMessages()
  emitSessionEvent('SIGNED_OUT')
  const event = new CustomEvent(UNAUTHORIZED, {
    cancelable: true,
    detail: { type: 'security', severity: 'critical', message: 'User session has expired' },
  })
  if (window.dispatchEvent(event)) location.assign(loginUrl('expired'))
}

/** Sign-in URL with a return address to the current page. */
export function loginUrl(ended: string): string {
  const query = new URLSearchParams({ ended, returnTo: location.pathname + location.search })
  return `/login?${query}`
}
