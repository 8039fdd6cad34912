import { signInWithHub } from '#shared/accounts/ways.ts'
import { AppError } from '#shared/errors.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf } from '#shared/roles.ts'
import type { Database } from '../db/connection.ts'
import type { Door } from '../http/door.ts'
import { isAppError } from '../http/failure.ts'
import type { Log } from '../log.ts'
import { arrive, linkTo, type Vouched } from './arriving.ts'
import { SESSION_SECONDS } from './auth.ts'
import { beginEmailChange } from './email-change.ts'
import type { AskHub } from './hub.ts'
import { attempted, bare, expected, type OpenedParts, opened } from './opened.ts'
import { requireFresh } from './own/freshness.ts'
import type { SignInChangeDeps } from './sign-in-changes.ts'
import { confirmByMail, type LinkParts, linkInstead } from './sign-ins/confirm-by-mail.ts'

const ANSWER = { provider: 'mcgi-hub' as const, expires_in: SESSION_SECONDS.hub }

/** Signing in with the member hub, in one step or in two; or adding it to the own account. */
export function hubSignIn(
  door: Door,
  parts: OpenedParts & LinkParts & SignInChangeDeps & { hub: AskHub | undefined; log: Log },
) {
  door.act(signInWithHub, async (asked, { body }) => {
    const { database, session, headers } = asked
    const { link, returnTo, ...given } = body
    if (!parts.hub) throw new AppError(404, 'hub_unavailable', 'Sign-in with the member hub is not set up here.')
    if (link && !session.user) throw new AppError(401, 'sign_in', 'Please sign in to do this.')
    if (link) await requireFresh(database, session)
    // Whose name it is shows when the hub has vouched for it.
    const attempt = await parts.signIns.attempts.password(asked, 'hub', `hub ${given.userName}`, {})
    const vouched = await attempted(attempt, () => parts.hub!(given)).catch((error: unknown) => {
      throw attempt.mustConfirmByMail && isAppError(error) && error.status === 401 ? confirmByMail() : error
    })
    if (vouched === 'two-factor') return { ...ANSWER, needs_two_factor: true, next: null }
    if (link && session.user) {
      await linkTo(database, session.authUserId!, vouched, parts)
      return { ...ANSWER, needs_two_factor: false, next: safeReturnTo(returnTo) ?? dashboardOf(session.user.role) }
    }
    const { userId, isNew } = await arriveFromHub(database, vouched, parts)
    if (isNew) {
      await parts.mail.welcome(userId)
      // Where the hub only heard of an address, its owner is asked: until then nothing else is sent there.
      if (vouched.email && !vouched.isEmailVerified) await beginEmailChange(database, parts.mail, userId, vouched.email)
    }
    if (attempt.mustConfirmByMail && (await linkInstead(parts, asked, userId))) {
      await attempt.failed('confirm_by_mail')
      throw confirmByMail()
    }
    const answer = await expected(
      parts.auth.api.openSession({ body: { userId, way: 'mcgi-hub' }, headers: bare(headers), returnHeaders: true }),
    )
    const { next } = await opened(asked, parts, answer.headers, { returnTo, way: 'mcgi-hub' })
    return { ...ANSWER, needs_two_factor: false, next }
  })
}

/** All of the person is written or nothing; a failure is said in the words of the specification (HUB-LOGIN-16 to 18). */
async function arriveFromHub(database: Database, vouched: Vouched, deps: SignInChangeDeps & { log: Log }) {
  try {
    return await arrive(database, vouched, deps)
  } catch (error) {
    if (isAppError(error)) throw error
    const { message, table } = error as Error & { table?: string }
    deps.log.error({ reason: message }, 'a member of the hub could not be written')
    const said =
      table === 'persons'
        ? 'Failed to create person record in Supabase'
        : table === 'user_profiles'
          ? 'Failed to create user profile in Supabase'
          : 'Failed to sync user data to database'
    throw new AppError(500, 'hub_sync', said, { cause: error })
  }
}
