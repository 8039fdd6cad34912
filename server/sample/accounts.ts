import { sql } from 'kysely'
import { createAccount } from '../accounts/creating.ts'
import { inBackground } from '../db/claims.ts'
import type { Database } from '../db/connection.ts'
import type { Log } from '../log.ts'
import { writeSetting } from '../settings/settings.ts'

/** One demo login per role; the addresses are on a domain that no mail reaches. */
export const SAMPLE_ACCOUNTS = [
  { role: 'admin', first_name: 'Sample', last_name: 'Admin', email: 'admin@sample.invalid' },
  { role: 'mfa_coordinator', first_name: 'Sample', last_name: 'Coordinator', email: 'mfa@sample.invalid' },
  { role: 'pdos_coordinator', first_name: 'Sample', last_name: 'PDOS Coordinator', email: 'pdos@sample.invalid' },
  { role: 'local_servant', first_name: 'Sample', last_name: 'Servant', email: 'servant@sample.invalid' },
  { role: 'coordinator', first_name: 'Sample', last_name: 'Group Coordinator', email: 'coordinator@sample.invalid' },
  { role: 'member', first_name: 'Sample', last_name: 'Member', email: 'member@sample.invalid' },
  { role: 'traveler', first_name: 'Sample', last_name: 'Traveler', email: 'traveler@sample.invalid' },
] as const

/**
 * Makes the demo logins in a database that has no account yet, with the second step of coordinators switched off so
 * that they are easy to try. A database that has accounts is left alone.
 */
export async function loadSampleAccounts(database: Database, password: string, log: Log): Promise<number> {
  const { rows } = await sql`select from user_profiles limit 1`.execute(database.background.kysely)
  if (rows.length > 0) return 0
  for (const account of SAMPLE_ACCOUNTS)
    await createAccount(database, {
      ...account,
      password,
      country_code: 'PH',
      countries: account.role === 'traveler' ? ['SA', 'JP'] : [],
    })
  await inBackground(database, 'sample', (db) => writeSetting(db, 'accounts.second_factor_for_coordinators', false))
  log.info({ accounts: SAMPLE_ACCOUNTS.length }, 'demo logins made')
  return SAMPLE_ACCOUNTS.length
}
