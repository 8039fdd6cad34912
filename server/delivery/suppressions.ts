import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { SuppressionsTable } from '#server/db/tables-delivery.ts'

export type SuppressedChannel = SuppressionsTable['channel']
export type SuppressionReason = SuppressionsTable['reason']

/** SQL: joins the suppression `x` of an address on a channel. */
export const joinSuppression = (channel: RawBuilder<unknown>, address: RawBuilder<unknown>) =>
  sql`left join suppressions x on x.channel = ${channel} and x.address = lower(${address})`

/**
 * SQL statement that suppresses the addresses of `rows`, a relation with the columns channel, recipient, reason and
 * detail. An earlier suppression stays; push has no addresses.
 */
export const suppressRecipients = (rows: RawBuilder<unknown>) => sql`
  insert into suppressions (channel, address, reason, detail)
  select distinct on (channel, lower(recipient)) channel, lower(recipient), reason, detail
  from ${rows} r where reason is not null and channel <> 'push' and recipient is not null
  on conflict do nothing`

/** Suppresses one address. Idempotent: an earlier suppression stays. */
export async function suppress(
  db: Db,
  { channel, address, reason }: { channel: SuppressedChannel; address: string; reason: SuppressionReason },
): Promise<void> {
  await db
    .insertInto('suppressions')
    .values({ channel, address, reason, detail: null })
    .onConflict((c) => c.doNothing())
    .execute()
}

/** The suppression of an address on a channel, if any. */
export function findSuppression(db: Db, channel: SuppressedChannel, address: string) {
  return db
    .selectFrom('suppressions')
    .select(['reason', 'created_at'])
    .where('channel', '=', channel)
    .where('address', '=', address.toLowerCase())
    .executeTakeFirst()
}

/** The same, locked until the end of the transaction. */
export function lockSuppression(db: Db, channel: SuppressedChannel, address: string) {
  return db
    .selectFrom('suppressions')
    .select(['channel', 'reason'])
    .where('channel', '=', channel)
    .where('address', '=', address.toLowerCase())
    .forUpdate()
    .executeTakeFirst()
}

/** The suppressions of a user's addresses, by channel. */
export function listSuppressions(db: Db, { email, phone }: { email: string; phone: string | null }) {
  return db
    .selectFrom('suppressions')
    .select(['channel', 'reason', 'created_at as since'])
    .where(({ or, and, eb }) =>
      or([
        and([eb('channel', '=', 'email'), eb('address', '=', email.toLowerCase())]),
        and([eb('channel', 'in', ['sms', 'whatsapp']), eb('address', '=', phone?.toLowerCase() ?? null)]),
      ]),
    )
    .orderBy('channel')
    .execute()
}

/** Deletes what is stored about these addresses, since their owner's account is erased. */
export async function forgetSuppressions(db: Db, addresses: readonly string[]): Promise<void> {
  await db
    .deleteFrom('suppressions')
    .where(
      'address',
      'in',
      addresses.map((address) => address.toLowerCase()),
    )
    .execute()
}

/** Lifts suppressions of an address, all or those with one reason, and returns them. */
export function liftSuppressions(
  db: Db,
  channels: readonly SuppressedChannel[],
  address: string,
  reason?: SuppressionReason,
): Promise<{ channel: SuppressedChannel; reason: SuppressionReason }[]> {
  return db
    .deleteFrom('suppressions')
    .where('channel', 'in', channels)
    .where('address', '=', address.toLowerCase())
    .$if(reason !== undefined, (query) => query.where('reason', '=', reason as SuppressionReason))
    .returning(['channel', 'reason'])
    .execute()
}

/** Those of these numbers whose owners have opted out of text messages. */
export async function findOptedOut(db: Db, numbers: readonly string[]): Promise<string[]> {
  if (numbers.length === 0) return []
  const rows = await db
    .selectFrom('suppressions')
    .select('address')
    .where('channel', '=', 'sms')
    .where('reason', '=', 'opted_out')
    .where('address', 'in', numbers)
    .execute()
  return rows.map(({ address }) => address)
}
