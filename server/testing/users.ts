import { randomUUID } from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import { createAccount, type NewAccount } from '#server/accounts/create-account.ts'
import { hashToken } from '#server/accounts/token-hash.ts'
import type { Database } from '#server/db/connection.ts'
import type { UserProfilesTable } from '#server/db/tables-accounts.ts'
import { isScoped, type Role } from '#shared/roles.ts'

let made = 0

/** What an account of this role needs to have an unrestricted scope. */
export const everywhere = (role: Role | undefined) =>
  isScoped(role ?? null) ? { scope_everywhere: true, scope_reason: 'Head office' } : {}

export interface TestUser {
  id: string
  authUserId: string
  email: string
  /** For the header by which a test names the caller. */
  as: string
}

/** An established account: confirmed, active and with unrestricted scope unless the test says otherwise. */
export async function createTestUser(
  database: Database,
  role: Role,
  more: Updateable<UserProfilesTable> & { first_name?: string } = {},
): Promise<TestUser> {
  made += 1
  const { first_name = 'Ana', scope_countries, scope_chapters, ...profile } = more
  const isLimited = Boolean(scope_countries ?? scope_chapters)
  const email = `somebody-${made}-${randomUUID().slice(0, 8)}@example.org`
  const id = (await createAccount(database, {
    ...{ email, first_name, last_name: `Test ${made}`, role },
    ...(isLimited ? { scope_countries, scope_chapters } : everywhere(role)),
  } as NewAccount))!
  const kysely = database.background.kysely
  if (Object.keys(profile).length > 0)
    await kysely.updateTable('user_profiles').set(profile).where('id', '=', id).execute()
  const { auth_user_id } = await kysely
    .selectFrom('user_profiles')
    .select('auth_user_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, authUserId: auth_user_id!, email, as: `${role} ${id}` }
}

/**
 * Waits until every node has processed the changes of access so far. On a busy machine the notification of a user just
 * created would otherwise close a socket that the test has opened since.
 */
export async function accessChangesProcessed(database: Database): Promise<void> {
  const mark = `mark:${randomUUID()}`
  let resolve = () => {}
  const processed = new Promise<void>((done) => (resolve = done))
  // Called after the callbacks of the nodes, which listened earlier; notifications arrive in the order of commits.
  await database.listen('access_changes', (names) => names === mark && resolve())
  await sql`select pg_notify('access_changes', ${mark})`.execute(database.background.kysely)
  await processed
}

/** Creates a session for a user, fully authenticated unless the test says otherwise; returns its token. */
export async function createSession(
  database: Database,
  { authUserId }: TestUser,
  more: { expires_at?: Date; second_factor_at?: Date | null } = {},
): Promise<string> {
  const token = randomUUID().replaceAll('-', '')
  await database.background.kysely
    .insertInto('auth_sessions')
    .values({
      id: randomUUID(),
      user_id: authUserId,
      token: hashToken(token),
      expires_at: new Date(Date.now() + 3_600_000),
      second_factor_at: new Date(),
      user_agent: null,
      ip_address: null,
      ...more,
    })
    .execute()
  return token
}
