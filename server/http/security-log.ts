import type { Log } from '#server/log.ts'
import { isAppError } from './failure.ts'
import type { Session } from './session.ts'

/** Anonymous, or with an expired session: the normal state before a sign-in. */
const ORDINARY = new Set(['sign_in', 'no_session', 'session_expired'])
/** A wrong password, code or link whose status does not show it. */
const WRONG_CREDENTIAL = new Set([
  'invalid_password',
  'invalid_code',
  'invalid_token',
  'invalid_grant',
  'weak_password',
])

/** The account id, which identifies nobody to a reader of the log without the database. */
const accountOf = ({ user, waiting }: Session) => user?.id ?? waiting?.id

/** Logs a refusal because of the caller, the credential or a rate limit. */
export function logRefusal(log: Log, endpoint: string, session: Session, error: unknown): void {
  if (!isAppError(error) || ORDINARY.has(error.code)) return
  const { status, code } = error
  if (status !== 401 && status !== 403 && status !== 429 && !WRONG_CREDENTIAL.has(code)) return
  log.warn({ endpoint, status, code, account: accountOf(session) }, 'refused')
}

/** Logs that a page was refused because of the user's role. */
export function logDeniedPage(log: Log, path: string, session: Session): void {
  log.warn({ path, status: 403, code: 'forbidden', account: accountOf(session) }, 'refused')
}

/** Logs a sign-in with its method, and whether the second step is still owed. */
export function logSignIn(log: Log, session: Session, method: string): void {
  const account = accountOf(session)
  log.info({ account, method, ...(session.waiting ? { owes: session.waiting.for } : {}) }, 'signed in')
}

/** Logs that the second step was completed or set up. */
export function logSecondStep(log: Log, session: Session, method: 'authenticator' | 'recovery code'): void {
  log.info({ account: accountOf(session), method }, 'second step given')
}
