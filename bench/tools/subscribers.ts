import { createECDH, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/connection.ts'

/** Fills a database with users who subscribe to every advisory by mail, by push and in the inbox. */
export async function seedReaders(database: Database, readers: number, pushPort: number): Promise<void> {
  const { kysely } = database.background
  const ecdh = createECDH('prime256v1')
  const key = ecdh.generateKeys().toString('base64url')
  const auth = randomBytes(16).toString('base64url')
  await sql`
    insert into user_profiles (email, email_verified, display_name, profile_status, preferred_language)
    select 'reader' || n || '@example.org', true, 'Reader ' || n, 'active', case n % 4 when 0 then 'ar' else 'en' end
    from generate_series(1, ${readers}::int) n`.execute(kysely)
  // Its check counts the user's existing rows for each insert; here every user is new.
  await sql`alter table advisory_subscriptions disable trigger limit_subscriptions`.execute(kysely)
  await sql`
    insert into advisory_subscriptions (user_id, channels, language, severity_levels)
    select id, '{in-app,email,push}', preferred_language, '{emergency}' from user_profiles where email like 'reader%'`.execute(
    kysely,
  )
  await sql`alter table advisory_subscriptions enable trigger limit_subscriptions`.execute(kysely)
  await sql`
    insert into push_subscriptions (user_id, endpoint, p256dh, auth)
    select id, ${`http://127.0.0.1:${pushPort}/`} || id, ${key}, ${auth} from user_profiles where email like 'reader%'`.execute(
    kysely,
  )
  await sql`vacuum analyze`.execute(kysely)
}
