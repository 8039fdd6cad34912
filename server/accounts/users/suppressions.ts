import type { Selectable } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { UserProfilesTable } from '#server/db/tables-accounts.ts'
import { liftSuppressions, listSuppressions, lockSuppression } from '#server/delivery/suppressions.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { SUPPRESSIBLE_CHANNELS } from '#shared/accounts/users.ts'
import { AppError } from '#shared/errors.ts'

type Addresses = Pick<Selectable<UserProfilesTable>, 'email' | 'phone_number'>
type SuppressibleChannel = (typeof SUPPRESSIBLE_CHANNELS)[number]

/** Suppressed addresses of an account. In a transaction of the service. */
export const suppressionsOf = (db: Db, { email, phone_number: phone }: Addresses) =>
  listSuppressions(db, { email, phone })

/** Lifts the suppression of an address that failed, because an administrator knows that it works. */
export async function removeSuppression(
  db: Db,
  by: SignedIn,
  profile: Addresses & { id: string },
  { channel, reason }: { channel: SuppressibleChannel; reason: string },
): Promise<void> {
  const address = (channel === 'email' ? profile.email : profile.phone_number) ?? ''
  await asPortal(db, async () => {
    const suppression = await lockSuppression(db, channel, address)
    if (!suppression) throw new AppError(404, 'not_stopped', 'Messages to this address are not blocked.')
    if (suppression.reason === 'opted_out' || suppression.reason === 'complained')
      throw new AppError(
        409,
        'stopped_by_owner',
        'The owner of this address stopped our messages. Only the owner can start them again.',
      )
    await liftSuppressions(db, [channel], address)
    await audit(db, by, {
      action: 'user.address_again',
      subject_type: 'user',
      subject_id: profile.id,
      before: { stopped: suppression },
      reason,
    })
  })
}
