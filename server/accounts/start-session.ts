import { type APIError, isAPIError } from 'better-auth/api'
import { sql } from 'kysely'
import type { ActionContext } from '#server/http/router.ts'
import { logSignIn } from '#server/http/security-log.ts'
import type { ReadSession, Session } from '#server/http/session.ts'
import type { FailureReason } from '#shared/accounts/sign-ins.ts'
import { present } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf } from '#shared/roles.ts'
import { endOwnSessions } from './own-sessions.ts'
import { tokenOf } from './session-cookie.ts'
import type { Attempt } from './sign-ins/attempts.ts'
import type { SignIns } from './sign-ins/sign-ins.ts'
import { hashToken } from './token-hash.ts'

/** Dependencies for completing a sign-in by any method. */
export interface StartSessionDeps {
  readSession: ReadSession
  isSecure: boolean
  signIns: SignIns
}

/** 'password': with email or phone. */
export type SessionMethod = 'password' | 'google' | 'mcgi-hub' | 'code' | 'link' | 'phone' | 'passkey'

/**
 * Completes a started session: passes its cookies to the response and returns where the browser goes, which is the
 * second step if that is still required. `headers` come from better-auth's response. A session whose user cannot be
 * read is ended again, and nothing is returned (F-01).
 */
export async function startSession(
  ctx: ActionContext,
  { readSession, isSecure, signIns }: StartSessionDeps,
  headers: Headers,
  { returnTo, method, provedBy = method, credentialId }: SessionStart,
): Promise<{ next: string }> {
  const kysely = ctx.database.requests.kysely
  const token = tokenIn(headers, isSecure)
  await kysely
    .updateTable('auth_sessions')
    // A passkey is a possession unlocked by biometrics or knowledge: both steps in one.
    .set({
      sign_in_method: method,
      method_since: methodSince(provedBy, credentialId),
      ...(method === 'passkey' ? { second_factor_at: new Date() } : {}),
    })
    .where('token', '=', hashToken(token))
    .execute()
  const request = new Request('http://portal.invalid/', { headers: { authorization: `Bearer ${token}` } })
  const session = await readSession(request, ctx.session.address)
  const target = safeReturnTo(returnTo)
  if (!session.user && !session.waiting) {
    await kysely.deleteFrom('auth_sessions').where('token', '=', hashToken(token)).execute()
    throw sessionError(session)
  }
  await endReplacedSession(ctx, session)
  logSignIn(ctx.log, session, method)
  ctx.setCookies(headers.getSetCookie())
  // Not before the second step: with only the password a caller stays a stranger.
  if (session.user && session.authUserId) await signIns.callers.remember(ctx, session.authUserId, true)
  if (session.user) return { next: target ?? dashboardOf(session.user.role) }
  return { next: `/two-step${target ? `?${new URLSearchParams({ returnTo: target })}` : ''}` }
}

/**
 * Ends another user's session whose cookie is overwritten: on a shared phone it would otherwise stay open with nobody
 * to end it. A bearer token is not overwritten.
 */
async function endReplacedSession({ database, session, headers }: ActionContext, next: Session): Promise<void> {
  if (session.authUserId === next.authUserId || headers.has('authorization')) return
  await endOwnSessions(database, session, 'local', 'another_sign_in')
}

/** The account was suspended or deleted or its sessions ended at this moment, or the database is unavailable. */
const sessionError = ({ isUnknown, ended }: Session): AppError =>
  isUnknown
    ? new AppError(500, 'not_opened', 'Authentication failed: the session could not be read.')
    : new AppError(...present(MESSAGES[ended === 'suspended' ? 'SUSPENDED' : 'UNAUTHORIZED'], 'a message'))

interface SessionStart {
  returnTo: string | undefined
  method: SessionMethod
  /** The proof that was used, if it differs from the session's method: a confirmed address signs in too. */
  provedBy?: SessionMethod
  /** Of the passkey that was used. */
  credentialId?: string
}

/** When the method that started a session was added to the account: for use in an update of that session. */
export function methodSince(method: SessionMethod, credentialId = '') {
  switch (method) {
    case 'passkey':
      return sql<Date>`(select since from auth_passkeys k
        where k.user_id = auth_sessions.user_id and k.credential_id = ${credentialId})`
    case 'phone':
      return sql<Date>`(select phone_since from auth_users u where u.id = auth_sessions.user_id)`
    case 'code':
    case 'link':
      return sql<Date>`(select email_since from auth_users u where u.id = auth_sessions.user_id)`
    default:
      return sql<Date>`(select max(since) from auth_accounts a where a.user_id = auth_sessions.user_id
        and a.provider_id = ${method === 'password' ? 'credential' : method})`
  }
}

/** The token of the session that better-auth just created. */
export function tokenIn(headers: Headers, isSecure: boolean): string {
  const cookies = headers.getSetCookie().map((line) => line.split(';')[0])
  const token = tokenOf(new Headers({ cookie: cookies.join('; ') }), isSecure)
  if (!token) throw new AppError(500, 'not_opened', 'Authentication failed: no session was made.')
  return token
}

/** Runs a check of a secret within its limits: failures are counted, other errors are not. */
export async function attempted<T>(attempt: Attempt, run: () => Promise<T>): Promise<T> {
  try {
    const done = await attempt.inTurn(run)
    await attempt.passed()
    return done
  } catch (error) {
    const code = error instanceof AppError ? error.code : ''
    if (WRONG_SECRET.has(code)) await attempt.failed('wrong_secret')
    else if (CLOSED[code]) await attempt.refused(CLOSED[code])
    else await attempt.passed()
    throw error
  }
}

/** Error codes that mean a wrong guess. */
const WRONG_SECRET = new Set([
  'invalid_credentials',
  'invalid_token',
  'invalid_code',
  'invalid_grant',
  'unknown_passkey',
  'passkey_failed',
  'hub_credentials',
  'hub_code',
  'hub_refused',
])
const CLOSED: Record<string, FailureReason> = { suspended: 'suspended', email_not_verified: 'unconfirmed' }

/** The caller's headers without an existing session: a sign-in starts unauthenticated. */
export function bare(headers: Headers): Headers {
  const agent = headers.get('user-agent')
  return new Headers(agent ? { 'user-agent': agent.slice(0, 300) } : {})
}

const FOREIGN_KEY_VIOLATION = '23503'

/** Messages for errors that the library reports by a code unknown here. */
const FALLBACKS = {
  auth_failed: 'Authentication failed: please try again.',
  sign_in_failed: 'Sign in failed',
  sign_up_failed: 'Sign up failed',
}

/** Runs a better-auth call and maps its expected errors to the portal's. */
export async function expected<T>(call: Promise<T>, fallback: keyof typeof FALLBACKS = 'auth_failed'): Promise<T> {
  try {
    return await call
  } catch (error) {
    // The account was deleted after the library had read it.
    const isGone = (error as { code?: string }).code === FOREIGN_KEY_VIOLATION
    if (!isGone && !isAPIError(error)) throw error
    const known = MESSAGES[isGone ? 'NO_PROFILE' : codeOf(error as APIError)]
    if (known) throw new AppError(...known)
    const { statusCode } = error as APIError
    throw new AppError(statusCode >= 500 ? 500 : Math.max(400, statusCode), fallback, FALLBACKS[fallback])
  }
}

/** Some calls report errors as a redirect to a page that does not exist: its URL holds the code. */
function codeOf(error: APIError): string {
  const location = new Headers(error.headers as Record<string, string> | undefined).get('location')
  if (location) return new URL(location, 'http://portal.invalid').searchParams.get('error')?.toUpperCase() ?? ''
  return (error.body as { code?: string } | undefined)?.code ?? ''
}

const WRONG: [number, string, string] = [
  401,
  'invalid_credentials',
  'Wrong email address or password. Check both and try again.',
]
const OLD_LINK: [number, string, string] = [400, 'invalid_token', 'This link is no longer valid. Request a new one.']
const WRONG_CODE: [number, string, string] = [
  400,
  'invalid_code',
  'This code is wrong or has expired. Request a new one or sign in another way.',
]
/** Error for a code that does not match. */
export const wrongCode = (): AppError => new AppError(...WRONG_CODE)
const OLD_PASSKEY: [number, string, string] = [
  400,
  'passkey_failed',
  'We could not use this passkey. Please try again.',
]
/** better-auth's error codes, each with the portal's status, code and text. */
const MESSAGES: Record<string, [number, string, string]> = {
  INVALID_EMAIL_OR_PASSWORD: WRONG,
  INVALID_PHONE_NUMBER_OR_PASSWORD: WRONG,
  INVALID_EMAIL: WRONG,
  INVALID_PASSWORD: [400, 'invalid_password', 'The current password is wrong.'],
  EMAIL_NOT_VERIFIED: [403, 'email_not_verified', 'Confirm your email address first. We can send you the link again.'],
  SUSPENDED: [403, 'suspended', 'This account is suspended. Please contact support.'],
  NO_PROFILE: [401, 'no_profile', 'Authentication failed: no account was found.'],
  INVALID_TOKEN: OLD_LINK,
  TOKEN_EXPIRED: OLD_LINK,
  USER_NOT_FOUND: OLD_LINK,
  NEW_USER_SIGNUP_DISABLED: OLD_LINK,
  INVALID_OTP: WRONG_CODE,
  OTP_EXPIRED: WRONG_CODE,
  OTP_NOT_FOUND: WRONG_CODE,
  INVALID_CODE: WRONG_CODE,
  // A code sent to a number that the account no longer has.
  FAILED_TO_UPDATE_USER: WRONG_CODE,
  TOO_MANY_ATTEMPTS: [429, 'too_many_attempts', 'Too many attempts. Request a new code.'],
  PHONE_NUMBER_EXIST: [409, 'phone_taken', 'Another account uses this phone number.'],
  CHALLENGE_NOT_FOUND: OLD_PASSKEY,
  PASSKEY_NOT_FOUND: [401, 'unknown_passkey', 'We do not recognise this passkey. Please sign in another way.'],
  AUTHENTICATION_FAILED: OLD_PASSKEY,
  FAILED_TO_VERIFY_REGISTRATION: OLD_PASSKEY,
  USER_NOT_VERIFIED: [
    400,
    'passkey_unlocked',
    'Your device did not check who you are. Set up a screen lock or sign in another way.',
  ],
  FAILED_TO_CREATE_USER: [409, 'sign_up_failed', FALLBACKS.sign_up_failed],
  UNAUTHORIZED: [401, 'no_session', 'No active authentication session'],
}
