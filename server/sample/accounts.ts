import { sql } from 'kysely'
import { createAccount, type NewAccount } from '#server/accounts/create-account.ts'
import { verifyPassword } from '#server/accounts/password-rules.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { isLoopback } from '#server/delivery/channels.ts'
import type { Settings } from '#server/env.ts'
import type { Log } from '#server/log.ts'
import { writeSetting } from '#server/settings/settings.ts'

/** One demo login per role; their addresses use an undeliverable domain. */
export const SAMPLE_ACCOUNTS = [
  { role: 'admin', first_name: 'Sample', last_name: 'Admin', email: 'admin@sample.invalid' },
  {
    ...{ role: 'mfa_coordinator', first_name: 'Sample', last_name: 'Coordinator', email: 'mfa@sample.invalid' },
    ...{ scope_everywhere: true, scope_reason: 'Sample: shows every country' },
  },
  {
    ...{ role: 'pdos_coordinator', first_name: 'Sample', last_name: 'PDOS Coordinator', email: 'pdos@sample.invalid' },
    scope_countries: ['PH'],
  },
  {
    ...{ role: 'local_servant', first_name: 'Sample', last_name: 'Servant', email: 'servant@sample.invalid' },
    scope_countries: ['PH', 'SA', 'JP'],
  },
  { role: 'coordinator', first_name: 'Sample', last_name: 'Group Coordinator', email: 'coordinator@sample.invalid' },
  { role: 'member', first_name: 'Sample', last_name: 'Member', email: 'member@sample.invalid' },
  { role: 'traveler', first_name: 'Sample', last_name: 'Traveler', email: 'traveler@sample.invalid' },
] as const satisfies readonly Omit<NewAccount, 'password'>[]

/** Published in the README, so it protects nothing: used only where nobody else can connect. */
const KNOWN_PASSWORD = 'portal-sample'

type Where = Pick<Settings, 'samplePassword' | 'host' | 'publicUrl' | 'trustedProxies'>

/**
 * Creates the demo logins in a database without accounts, and switches off the second factor of coordinators to make
 * them easy to try. Does nothing if accounts exist. If others can reach the portal, the password must be set first.
 */
export async function loadSampleAccounts(database: Database, where: Where, log: Log): Promise<number | 'no password'> {
  const { rows } = await sql`select from user_profiles limit 1`.execute(database.background.kysely)
  if (rows.length > 0) {
    await warnOfKnownPassword(database, where, log)
    return 0
  }
  const password = where.samplePassword ?? (isReachable(where) ? undefined : KNOWN_PASSWORD)
  if (password === undefined) {
    log.warn(
      { host: where.host, address: where.publicUrl },
      'no demo logins: others can reach this portal, and SAMPLE_PASSWORD is not set. Set it, or make an administrator with: npm run portal -- admin:create',
    )
    return 'no password'
  }
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

const isReachable = ({ host, publicUrl, trustedProxies }: Where) =>
  !isLoopback(host) || !isLoopback(new URL(publicUrl).hostname) || trustedProxies > 0

/** Warns if others can connect: the demo logins may have been created when nobody could. */
export async function warnOfKnownPassword(database: Database, where: Where, log: Log): Promise<void> {
  if (!isReachable(where)) return
  const account = await database.background.kysely
    .selectFrom('auth_users as u')
    .innerJoin('auth_accounts as a', 'a.user_id', 'u.id')
    .select(['u.email', 'a.password'])
    .where('u.email', '=', SAMPLE_ACCOUNTS[0].email)
    .where('a.provider_id', '=', 'credential')
    .executeTakeFirst()
  if (account?.password && (await verifyPassword({ hash: account.password, password: KNOWN_PASSWORD })))
    log.error(
      { login: account.email },
      'others can reach this portal, and its demo logins have the password of the README: delete the data directory, or suspend them',
    )
}
