import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { asPortal } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { queueMessage } from '#server/delivery/outbox.ts'
import type { ActionContext } from '#server/http/router.ts'
import { AppError } from '#shared/errors.ts'
import { releaseAddress } from './addresses.ts'
import type { AccountMail } from './auth.ts'
import { requireFresh } from './own/freshness.ts'
import { applySignInChange, type Owner, type SignInChangeDeps } from './sign-in-changes.ts'
import { hashToken } from './token-hash.ts'
import { forgetLinks } from './undo-sign-in-change.ts'

const DAY_SECONDS = 24 * 3600
const BEGINNING = 'change-'

export const isEmailChange = (token: string): boolean => token.startsWith(BEGINNING)

/**
 * Mails a confirmation link to a new address. An address that belongs to another account gets a notice instead; the
 * response is the same in both cases.
 */
export async function beginEmailChange(
  database: Database,
  mail: AccountMail,
  userId: string,
  email: string,
  /** Session that requested the change; absent when nobody is signed in yet. */
  sessionId?: string,
): Promise<void> {
  const kysely = database.requests.kysely
  const user = await kysely.selectFrom('auth_users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  if (user.email === email && user.email_verified)
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
      fields: { email: 'This is already your email address.' },
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
      value: JSON.stringify({ userId, email, sessionId }),
      expires_at: sql<Date>`now() + make_interval(secs => ${DAY_SECONDS})`,
    })
    .execute()
  await mail.changeEmail({ userId, email }, token)
}

/**
 * Confirms a new address in a browser where the user is signed in: a typo in an address must not hand the account to
 * the reader of that mailbox. The requesting session was fresh then; any other must be.
 */
export async function finishEmailChange(
  { database, session }: Pick<ActionContext, 'database' | 'session'>,
  deps: SignInChangeDeps & { madeUpDomain: string },
  token: string,
): Promise<void> {
  const pending = await findPending(database.requests.kysely, token)
  if (!session.authUserId || session.authUserId !== pending.userId || !session.user)
    throw new AppError(401, 'sign_in', 'Please sign in, then open the link in the email again.')
  if (pending.sessionId !== session.id) await requireFresh(database, session)
  await applySignInChange(database, session.authUserId, deps, async (db, owner) => {
    const { email } = await findPending(db, token, 'lock')
    if (owner.email !== email) await releaseAddress(db, email, deps.madeUpDomain)
    const isTaken = await db
      .selectFrom('auth_users')
      .select('id')
      .where('email', '=', email)
      .where('id', '!=', owner.id)
      .executeTakeFirst()
    if (isTaken) throw addressTaken()
    // Also voids the links in the former mailbox.
    await forgetLinks(db, owner.id)
    await db
      .updateTable('auth_users')
      .set({ email, email_verified: true, updated_at: new Date() })
      .where('id', '=', owner.id)
      .execute()
      .catch((error: { code?: string }) => {
        // Another account took it after the check above.
        throw error.code === UNIQUE_VIOLATION ? addressTaken() : error
      })
    if (owner.email_verified) await notifyNewAddress(db, owner, email, deps)
    const former = { email: owner.email, email_verified: owner.email_verified, email_since: owner.email_since }
    const audit = { action: 'user.email' as const, before: { email: owner.email }, after: { email } }
    return { change: { kind: 'email_changed', former, audit }, result: undefined }
  })
}

const UNIQUE_VIOLATION = '23505'
const addressTaken = () => new AppError(409, 'email_taken', 'Another account uses this email address.')

/** Sent where the former address was confirmed: a placeholder address has no owner to notify. */
const notifyNewAddress = (db: Db, { profile, language }: Owner, email: string, deps: SignInChangeDeps) =>
  asPortal(db, () =>
    queueMessage(db, {
      key: `email-changed ${randomUUID()}`,
      channel: 'email',
      to: email,
      userId: profile.id,
      template: 'email-changed',
      language,
      values: { brand: deps.brand(), email },
    }),
  )

/** The change that a link confirms; of two concurrent uses only one finds it. */
async function findPending(db: Db, token: string, lock?: 'lock') {
  const query = db
    .selectFrom('auth_verifications')
    .select('value')
    .where('identifier', '=', identifierOf(token))
    .where('expires_at', '>', sql<Date>`now()`)
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (!row) throw new AppError(400, 'invalid_token', 'This link is no longer valid. Request a new one.')
  return JSON.parse(row.value) as { userId: string; email: string; sessionId?: string }
}

const identifierOf = (token: string) => `email ${hashToken(token)}`
