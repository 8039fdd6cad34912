import { randomBytes, randomUUID } from 'node:crypto'
import { AppError } from '#shared/errors.ts'
import type { Role } from '#shared/roles.ts'
import { audit } from '../../audit/writing.ts'
import { asPortal } from '../../db/claims.ts'
import type { Database, Db } from '../../db/connection.ts'
import type { SignedIn } from '../../http/session.ts'
import { queueMessage } from '../../messages/outgoing.ts'
import { countTry, LIMITS } from '../limits.ts'
import { hashToken } from '../token-hash.ts'
import { canGetMail, readsIn, type TellingParts, type Told } from './telling.ts'

const RECOVERY_SECONDS = 3600

/**
 * A link with which a person chooses a password, once and within the hour. It is what better-auth keeps for one that the
 * person asked for herself, written here so that it commits together with what it is for. `db` is of the login role.
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

/** Sends a person the link to choose a new password, because an administrator asked for it. */
export async function sendRecovery(
  database: Database,
  by: SignedIn,
  person: Told & { auth_user_id: string | null; profile_status: string },
  parts: TellingParts,
): Promise<void> {
  if (!canGetMail(person) || !person.auth_user_id)
    throw new AppError(
      409,
      'no_address',
      'The portal knows no address of this person. They sign in with the member hub.',
    )
  if (person.profile_status === 'suspended')
    throw new AppError(409, 'suspended', 'This account is suspended. Reactivate it first.')
  await countTry(database, LIMITS.mailAccount, person.email)
  const { auth_user_id } = person
  await database.requests.kysely.transaction().execute(async (db) => {
    const link = await recoveryLink(db, auth_user_id, parts.publicUrl)
    await asPortal(db, async () => {
      await mailLink(db, person, parts, { template: 'reset-password', link })
      await audit(db, by, { action: 'user.recover', subject_type: 'user', subject_id: person.id })
    })
  })
}

export function mailLink(
  db: Db,
  person: Told,
  parts: TellingParts,
  what: { template: 'reset-password'; link: string } | { template: 'account-created'; link: string; role: Role },
): Promise<void> {
  const { template, ...values } = what
  return queueMessage(db, {
    // The link is new each time, and so is the message.
    key: `${template} ${randomUUID()}`,
    channel: 'email',
    to: person.email,
    userId: person.id,
    template,
    language: readsIn(person),
    values: { ...values, brand: parts.brand(), name: person.display_name } as never,
    isSecret: true,
  })
}
