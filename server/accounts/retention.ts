import { sql } from 'kysely'
import type { Database } from '#server/db/connection.ts'
import { DEVICE_DAYS, NETWORK_DAYS } from './sign-ins/callers.ts'
import { RETENTION_DAYS } from './sign-ins/failures.ts'

/**
 * Deletes expired sessions, codes and links, changes that can no longer be undone, known devices and networks, and
 * failed sign-ins that no longer count.
 */
export async function pruneAccounts({ background: { kysely } }: Database): Promise<void> {
  await kysely.deleteFrom('auth_sessions').where('expires_at', '<', sql<Date>`now()`).execute()
  await sql`delete from auth_verifications where expires_at < now() - interval '1 day'`.execute(kysely)
  await kysely.deleteFrom('sign_in_changes').where('expires_at', '<', sql<Date>`now()`).execute()
  await sql`delete from auth_mails where coalesce(expires_at, last_sent_at) < now() - interval '1 hour'
    and counted_since < now() - interval '1 hour'`.execute(kysely)
  await sql`delete from auth_networks where last_used_at < now() - make_interval(days => ${NETWORK_DAYS})`.execute(
    kysely,
  )
  await sql`delete from auth_devices where last_used_at < now() - make_interval(days => ${DEVICE_DAYS})`.execute(kysely)
  await sql`delete from sign_in_failures where at < now() - make_interval(days => ${RETENTION_DAYS})`.execute(kysely)
  await kysely.deleteFrom('rate_limits').where('resets_at', '<', sql<Date>`now()`).execute()
}
