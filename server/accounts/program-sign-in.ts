import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { ActionContext, Router } from '#server/http/router.ts'
import { sessionIdOf } from '#server/http/session.ts'
import { authorizeProgram } from '#shared/accounts/program-sign-in.ts'
import { AppError } from '#shared/errors.ts'
import { countTry, LIMITS } from './limits.ts'
import type { SignIns } from './sign-ins/sign-ins.ts'
import { attempted, bare, type SessionMethod } from './start-session.ts'
import { hashToken } from './token-hash.ts'

const CODE_SECONDS = 120

/** Stored under the hash of the code. */
interface Authorization {
  /** The browser's session, which the program's is copied from. */
  sessionId: string
  challenge: string
}

const identifierOf = (code: string) => hashToken(`authorize:${code}`)

/** A signed-in browser lets a program on the same device sign in: an authorization code with PKCE (RFC 7636, 8252). */
export function registerProgramSignIn(router: Router): void {
  router.act(authorizeProgram, async ({ database, session, user }, { body }) => {
    await countTry(database, LIMITS.signInAccount, user.id)
    const auth_code = randomBytes(32).toString('base64url')
    const authorization: Authorization = { sessionId: sessionIdOf(session), challenge: body.code_challenge }
    await database.requests.kysely
      .insertInto('auth_verifications')
      .values({
        id: randomUUID(),
        identifier: identifierOf(auth_code),
        value: JSON.stringify(authorization),
        expires_at: sql<Date>`now() + make_interval(secs => ${CODE_SECONDS})`,
      })
      .execute()
    const redirect = new URL(body.redirect_uri)
    redirect.searchParams.set('code', auth_code)
    if (body.state !== undefined) redirect.searchParams.set('state', body.state)
    return { auth_code, expires_in: CODE_SECONDS, redirect_to: redirect.href }
  })
}

/** Error for a code or verifier that does not count; which of them, and why, is not revealed. */
export const invalidGrant = (): AppError =>
  new AppError(400, 'invalid_grant', 'This code has expired or does not match the verifier.')

/**
 * Starts the program's session. It takes every date from the browser's: a code neither confirms who the user is nor
 * lengthens the life of a session. A wrong verifier means that another program has the code, which is then void.
 */
export async function redeemAuthorizationCode(
  ctx: ActionContext,
  { attempts }: SignIns,
  { auth_code, code_verifier }: { auth_code: string; code_verifier: string },
): Promise<{ id: string; token: string; expires_at: Date; method: SessionMethod }> {
  const attempt = await attempts.secret(ctx, 'link')
  return attempted(attempt, async () => {
    const db = ctx.database.requests.kysely
    const row = await db
      .deleteFrom('auth_verifications')
      .where('identifier', '=', identifierOf(auth_code))
      .where('expires_at', '>', sql<Date>`now()`)
      .returning('value')
      .executeTakeFirst()
    if (!row) throw invalidGrant()
    const { sessionId, challenge } = JSON.parse(row.value) as Authorization
    if (!isVerifierOf(challenge, code_verifier)) throw invalidGrant()
    const started = await copySession(db, sessionId, bare(ctx.headers).get('user-agent'))
    if (!started) throw invalidGrant()
    return started
  })
}

const isVerifierOf = (challenge: string, verifier: string) =>
  timingSafeEqual(createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url'))

async function copySession(db: Db, sessionId: string, userAgent: string | null) {
  const token = randomBytes(24).toString('base64url')
  const { rows } = await sql<{ id: string; expires_at: Date; method: SessionMethod }>`
    insert into auth_sessions (id, token, user_id, user_agent, expires_at, created_at, updated_at, sign_in_method,
      method_since, second_factor_at)
    select ${randomUUID()}, ${hashToken(token)}, user_id, ${userAgent}, expires_at, created_at, updated_at, sign_in_method,
      method_since, second_factor_at
    from auth_sessions where id = ${sessionId} and expires_at > now()
    returning id, expires_at, sign_in_method as method`.execute(db)
  return rows[0] && { ...rows[0], token }
}
