import type { Selectable } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { UserProfilesTable } from '#server/db/tables.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { SUPPRESSIBLE_CHANNELS } from '#shared/accounts/users.ts'
import { AppError } from '#shared/errors.ts'

type Addresses = Pick<Selectable<UserProfilesTable>, 'email' | 'phone_number'>
type SuppressibleChannel = (typeof SUPPRESSIBLE_CHANNELS)[number]

const addressOf = ({ email, phone_number }: Addresses, channel: SuppressibleChannel) =>
  (channel === 'email' ? email : phone_number)?.toLowerCase() ?? null

/** Suppressed addresses of an account. In a transaction of the service. */
export function suppressionsOf(db: Db, profile: Addresses) {
  return db
    .selectFrom('suppressions')
    .select(['channel', 'reason', 'created_at as since'])
    .where(({ or, and, eb }) =>
      or([
        and([eb('channel', '=', 'email'), eb('address', '=', addressOf(profile, 'email'))]),
        and([eb('channel', 'in', ['sms', 'whatsapp']), eb('address', '=', addressOf(profile, 'sms'))]),
      ]),
    )
    .orderBy('channel')
    .execute()
}

/** Lifts the suppression of an address that failed, because an administrator knows that it works. */
export async function removeSuppression(
  db: Db,
  by: SignedIn,
  profile: Addresses & { id: string },
  { channel, reason }: { channel: SuppressibleChannel; reason: string },
): Promise<void> {
  const address = addressOf(profile, channel)
  await asPortal(db, async () => {
    const suppression = await db
      .selectFrom('suppressions')
      .select(['channel', 'reason'])
      .where('channel', '=', channel)
      .where('address', '=', address)
      .forUpdate()
      .executeTakeFirst()
    if (!suppression) throw new AppError(404, 'not_stopped', 'Messages to this address are not blocked.')
    if (suppression.reason === 'opted_out' || suppression.reason === 'complained')
      throw new AppError(
        409,
        'stopped_by_owner',
        'The owner of this address stopped our messages. Only the owner can start them again.',
      )
    await db.deleteFrom('suppressions').where('channel', '=', channel).where('address', '=', address).execute()
    await audit(db, by, {
      action: 'user.address_again',
      subject_type: 'user',
      subject_id: profile.id,
      before: { stopped: suppression },
      reason,
    })
  })
}
