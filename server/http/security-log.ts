import type { Log } from '#server/log.ts'
import { isAppError } from './failure.ts'
import type { Session } from './session.ts'

/** Nobody asked, or somebody whose session ran out: how every sign-in begins. */
const ORDINARY = new Set(['sign_in', 'session_expired'])
/** A wrong password, code or link whose status does not say so. */
const WRONG_CREDENTIAL = new Set(['invalid_password', 'invalid_code', 'invalid_token', 'weak_password'])

/** The id of the account, which says nothing to whoever reads the log without the database. */
const accountOf = ({ user, waiting }: Session) => user?.id ?? waiting?.id

/** Writes that a call was refused for who asked, for what was shown as proof, or for asking too often. */
export function logRefusal(log: Log, endpoint: string, session: Session, error: unknown): void {
  if (!isAppError(error) || ORDINARY.has(error.code)) return
  const { status, code } = error
  if (status !== 401 && status !== 403 && status !== 429 && !WRONG_CREDENTIAL.has(code)) return
  log.warn({ endpoint, status, code, account: accountOf(session) }, 'refused')
}

/** Writes that a page was refused to somebody whose role may not see it. */
export function logRefusedPage(log: Log, path: string, session: Session): void {
  log.warn({ path, status: 403, code: 'forbidden', account: accountOf(session) }, 'refused')
}

/** Writes that somebody came in, by which method, and whether the second step is still owed. */
export function logSignIn(log: Log, session: Session, method: string): void {
  const account = accountOf(session)
  log.info({ account, method, ...(session.waiting ? { owes: session.waiting.for } : {}) }, 'signed in')
}

/** Writes that somebody gave the second step, or set it up. */
export function logSecondStep(log: Log, session: Session, method: 'authenticator' | 'recovery code'): void {
  log.info({ account: accountOf(session), method }, 'second step given')
}
