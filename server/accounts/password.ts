import { changePassword, recover, resetPassword, signIn } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { Database } from '../db/connection.ts'
import type { ActAsked, Door } from '../http/door.ts'
import { mayBeWrittenTo } from './addresses.ts'
import type { Auth } from './auth.ts'
import type { AccountParts } from './endpoints.ts'
import { countMail, countTry, forgetTries, LIMITS } from './limits.ts'
import { bare, expected, opened } from './opened.ts'
import { acceptPassword, hashPassword } from './passwords.ts'
import { phoneOf } from './phone.ts'
import { authUserOf } from './user.ts'
import { SENT } from './words.ts'

/** Signing in with a password, changing it, and choosing another where it is forgotten. */
export function passwordSignIn(door: Door, parts: AccountParts) {
  const { auth } = parts

  door.act(signIn, async (asked, { body }) => {
    const headers = await passwordSession(auth, asked, body)
    return opened(asked, parts, headers, { returnTo: body.returnTo, way: 'supabase' })
  })

  door.act(recover, async ({ database, session, headers }, { body }) => {
    await countMail(database, session, body.email)
    if (await mayBeWrittenTo(database.requests.kysely, body.email))
      await expected(auth.api.requestPasswordReset({ body: { email: body.email }, headers: bare(headers) }))
    return { message: SENT }
  })

  door.act(resetPassword, async ({ database, session, headers }, { body }) => {
    await countTry(database, LIMITS.signInAddress, session.address)
    await acceptPassword(body.password)
    await expected(
      auth.api.resetPassword({ body: { newPassword: body.password, token: body.token }, headers: bare(headers) }),
    )
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

/** Checks a password, tries counted; gives the headers of better-auth with the new session's cookie. */
export async function passwordSession(
  auth: Auth,
  asked: ActAsked,
  given: { email?: string; phone?: string; password: string },
) {
  const { database, session, headers } = asked
  const who = given.email ?? phoneOf(given.phone!)
  const here = `${session.address} ${who}`
  await countTry(database, LIMITS.signInAddress, session.address)
  await countTry(database, LIMITS.signInHere, here)
  await countTry(database, LIMITS.signInAccount, who)
  const { password } = given
  // better-auth itself takes its time for an address that nobody has, but not for a number.
  if (!given.email && !(await hasPassword(database, who))) await hashPassword(password)
  const answer = given.email
    ? await expected(
        auth.api.signInEmail({ body: { email: given.email, password }, headers: bare(headers), returnHeaders: true }),
      )
    : await expected(
        auth.api.signInPhoneNumber({
          body: { phoneNumber: who, password },
          headers: bare(headers),
          returnHeaders: true,
        }),
      )
  await forgetTries(database, LIMITS.signInHere, here)
  return answer.headers
}

const hasPassword = async (database: Database, phoneNumber: string) =>
  (await database.requests.kysely
    .selectFrom('auth_users as u')
    .innerJoin('auth_accounts as a', 'a.user_id', 'u.id')
    .select('a.id')
    .where('u.phone_number', '=', phoneNumber)
    .where('a.password', 'is not', null)
    .executeTakeFirst()) !== undefined
