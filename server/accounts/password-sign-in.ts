import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { ActionContext, Router } from '#server/http/router.ts'
import { sessionIdOf } from '#server/http/session.ts'
import { changePassword, recover, resetPassword, signIn } from '#shared/accounts/endpoints.ts'
import { present } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountDeps } from './deps.ts'
import { countTry, LIMITS } from './limits.ts'
import { findPassword } from './own/freshness.ts'
import { acceptPassword, hashPassword } from './password-rules.ts'
import { phoneOf } from './phone.ts'
import { applySignInChange, changeSignIn } from './sign-in-changes.ts'
import { passwordOrLink } from './sign-ins/confirm-by-mail.ts'
import { mailOnRequest } from './sign-ins/mail-on-request.ts'
import { attempted, bare, expected, startSession } from './start-session.ts'
import { SENT } from './texts.ts'
import { hashToken } from './token-hash.ts'
import { authUserOf } from './user.ts'

/** Signing in with a password, changing it, and resetting a forgotten one. */
export function registerPasswordSignIn(router: Router, deps: AccountDeps) {
  const { auth } = deps

  router.act(signIn, async (ctx, { body }) => {
    const headers = await passwordSession(deps, ctx, body)
    return startSession(ctx, deps, headers, { returnTo: body.returnTo, method: 'password' })
  })

  router.act(recover, async ({ database, session, headers }, { body }) => {
    await countTry(database, LIMITS.mailAddress, session.address)
    mailOnRequest(deps, database, 'reset', body.email, () =>
      auth.api.requestPasswordReset({ body: { email: body.email }, headers: bare(headers) }),
    )
    return { message: SENT }
  })

  router.act(resetPassword, async (ctx, { body }) => {
    const { database } = ctx
    const attempt = await deps.signIns.attempts.secret(ctx, 'link')
    const owner = await attempted(attempt, () => ownerOfLink(database.requests.kysely, body.token))
    await acceptPassword(body.password)
    const password = await hashPassword(body.password)
    await applySignInChange(database, owner, deps, async (db, { email_since }) => {
      await ownerOfLink(db, body.token, 'take')
      await db.deleteFrom('auth_sessions').where('user_id', '=', owner).execute()
      const kind = await writePassword(db, owner, password)
      // Set through the mailbox: the password proves as much as the address does.
      await db
        .updateTable('auth_accounts')
        .set({ since: email_since })
        .where('user_id', '=', owner)
        .where('provider_id', '=', 'credential')
        .execute()
      return {
        change: { kind, former: {}, audit: { action: 'user.password', after: { by: 'link' } } },
        result: undefined,
      }
    })
    await deps.mails.linkUsed(body.token)
    // Only the reader of the account's mail gets here: previously known devices may belong to someone else.
    await deps.signIns.callers.forget(owner)
    await deps.signIns.callers.remember(ctx, owner, true)
    return { message: 'Your password has been changed. You are signed out everywhere. Sign in with the new password.' }
  })

  router.act(changePassword, async (ctx, { body }) => {
    const { database, session } = ctx
    await countTry(database, LIMITS.signInAccount, ctx.user.id)
    const user = await authUserOf(database.requests.kysely, ctx.user.id)
    await acceptPassword(body.password, [user.user_metadata.display_name, user.email])
    if (body.current_password === undefined && (await findPassword(database, session.authUserId)))
      throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
        fields: { current_password: 'This field is required' },
      })
    const password = await hashPassword(body.password)
    await changeSignIn(
      ctx,
      deps,
      async (db, owner) => {
        const kind = await writePassword(db, owner.id, password)
        await db
          .deleteFrom('auth_sessions')
          .where('user_id', '=', owner.id)
          .where('id', '!=', sessionIdOf(session))
          .execute()
        return { change: { kind, former: {}, audit: { action: 'user.password' } }, result: undefined }
      },
      body.current_password,
    )
    return { message: 'Your password has been changed. You are signed out on your other devices.' }
  })
}

/** The account of a password reset link; with 'take' the link is used up. */
async function ownerOfLink(db: Db, token: string, take?: 'take'): Promise<string> {
  const identifier = hashToken(`reset-password:${token}`)
  const row = take
    ? await db
        .deleteFrom('auth_verifications')
        .where('identifier', '=', identifier)
        .where('expires_at', '>', sql<Date>`now()`)
        .returning('value')
        .executeTakeFirst()
    : await db
        .selectFrom('auth_verifications')
        .select('value')
        .where('identifier', '=', identifier)
        .where('expires_at', '>', sql<Date>`now()`)
        .executeTakeFirst()
  if (!row) throw new AppError(400, 'invalid_token', 'This link is no longer valid. Request a new one.')
  return row.value
}

async function writePassword(db: Db, userId: string, password: string) {
  const changed = await db
    .updateTable('auth_accounts')
    .set({ password })
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .returning('id')
    .executeTakeFirst()
  if (changed) return 'password_changed' as const
  await db
    .insertInto('auth_accounts')
    .values({ id: randomUUID(), user_id: userId, provider_id: 'credential', account_id: userId, password })
    .execute()
  return 'password_set' as const
}

/** Checks a password and counts failures; returns better-auth's headers with the new session's cookie. */
export async function passwordSession(
  deps: AccountDeps,
  ctx: ActionContext,
  credentials: { email?: string; phone?: string; password: string },
): Promise<Headers> {
  const { auth, signIns } = deps
  const { database } = ctx
  const { password, email } = credentials
  const who = email ?? phoneOf(present(credentials.phone, 'an address or a phone number'))
  const account = await (email ? signIns.callers.findByEmail(ctx, who) : signIns.callers.findByPhone(ctx, who))
  const attempt = await signIns.attempts.password(ctx, 'password', who, account)
  if (attempt.mustConfirmByMail) throw await passwordOrLink(deps, ctx, attempt, { userId: account.userId, password })
  const headers = bare(ctx.headers)
  const answer = await attempted(attempt, async () => {
    // better-auth equalises timing for an unknown address, but not for an unknown number.
    if (!email && !(await findPassword(database, account.userId))) await hashPassword(password)
    const returnHeaders = true as const
    const signIn = email
      ? auth.api.signInEmail({ body: { email, password }, headers, returnHeaders })
      : auth.api.signInPhoneNumber({ body: { phoneNumber: who, password }, headers, returnHeaders })
    return expected<{ headers: Headers }>(signIn, 'sign_in_failed')
  })
  return answer.headers
}
