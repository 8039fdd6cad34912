import type { Selectable } from 'kysely'
import type { STOPPED_CHANNELS } from '#shared/accounts/users.ts'
import { AppError } from '#shared/errors.ts'
import { audit } from '../../audit/writing.ts'
import { asPortal } from '../../db/claims.ts'
import type { Db } from '../../db/connection.ts'
import type { UserProfilesTable } from '../../db/tables.ts'
import type { SignedIn } from '../../http/session.ts'

type Addresses = Pick<Selectable<UserProfilesTable>, 'email' | 'phone_number'>
type StoppedChannel = (typeof STOPPED_CHANNELS)[number]

const addressOf = ({ email, phone_number }: Addresses, channel: StoppedChannel) =>
  (channel === 'email' ? email : phone_number)?.toLowerCase() ?? null

/** Addresses of an account to which nothing is sent any more. In a transaction of the service. */
export function stoppedOf(db: Db, profile: Addresses) {
  return db
    .selectFrom('stopped_addresses')
    .select(['channel', 'reason', 'since'])
    .where(({ or, and, eb }) =>
      or([
        and([eb('channel', '=', 'email'), eb('address', '=', addressOf(profile, 'email'))]),
        and([eb('channel', 'in', ['sms', 'whatsapp']), eb('address', '=', addressOf(profile, 'sms'))]),
      ]),
    )
    .orderBy('channel')
    .execute()
}

/** Sends again to an address that failed, because an administrator knows that it works. */
export async function clearStoppedAddress(
  db: Db,
  by: SignedIn,
  profile: Addresses & { id: string },
  { channel, reason }: { channel: StoppedChannel; reason: string },
): Promise<void> {
  const address = addressOf(profile, channel)
  await asPortal(db, async () => {
    const stopped = await db
      .selectFrom('stopped_addresses')
      .select(['channel', 'reason'])
      .where('channel', '=', channel)
      .where('address', '=', address)
      .forUpdate()
      .executeTakeFirst()
    if (!stopped) throw new AppError(404, 'not_stopped', 'Messages to this address are not stopped.')
    if (stopped.reason === 'opted_out' || stopped.reason === 'complained')
      throw new AppError(
        409,
        'stopped_by_owner',
        'The owner of this address asked for no more messages. Only the owner can start them again.',
      )
    await db.deleteFrom('stopped_addresses').where('channel', '=', channel).where('address', '=', address).execute()
    await audit(db, by, {
      action: 'user.address_again',
      subject_type: 'user',
      subject_id: profile.id,
      before: { stopped },
      reason,
    })
  })
}
