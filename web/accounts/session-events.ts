const SESSION_EVENTS = [
  'INITIAL_SESSION',
  'SIGNED_IN',
  'SIGNED_OUT',
  'TOKEN_REFRESHED',
  'USER_UPDATED',
  'PASSWORD_RECOVERY',
] as const
export type SessionEvent = (typeof SESSION_EVENTS)[number]

/** Name of the browser event; the change is in `detail`. */
export const SESSION_CHANGE = 'auth:change'

let wasSignedOut = false

/** Dispatches a session change on the window. */
export function emitSessionEvent(event: SessionEvent) {
  if (event === 'SIGNED_OUT') wasSignedOut = true
  window.dispatchEvent(new CustomEvent(SESSION_CHANGE, { detail: event }))
}

/** True if nobody was signed in when this document opened a sign-in page; a later session is then a new sign-in. */
export const cameSignedOut = () => {
  wasSignedOut = true
}

export function emitArrival() {
  emitSessionEvent(wasSignedOut ? 'SIGNED_IN' : 'INITIAL_SESSION')
  wasSignedOut = false
}
