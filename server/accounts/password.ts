import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { changePassword, recover, resetPassword, signIn } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { Database, Db } from '../db/connection.ts'
import type { ActAsked, Door } from '../http/door.ts'
import { mayBeWrittenTo } from './addresses.ts'
import type { Auth } from './auth.ts'
import type { AccountParts } from './endpoints.ts'
import { countMail, countTry, forgetTries, LIMITS } from './limits.ts'
import { bare, expected, opened } from './opened.ts'
import { findPassword } from './own/freshness.ts'
import { acceptPassword, hashPassword } from './passwords.ts'
import { phoneOf } from './phone.ts'
import { applySignInChange, changeSignIn } from './sign-in-changes.ts'
import { hashToken } from './token-hash.ts'
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

  door.act(resetPassword, async ({ database, session }, { body }) => {
    await countTry(database, LIMITS.signInAddress, session.address)
    const owner = await ownerOfLink(database.requests.kysely, body.token)
    await acceptPassword(body.password)
    const password = await hashPassword(body.password)
    await applySignInChange(database, owner, parts, async (db, { email_since }) => {
      await ownerOfLink(db, body.token, 'take')
      await db.deleteFrom('auth_sessions').where('user_id', '=', owner).execute()
      const kind = await writePassword(db, owner, password)
      // The mailbox vouched for it: the password confirms what the mailbox would.
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
    return { message: 'Your password is changed. You are signed out everywhere; sign in with the new one.' }
  })

  door.act(changePassword, async (asked, { body }) => {
    const { database, session } = asked
    await countTry(database, LIMITS.signInAccount, session.user!.id)
    const user = await authUserOf(database.requests.kysely, session.user!.id)
    await acceptPassword(body.password, [user.user_metadata.display_name, user.email])
    if (body.current_password === undefined && (await findPassword(database, session.authUserId)))
      throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
        fields: { current_password: 'This field is required' },
      })
    const password = await hashPassword(body.password)
    await changeSignIn(
      asked,
      parts,
      async (db, owner) => {
        const kind = await writePassword(db, owner.id, password)
        await db.deleteFrom('auth_sessions').where('user_id', '=', owner.id).where('id', '!=', session.id!).execute()
        return { change: { kind, former: {}, audit: { action: 'user.password' } }, result: undefined }
      },
      body.current_password,
    )
    return { message: 'Your password is changed. Your other sessions were ended.' }
  })
}

/** The account of a link to choose a password; to `take` it is to use it up. */
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
  if (!row) throw new AppError(400, 'invalid_token', 'This link is not valid any more. Ask for a new one.')
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
