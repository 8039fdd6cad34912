import { changePassword, recover, resetPassword, signIn } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { Database } from '../db/connection.ts'
import type { ActAsked, Door } from '../http/door.ts'
import type { AccountParts } from './endpoints.ts'
import { countTry, LIMITS } from './limits.ts'
import { attempted, bare, expected, opened } from './opened.ts'
import { findPassword } from './own/freshness.ts'
import { acceptPassword, hashPassword } from './passwords.ts'
import { phoneOf } from './phone.ts'
import { passwordOrLink } from './sign-ins/confirm-by-mail.ts'
import { mailOnRequest } from './sign-ins/requested.ts'
import { authUserOf } from './user.ts'
import { SENT } from './words.ts'

/** Signing in with a password, changing it, and choosing another where it is forgotten. */
export function passwordSignIn(door: Door, parts: AccountParts) {
  const { auth } = parts

  door.act(signIn, async (asked, { body }) => {
    const headers = await passwordSession(parts, asked, body)
    return opened(asked, parts, headers, { returnTo: body.returnTo, way: 'supabase' })
  })

  door.act(recover, async ({ database, session, headers }, { body }) => {
    await countTry(database, LIMITS.mailAddress, session.address)
    mailOnRequest(parts, database, 'reset', body.email, () =>
      auth.api.requestPasswordReset({ body: { email: body.email }, headers: bare(headers) }),
    )
    return { message: SENT }
  })

  door.act(resetPassword, async (asked, { body }) => {
    const { database, headers } = asked
    const attempt = await parts.signIns.attempts.secret(asked, 'link')
    await acceptPassword(body.password)
    const userId = await ownerOfReset(database, body.token)
    await attempted(attempt, () =>
      expected(
        auth.api.resetPassword({ body: { newPassword: body.password, token: body.token }, headers: bare(headers) }),
      ),
    )
    await parts.mails.linkUsed(body.token)
    // Only whoever reads the mail of the account got here: the devices before may have been somebody else's.
    if (userId) await parts.signIns.callers.forget(userId)
    if (userId) await parts.signIns.callers.remember(asked, userId, true)
    return { message: 'Your password is changed. You are signed out everywhere; sign in with the new one.' }
  })

  door.act(changePassword, async ({ database, session, headers }, { body }) => {
    await countTry(database, LIMITS.signInAccount, session.user!.id)
    const user = await authUserOf(database.requests.kysely, session.user!.id)
    await acceptPassword(body.password, [user.user_metadata.display_name, user.email])
    const has = await database.requests.kysely
      .selectFrom('auth_accounts')
      .select('id')
      .where('user_id', '=', session.authUserId!)
      .where('provider_id', '=', 'credential')
      .executeTakeFirst()
    if (has && !body.current_password)
      throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
        fields: { current_password: 'This field is required' },
      })
    await (has
      ? expected(
          auth.api.changePassword({
            body: { currentPassword: body.current_password!, newPassword: body.password },
            headers,
          }),
        )
      : expected(auth.api.setPassword({ body: { newPassword: body.password }, headers })))
    await database.requests.kysely
      .deleteFrom('auth_sessions')
      .where('user_id', '=', session.authUserId!)
      .where('id', '!=', session.id!)
      .execute()
    if (user.email_verified) await parts.mail.passwordChanged({ userId: session.authUserId!, email: user.email })
    return { message: 'Your password is changed. Your other sessions were ended.' }
  })
}

/** Checks a password, failures counted; gives the headers of better-auth with the new session's cookie. */
export async function passwordSession(
  parts: AccountParts,
  asked: ActAsked,
  given: { email?: string; phone?: string; password: string },
): Promise<Headers> {
  const { auth, signIns } = parts
  const { database } = asked
  const { password, email } = given
  const who = email ?? phoneOf(given.phone!)
  const account = await (email ? signIns.callers.findByEmail(asked, who) : signIns.callers.findByPhone(asked, who))
  const attempt = await signIns.attempts.password(asked, 'password', who, account)
  if (attempt.mustConfirmByMail) throw await passwordOrLink(parts, asked, attempt, { userId: account.userId, password })
  const headers = bare(asked.headers)
  const answer = await attempted(attempt, async () => {
    // better-auth itself takes its time for an address that nobody has, but not for a number.
    if (!email && !(await findPassword(database, account.userId))) await hashPassword(password)
    return email
      ? expected(auth.api.signInEmail({ body: { email, password }, headers, returnHeaders: true }))
      : expected(auth.api.signInPhoneNumber({ body: { phoneNumber: who, password }, headers, returnHeaders: true }))
  })
  return answer.headers
}

async function ownerOfReset(database: Database, token: string): Promise<string | undefined> {
  const row = await database.requests.kysely
    .selectFrom('auth_verifications')
    .select('value')
    .where('identifier', '=', `reset-password:${token}`)
    .executeTakeFirst()
  return row?.value
}
