import { randomBytes, randomUUID } from 'node:crypto'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { queueMessage } from '#server/delivery/outbox.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AppError } from '#shared/errors.ts'
import type { Role } from '#shared/roles.ts'
import { countTry, LIMITS } from '../limits.ts'
import { hashToken } from '../token-hash.ts'
import { canGetMail, type NotifyDeps, type Recipient, readsIn } from './notifications.ts'

const RECOVERY_SECONDS = 3600

/**
 * A link to choose a password, single use, valid for an hour. Stored like better-auth's own, but written here so that
 * it commits together with the change it belongs to. `db` is of the login role.
 */
export async function recoveryLink(db: Db, authUserId: string, publicUrl: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await db
    .insertInto('auth_verifications')
    .values({
      id: randomBytes(16).toString('hex'),
      identifier: hashToken(`reset-password:${token}`),
      value: authUserId,
      expires_at: new Date(Date.now() + RECOVERY_SECONDS * 1000),
    })
    .execute()
  return `${publicUrl}/reset-password?${new URLSearchParams({ token })}`
}

/** Mails a user the link to choose a new password, at an administrator's request. */
export async function sendRecovery(
  database: Database,
  by: SignedIn,
  recipient: Recipient & { auth_user_id: string | null; profile_status: string },
  deps: NotifyDeps,
): Promise<void> {
  if (!canGetMail(recipient) || !recipient.auth_user_id)
    throw new AppError(409, 'no_address', 'This person has no email address here and signs in with MCGI Hub.')
  if (recipient.profile_status === 'suspended')
    throw new AppError(409, 'suspended', 'This account is suspended. Reactivate it first.')
  await countTry(database, LIMITS.mailAccount, recipient.email)
  const { auth_user_id } = recipient
  await database.requests.kysely.transaction().execute(async (db) => {
    const link = await recoveryLink(db, auth_user_id, deps.publicUrl)
    await asPortal(db, async () => {
      await mailLink(db, recipient, deps, { template: 'reset-password', link })
      await audit(db, by, { action: 'user.recover', subject_type: 'user', subject_id: recipient.id })
    })
  })
}

export function mailLink(
  db: Db,
  recipient: Recipient,
  deps: NotifyDeps,
  what: { template: 'reset-password'; link: string } | { template: 'account-created'; link: string; role: Role },
): Promise<void> {
  const { template, ...values } = what
  return queueMessage(db, {
    // The link is new each time, and so is the message.
    key: `${template} ${randomUUID()}`,
    channel: 'email',
    to: recipient.email,
    userId: recipient.id,
    template,
    language: readsIn(recipient),
    values: { ...values, brand: deps.brand(), name: recipient.display_name } as never,
    isSecret: true,
  })
}
