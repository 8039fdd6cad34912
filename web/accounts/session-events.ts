const SESSION_EVENTS = [
  'INITIAL_SESSION',
  'SIGNED_IN',
  'SIGNED_OUT',
  'TOKEN_REFRESHED',
  'USER_UPDATED',
  'PASSWORD_RECOVERY',
] as const
export type SessionEvent = (typeof SESSION_EVENTS)[number]

/** Name of the browser event that carries them, in `detail`. */
export const SESSION_CHANGE = 'auth:change'

let wasSignedOut = false

/** Says on the window what became of the session. */
export function emitSessionEvent(event: SessionEvent) {
  if (event === 'SIGNED_OUT') wasSignedOut = true
  window.dispatchEvent(new CustomEvent(SESSION_CHANGE, { detail: event }))
}

/** Nobody was in when this document came to the way in: who is in later has just come in. */
export const cameSignedOut = () => {
  wasSignedOut = true
}

export function emitArrival() {
  emitSessionEvent(wasSignedOut ? 'SIGNED_IN' : 'INITIAL_SESSION')
  wasSignedOut = false
}
