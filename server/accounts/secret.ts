import { randomBytes } from 'node:crypto'
import type { Database } from '#server/db/connection.ts'

const NAME = 'cookies'

/**
 * The configured secret, or one that the first node generates and stores in the database, readable only by the login
 * role. A configured one is safer: a copy of the database then completes no second step.
 */
export async function secretOf(database: Database, configured: string | undefined): Promise<string> {
  if (configured) return configured
  const { kysely } = database.background
  await kysely
    .insertInto('auth_secrets')
    .values({ name: NAME, value: randomBytes(32).toString('base64url') })
    .onConflict((c) => c.doNothing())
    .execute()
  const { value } = await kysely
    .selectFrom('auth_secrets')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow()
  return value
}
