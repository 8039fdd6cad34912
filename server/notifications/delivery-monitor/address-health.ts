import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { findSuppression, liftSuppressions } from '#server/delivery/suppressions.ts'
import type { SignedIn } from '#server/http/session.ts'
import { firstOf } from '#shared/assert.ts'
import type { AddressHealth, Preferences } from '#shared/notifications/preferences.ts'

interface Profile {
  id: string
  email: string
  email_verified: boolean
  phone_number: string | null
  phone_verified: boolean
}

/**
 * Whether messages reach a user. Read as the portal, since users cannot read messages and suppressions; returns only
 * what concerns this user.
 */
export function healthOf(db: Db, profile: Profile): Promise<Pick<Preferences, 'email' | 'phone' | 'browsers'>> {
  return asPortal(db, async () => {
    const { email, phone_number: phone } = profile
    const { browsers } = await db
      .selectFrom('push_subscriptions')
      .select((e) => e.fn.countAll<number>().as('browsers'))
      .where('user_id', '=', profile.id)
      .executeTakeFirstOrThrow()
    return {
      email: await addressHealth(db, profile.id, 'email', email, profile.email_verified),
      phone: phone === null ? null : await addressHealth(db, profile.id, 'sms', phone, profile.phone_verified),
      browsers,
    }
  })
}

type Channel = 'email' | 'sms'

/** The audit action that last changed an address: earlier deliveries say nothing about the new one. */
const CHANGED_BY: Record<Channel, string> = { email: 'user.email', sms: 'user.phone' }

async function addressHealth(
  db: Db,
  userId: string,
  channel: Channel,
  address: string,
  is_confirmed: boolean,
): Promise<AddressHealth> {
  const suppression = await findSuppression(db, channel, address)
  const { rows } = await sql<{ at: Date | null }>`
    select max(delivered_at) as at from messages
    where user_id = ${userId} and channel = ${channel} and delivered_at > coalesce((
      select max(at) from audit_log
      where subject_type = 'user' and subject_id = ${userId} and action = ${CHANGED_BY[channel]}), '-infinity')
      and coalesce(recipient, ${address}) = ${address}`.execute(db)
  return {
    address,
    is_confirmed,
    stopped: suppression ? { reason: suppression.reason, since: suppression.created_at.toISOString() } : null,
    worked_at: firstOf(rows).at?.toISOString() ?? null,
  }
}

/** Lifts a suppression after the user confirmed that the address works, until it bounces again. */
export async function liftOwnSuppressions(db: Db, user: SignedIn, channel: Channel): Promise<void> {
  const profile = await db
    .selectFrom('user_profiles')
    .select(['email', 'phone_number'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  const address = channel === 'email' ? profile.email : profile.phone_number
  if (!address) return
  await asPortal(db, async () => {
    const suppressions = await liftSuppressions(db, channel === 'email' ? ['email'] : ['sms', 'whatsapp'], address)
    if (suppressions.length > 0)
      await audit(db, user, {
        action: 'account.address_again',
        subject_type: 'user',
        subject_id: user.id,
        before: { stopped: suppressions },
      })
  })
}
