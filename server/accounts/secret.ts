import { randomBytes } from 'node:crypto'
import type { Database } from '#server/db/connection.ts'

const NAME = 'cookies'

/**
 * The configured secret, or one that the first node makes and keeps in the database, where only the login role reads
 * it. A configured one is better: a copy of the database then opens no second step.
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
