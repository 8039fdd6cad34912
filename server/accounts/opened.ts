import { APIError } from 'better-auth/api'
import { AppError } from '#shared/errors.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf } from '#shared/roles.ts'
import type { ActAsked } from '../http/door.ts'
import type { ReadSession, Session } from '../http/session.ts'

/**
 * After a session was opened: hands its cookies to the answer and says where the browser goes, which is the second step
 * for those who still owe it. `headers` are those that better-auth answered with.
 */
export async function opened(
  asked: ActAsked,
  readSession: ReadSession,
  headers: Headers,
  returnTo: string | undefined,
): Promise<{ next: string }> {
  asked.setCookies(headers.getSetCookie())
  const session = await sessionAfter(readSession, headers, asked.session.address)
  const target = safeReturnTo(returnTo)
  if (session.waiting) return { next: `/two-step${target ? `?${new URLSearchParams({ returnTo: target })}` : ''}` }
  if (!session.user) throw new AppError(500, 'not_opened', 'Authentication failed: the session could not be read.')
  return { next: target ?? dashboardOf(session.user.role) }
}

function sessionAfter(readSession: ReadSession, headers: Headers, address: string): Session | Promise<Session> {
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return readSession(new Request('http://portal.invalid/', { headers: { cookie } }), address)
}

/** Runs a call of better-auth and says its expected failures in the portal's words. */
export async function expected<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof APIError)) throw error
    const code = (error.body as { code?: string } | undefined)?.code ?? ''
    const known = MESSAGES[code]
    if (known) throw new AppError(known[0], known[1], known[2])
    throw new AppError(
      error.statusCode >= 500 ? 500 : error.statusCode,
      'auth_failed',
      'Authentication failed: please try again.',
    )
  }
}

const WRONG: [number, string, string] = [
  401,
  'invalid_credentials',
  'Invalid email address or password. Please check both and try again.',
]
const OLD_LINK: [number, string, string] = [400, 'invalid_token', 'This link is not valid any more. Ask for a new one.']
const WRONG_CODE: [number, string, string] = [400, 'invalid_code', 'This code is not right, or not valid any more.']
/** Codes of better-auth, each with status, code and text of the portal. */
const MESSAGES: Record<string, [number, string, string]> = {
  INVALID_EMAIL_OR_PASSWORD: WRONG,
  INVALID_PHONE_NUMBER_OR_PASSWORD: WRONG,
  INVALID_EMAIL: WRONG,
  INVALID_PASSWORD: [400, 'invalid_password', 'The current password is not right.'],
  EMAIL_NOT_VERIFIED: [
    403,
    'email_not_verified',
    'Please confirm your email address first. We can send you the link again.',
  ],
  SUSPENDED: [403, 'suspended', 'This account is suspended. Please write to support.'],
  NO_PROFILE: [401, 'no_profile', 'Authentication failed: no account was found.'],
  INVALID_TOKEN: OLD_LINK,
  TOKEN_EXPIRED: OLD_LINK,
  USER_NOT_FOUND: OLD_LINK,
  INVALID_OTP: WRONG_CODE,
  OTP_EXPIRED: WRONG_CODE,
  OTP_NOT_FOUND: WRONG_CODE,
  INVALID_CODE: WRONG_CODE,
  INVALID_BACKUP_CODE: WRONG_CODE,
  TOO_MANY_ATTEMPTS: [429, 'too_many_attempts', 'That was too often. Ask for a new code.'],
  ACCOUNT_TEMPORARILY_LOCKED: [
    429,
    'locked',
    'Too many wrong codes. Please try again in 15 minutes, or use a recovery code then.',
  ],
  FAILED_TO_CREATE_USER: [409, 'sign_up_failed', 'Sign up failed. Please try again.'],
  UNAUTHORIZED: [401, 'no_session', 'No active authentication session'],
}
