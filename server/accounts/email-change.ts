import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Database } from '../db/connection.ts'
import type { ActAsked } from '../http/door.ts'
import { releaseAddress } from './addresses.ts'
import { auditOwn } from './audit.ts'
import type { AccountMail } from './auth.ts'

const DAY_SECONDS = 24 * 3600
const BEGINNING = 'change-'

export const isEmailChange = (token: string): boolean => token.startsWith(BEGINNING)

/**
 * Asks the owner of a new address whether it is hers. An address of another account gets no link but a word that it has
 * one; who asked hears the same in both cases.
 */
export async function beginEmailChange(
  database: Database,
  mail: AccountMail,
  userId: string,
  email: string,
): Promise<void> {
  const kysely = database.requests.kysely
  const user = await kysely.selectFrom('auth_users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  if (user.email === email && user.email_verified)
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
      fields: { email: 'This is your address already.' },
    })
  const other = await kysely
    .selectFrom('auth_users')
    .select(['id', 'email_verified'])
    .where('email', '=', email)
    .where('id', '!=', userId)
    .executeTakeFirst()
  if (other?.email_verified) return mail.alreadyRegistered({ userId: other.id, email })
  const token = `${BEGINNING}${randomBytes(32).toString('base64url')}`
  await kysely
    .insertInto('auth_verifications')
    .values({
      id: randomUUID(),
      identifier: identifierOf(token),
      value: JSON.stringify({ userId, email }),
      expires_at: sql<Date>`now() + make_interval(secs => ${DAY_SECONDS})`,
    })
    .execute()
  await mail.changeEmail({ userId, email }, token)
}

/**
 * Takes the link that was sent to the new address, in a browser where the person is signed in: a slip in an address must
 * not hand the account to whoever reads the mail there.
 */
export async function finishEmailChange(
  { database, session }: Pick<ActAsked, 'database' | 'session'>,
  { mail, madeUpDomain }: { mail: AccountMail; madeUpDomain: string },
  token: string,
): Promise<void> {
  const left = await database.requests.kysely.transaction().execute(async (db) => {
    const row = await db
      .selectFrom('auth_verifications')
      .select('value')
      .where('identifier', '=', identifierOf(token))
      .where('expires_at', '>', sql<Date>`now()`)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new AppError(400, 'invalid_token', 'This link is not valid any more. Ask for a new one.')
    const { userId, email } = JSON.parse(row.value) as { userId: string; email: string }
    if (!session.user || session.authUserId !== userId)
      throw new AppError(401, 'sign_in', 'Please sign in, then open the link in the mail once more.')
    const { email: before, email_verified } = await db
      .selectFrom('auth_users')
      .select(['email', 'email_verified'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    if (before !== email) await releaseAddress(db, email, madeUpDomain)
    const isTaken = await db
      .selectFrom('auth_users')
      .select('id')
      .where('email', '=', email)
      .where('id', '!=', userId)
      .executeTakeFirst()
    if (isTaken) throw new AppError(409, 'email_taken', 'This address belongs to another account.')
    await db.deleteFrom('auth_verifications').where('identifier', '=', identifierOf(token)).execute()
    await db
      .updateTable('auth_users')
      .set({ email, email_verified: true, updated_at: new Date() })
      .where('id', '=', userId)
      .execute()
    await auditOwn(db, session, 'user.email', { before: { email: before }, after: { email } })
    return email_verified ? { userId, before, email } : undefined
  })
  if (left) await mail.emailChanged({ userId: left.userId, email: left.before }, left.email)
}

const identifierOf = (token: string) => `email ${createHash('sha256').update(token).digest('base64url')}`
