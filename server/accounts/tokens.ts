import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/db/connection.ts'
import type { Tables } from '#server/db/tables.ts'
import type { ActionContext, Router } from '#server/http/router.ts'
import { logSignIn } from '#server/http/security-log.ts'
import { accountOf, sessionIdOf } from '#server/http/session.ts'
import { grantToken, refreshSession } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import { isCoordinator, type Role } from '#shared/roles.ts'
import { SESSION_SECONDS } from './auth.ts'
import type { AccountDeps } from './deps.ts'
import { passwordSession } from './password-sign-in.ts'
import { invalidGrant, redeemAuthorizationCode } from './program-sign-in.ts'
import { cookieAttributes, cookieName } from './session-cookie.ts'
import { maxSessionSeconds } from './sessions.ts'
import { methodSince, type SessionMethod, tokenIn } from './start-session.ts'
import { hashToken } from './token-hash.ts'
import { authUserOf } from './user.ts'

/** Tokens for clients, and the lifetime of a session. */
export function registerTokens(router: Router, deps: AccountDeps) {
  const { readSession } = deps

  router.act(grantToken, async (ctx, { body }) => {
    const { database } = ctx
    if (body.grant_type === 'refresh_token')
      return answerWith(ctx, await redeemRefreshToken(database, body.refresh_token ?? ''))
    if (body.grant_type === 'pkce') return answerProgram(ctx, body)
    if (body.grant_type !== 'password')
      throw new AppError(400, 'unsupported_grant_type', `The grant "${body.grant_type}" is not supported here.`)
    if ((!body.email && !body.phone) || !body.password)
      throw invalidInput(
        body.password ? { email: 'Enter an email address or a phone number' } : { password: 'This field is required' },
      )
    const headers = await passwordSession(deps, ctx, { ...body, password: body.password })
    const token = tokenIn(headers, deps.isSecure)
    const { id, user_id, expires_at } = await database.requests.kysely
      .updateTable('auth_sessions')
      .set({ method_since: methodSince('password') })
      .where('token', '=', hashToken(token))
      .returning(['id', 'user_id', 'expires_at'])
      .executeTakeFirstOrThrow(() => new AppError(401, 'no_session', 'No active authentication session'))
    const refresh_token = await nextRefreshToken(database.requests.kysely, id)
    const answer = await answerWith(ctx, { token, expires_at, refresh_token }, 'password')
    if (answer.user) await deps.signIns.callers.remember(ctx, user_id, false)
    return answer
  })

  /** Exchanges the code that a browser gave a program. */
  async function answerProgram(ctx: ActionContext, body: { auth_code?: string; code_verifier?: string }) {
    const { auth_code, code_verifier } = body
    if (!auth_code || !code_verifier)
      throw invalidInput({ [auth_code ? 'code_verifier' : 'auth_code']: 'This field is required' })
    const { kysely } = ctx.database.requests
    const { id, method, ...started } = await redeemAuthorizationCode(ctx, deps.signIns, { auth_code, code_verifier })
    const answer = await answerWith(ctx, { ...started, refresh_token: await nextRefreshToken(kysely, id) }, method)
    if (answer.user) return answer
    // Suspended since, or a second step is required by now.
    await kysely.deleteFrom('auth_sessions').where('id', '=', id).execute()
    throw invalidGrant()
  }

  /** A bearer token and the refresh token that follows it. */
  async function answerWith({ database, session, log }: ActionContext, granted: TokenPair, method?: SessionMethod) {
    const { token, refresh_token } = granted
    const request = new Request('http://portal.invalid/', { headers: { authorization: `Bearer ${token}` } })
    const newSession = await readSession(request, session.address)
    if (method) logSignIn(log, newSession, method)
    const { user } = newSession
    // An old session ends before the time stored in its row.
    const expires_at = newSession.expiresAt ?? granted.expires_at
    return {
      access_token: token,
      token_type: 'bearer' as const,
      expires_in: Math.round((expires_at.valueOf() - Date.now()) / 1000),
      expires_at: Math.floor(expires_at.valueOf() / 1000),
      refresh_token,
      user: user && (await authUserOf(database.requests.kysely, user.id)),
    }
  }

  router.act(refreshSession, async ({ database, session, setCookies, headers }) => {
    const { role } = accountOf(session)
    const seconds = isCoordinator(role) ? SESSION_SECONDS.coordinator : SESSION_SECONDS.traveler
    const row = await database.requests.kysely
      .updateTable('auth_sessions')
      .set({
        expires_at: extended(role, seconds),
        updated_at: new Date(),
      })
      .where('id', '=', sessionIdOf(session))
      .returning(['expires_at'])
      .executeTakeFirst()
    if (!row) throw new AppError(401, 'session_expired', 'User session has expired')
    const cookie = new RegExp(`(?:^|;\\s*)(${cookieName(deps.isSecure)}=[^;]*)`).exec(headers.get('cookie') ?? '')?.[1]
    if (cookie) setCookies([`${cookie}; ${cookieAttributes(deps.isSecure, SESSION_SECONDS.traveler)}`])
    return { expires_at: Math.floor(row.expires_at.valueOf() / 1000) }
  })
}

const invalidInput = (fields: Record<string, string>) =>
  new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })

/** Hub sessions keep the short lifetime promised to the hub; none exceeds its maximum age from sign-in. */
const extended = (role: Role, seconds: number) =>
  sql<Date>`case sign_in_method when 'mcgi-hub' then ${until(role, 'mcgi-hub', SESSION_SECONDS.hub)}
    else ${until(role, 'password', seconds)} end`

const until = (role: Role, method: string, seconds: number) =>
  sql<Date>`least(now() + make_interval(secs => ${seconds}), created_at + make_interval(secs => ${maxSessionSeconds(role, method)}))`

interface TokenPair {
  token: string
  expires_at: Date
  refresh_token: string
}

async function nextRefreshToken(db: Kysely<Tables>, session_id: string): Promise<string> {
  const refresh_token = randomBytes(32).toString('base64url')
  await db
    .insertInto('auth_refresh_tokens')
    .values({ token_hash: hashToken(refresh_token), session_id })
    .execute()
  return refresh_token
}

const invalidRefreshToken = () => new AppError(401, 'invalid_refresh_token', 'This refresh token is not valid.')

/** A refresh token renews its session once; a second use ends the session, because two parties had the token. */
async function redeemRefreshToken(database: Database, refreshToken: string): Promise<TokenPair> {
  const token_hash = hashToken(refreshToken)
  const granted = await database.requests.kysely.transaction().execute(async (db) => {
    const row = await db
      .selectFrom('auth_refresh_tokens')
      .selectAll()
      .where('token_hash', '=', token_hash)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw invalidRefreshToken()
    if (row.used_at) {
      await db.deleteFrom('auth_sessions').where('id', '=', row.session_id).execute()
      return null
    }
    await db
      .updateTable('auth_refresh_tokens')
      .set({ used_at: new Date() })
      .where('token_hash', '=', token_hash)
      .execute()
    const { role } = await db
      .selectFrom('auth_sessions as s')
      .innerJoin('user_profiles as p', 'p.auth_user_id', 's.user_id')
      .select('p.role')
      .where('s.id', '=', row.session_id)
      .executeTakeFirstOrThrow(invalidRefreshToken)
    const token = randomBytes(24).toString('base64url')
    const { expires_at } = await db
      .updateTable('auth_sessions')
      .set({
        token: hashToken(token),
        updated_at: new Date(),
        expires_at: extended(role, SESSION_SECONDS.coordinator),
      })
      .where('id', '=', row.session_id)
      .returning('expires_at')
      .executeTakeFirstOrThrow(invalidRefreshToken)
    if (expires_at <= new Date()) throw invalidRefreshToken()
    return { token, expires_at, refresh_token: await nextRefreshToken(db, row.session_id) }
  })
  // Thrown after the commit: ending the session must not be rolled back.
  if (!granted)
    throw new AppError(401, 'invalid_refresh_token', 'This refresh token was used before. Please sign in again.')
  return granted
}
