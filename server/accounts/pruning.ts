import { sql } from 'kysely'
import type { Database } from '../db/connection.ts'

/** Forgets sessions that are over, changes that can no longer be undone, codes and links that nobody used, and tries that no longer count. */
export async function pruneAccounts({ background: { kysely } }: Database): Promise<void> {
  await kysely.deleteFrom('auth_sessions').where('expires_at', '<', sql<Date>`now()`).execute()
  await sql`delete from auth_verifications where expires_at < now() - interval '1 day'`.execute(kysely)
  await kysely.deleteFrom('sign_in_changes').where('expires_at', '<', sql<Date>`now()`).execute()
  await kysely.deleteFrom('rate_limits').where('resets_at', '<', sql<Date>`now()`).execute()
}
