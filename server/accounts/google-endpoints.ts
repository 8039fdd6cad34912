import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/connection.ts'
import type { Router } from '#server/http/router.ts'
import { authUserIdOf } from '#server/http/session.ts'
import { finishGoogle, startGoogle } from '#shared/accounts/sign-in-methods.ts'
import { AppError } from '#shared/errors.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { dashboardOf } from '#shared/roles.ts'
import type { AccountMail, Auth } from './auth.ts'
import type { Google, OAuthState } from './google.ts'
import { countTry, LIMITS } from './limits.ts'
import { requireFresh } from './own/freshness.ts'
import { findOrCreateAccount, linkTo } from './provider-accounts.ts'
import type { SignInChangeDeps } from './sign-in-changes.ts'
import { bare, expected, type StartSessionDeps, startSession } from './start-session.ts'

const AWAY_SECONDS = 600

/** Stored while a browser is at Google: for this browser only, single use. */
interface PendingSignIn extends OAuthState {
  returnTo: string | null
  /** Of auth_users, when Google is to be linked to an account, and the session that requested it. */
  link: string | null
  sessionId?: string | undefined
}

export function registerGoogleSignIn(
  router: Router,
  deps: StartSessionDeps & SignInChangeDeps & { auth: Auth; mail: AccountMail; google: Google | undefined },
) {
  const google = () => {
    if (deps.google) return deps.google
    throw new AppError(404, 'google_start', 'Google OAuth initialization failed')
  }

  router.act(startGoogle, async ({ database, session, headers, setCookies }, { body }) => {
    if (body.link && !session.user) throw new AppError(401, 'sign_in', 'Please sign in to continue.')
    if (body.link) await requireFresh(database, session)
    await countTry(database, LIMITS.awayAddress, session.address)
    const { url, oauthState } = await google().begin()
    const browser = browserOf(headers, deps.isSecure) ?? randomBytes(24).toString('base64url')
    const away: PendingSignIn = {
      ...oauthState,
      returnTo: safeReturnTo(body.returnTo),
      link: body.link ? authUserIdOf(session) : null,
      sessionId: session.id,
    }
    await saveOAuthState(database, browser, away)
    setCookies([browserCookie(browser, deps.isSecure)])
    return { url }
  })

  router.act(finishGoogle, async (ctx, { body }) => {
    const { database, headers, session } = ctx
    const browser = browserOf(headers, deps.isSecure)
    const away = browser && body.state ? await takeOAuthState(database, browser, body.state) : undefined
    if (!away) throw new AppError(400, 'google_callback', 'OAuth callback failed')
    if (body.error || !body.code) throw new AppError(400, 'google_refused', 'Google OAuth failed')
    const brought = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const vouched = await google().finish(brought, away)
    if (away.link) {
      if (!session.user || session.authUserId !== away.link || session.id !== away.sessionId)
        throw new AppError(401, 'sign_in', 'Please sign in to continue.')
      // Started with a fresh session at most ten minutes ago, and finished by the same session.
      await linkTo(database, away.link, vouched, deps)
      return { next: away.returnTo ?? dashboardOf(session.user.role) }
    }
    const { userId, isNew } = await findOrCreateAccount(database, vouched, deps)
    if (isNew) await deps.mail.welcome(userId)
    const answer = await expected(
      deps.auth.api.openSession({
        body: { userId, signInMethod: 'google' },
        headers: bare(headers),
        returnHeaders: true,
      }),
    )
    return startSession(ctx, deps, answer.headers, { returnTo: away.returnTo ?? undefined, method: 'google' })
  })
}

const cookieNameOf = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}mfa.away`

/** Lax: it must be sent when Google redirects the browser back. */
const browserCookie = (value: string, isSecure: boolean) =>
  `${cookieNameOf(isSecure)}=${value}; Max-Age=${AWAY_SECONDS}; Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax`

function browserOf(headers: Headers, isSecure: boolean): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const beginning = `${cookieNameOf(isSecure)}=`
  return pairs
    .find((pair) => pair.startsWith(beginning))
    ?.slice(beginning.length)
    .match(/^[\w-]{32}$/)?.[0]
}

const identifierOf = (browser: string, state: string) =>
  `google ${createHash('sha256').update(`${browser} ${state}`).digest('base64url')}`

async function saveOAuthState(database: Database, browser: string, away: PendingSignIn): Promise<void> {
  await database.requests.kysely
    .insertInto('auth_verifications')
    .values({
      id: randomUUID(),
      identifier: identifierOf(browser, away.state),
      value: JSON.stringify(away),
      expires_at: sql<Date>`now() + make_interval(secs => ${AWAY_SECONDS})`,
    })
    .execute()
}

/** Single use: repeating the same callback finds nothing. */
async function takeOAuthState(database: Database, browser: string, state: string): Promise<PendingSignIn | undefined> {
  const row = await database.requests.kysely
    .deleteFrom('auth_verifications')
    .where('identifier', '=', identifierOf(browser, state))
    .returning(['value', sql<boolean>`expires_at > now()`.as('is_fresh')])
    .executeTakeFirst()
  return row?.is_fresh ? (JSON.parse(row.value) as PendingSignIn) : undefined
}
