import type { Database } from '#server/db/connection.ts'
import { isAppError } from '#server/http/failure.ts'
import type { Router } from '#server/http/router.ts'
import { authUserIdOf } from '#server/http/session.ts'
import type { Log } from '#server/log.ts'
import { signInWithHub } from '#shared/accounts/sign-in-methods.ts'
import { AppError } from '#shared/errors.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf } from '#shared/roles.ts'
import { SESSION_SECONDS } from './auth.ts'
import { beginEmailChange } from './email-change.ts'
import type { AskHub } from './hub.ts'
import { requireFresh } from './own/freshness.ts'
import { findOrCreateAccount, linkTo, type ProviderProfile } from './provider-accounts.ts'
import type { SignInChangeDeps } from './sign-in-changes.ts'
import { confirmByMail, type LinkDeps, linkInstead } from './sign-ins/confirm-by-mail.ts'
import { attempted, bare, expected, type StartSessionDeps, startSession } from './start-session.ts'

const ANSWER = { provider: 'mcgi-hub' as const, expires_in: SESSION_SECONDS.hub }

/** Sign-in with the member hub, in one or two steps, or linking it to one's own account. */
export function registerHubSignIn(
  router: Router,
  deps: StartSessionDeps & LinkDeps & SignInChangeDeps & { hub: AskHub | undefined; log: Log },
) {
  router.act(signInWithHub, async (ctx, { body }) => {
    const { database, session, headers } = ctx
    const { link, returnTo, ...credentials } = body
    const { hub } = deps
    if (!hub) throw new AppError(404, 'hub_unavailable', 'Sign-in with MCGI Hub is not set up here.')
    if (link && !session.user) throw new AppError(401, 'sign_in', 'Please sign in to continue.')
    if (link) await requireFresh(database, session)
    // The account is only known after the hub has authenticated the user.
    const attempt = await deps.signIns.attempts.password(ctx, 'hub', `hub ${credentials.userName}`, {})
    const vouched = await attempted(attempt, () => hub(credentials)).catch((error: unknown) => {
      throw attempt.mustConfirmByMail && isAppError(error) && error.status === 401 ? confirmByMail() : error
    })
    if (vouched === 'two-factor') return { ...ANSWER, needs_two_factor: true, next: null }
    if (link && session.user) {
      await linkTo(database, authUserIdOf(session), vouched, deps)
      return { ...ANSWER, needs_two_factor: false, next: safeReturnTo(returnTo) ?? dashboardOf(session.user.role) }
    }
    const { userId, isNew } = await arriveFromHub(database, vouched, deps)
    if (isNew) {
      await deps.mail.welcome(userId)
      // An unverified address from the hub is confirmed with its owner first: until then nothing else is sent there.
      if (vouched.email && !vouched.isEmailVerified) await beginEmailChange(database, deps.mail, userId, vouched.email)
    }
    if (attempt.mustConfirmByMail && (await linkInstead(deps, ctx, userId))) {
      await attempt.failed('confirm_by_mail')
      throw confirmByMail()
    }
    const answer = await expected(
      deps.auth.api.openSession({
        body: { userId, signInMethod: 'mcgi-hub' },
        headers: bare(headers),
        returnHeaders: true,
      }),
    )
    const { next } = await startSession(ctx, deps, answer.headers, { returnTo, method: 'mcgi-hub' })
    return { ...ANSWER, needs_two_factor: false, next }
  })
}

/** Writes the user's data as one transaction; errors use the texts of the specification (HUB-LOGIN-16 to 18). */
async function arriveFromHub(database: Database, vouched: ProviderProfile, deps: SignInChangeDeps & { log: Log }) {
  try {
    return await findOrCreateAccount(database, vouched, deps)
  } catch (error) {
    if (isAppError(error)) throw error
    const { message, table } = error as Error & { table?: string }
    deps.log.error({ reason: message }, 'a member of the hub could not be written')
    const text =
      table === 'persons'
        ? 'Failed to create person record in Supabase'
        : table === 'user_profiles'
          ? 'Failed to create user profile in Supabase'
          : 'Failed to sync user data to database'
    throw new AppError(500, 'hub_sync', text, { cause: error })
  }
}
