import { randomUUID } from 'node:crypto'
import type { Database, Db } from '#server/db/connection.ts'
import type { RegistrationMethod } from '#shared/accounts/profile.ts'
import type { Language } from '#shared/language.ts'
import type { Role } from '#shared/roles.ts'
import { hashPassword } from './password-rules.ts'

export interface NewAccount {
  email: string
  first_name: string
  last_name: string
  role: Role
  /** Absent: the user chooses one with the recovery mail. */
  password?: string
  preferred_language?: Language
  country_code?: string | null
  countries?: string[]
  scope_countries?: string[] | null
  scope_chapters?: string[] | null
  scope_everywhere?: boolean
  scope_reason?: string | null
  registration_method?: RegistrationMethod
}

export interface MadeAccount {
  authUserId: string
  profileId: string
  email: string
}

/**
 * Creates an account with a confirmed address, and its profile, in one transaction of the login role, together with
 * whatever `also` writes (audit entry, message). Returns the profile's id, or null when the address already has an
 * account.
 */
export async function createAccount(
  database: Database,
  account: NewAccount,
  also?: (db: Db, made: MadeAccount) => Promise<void>,
): Promise<string | null> {
  const email = account.email.trim().toLowerCase()
  const id = randomUUID()
  const password = account.password === undefined ? undefined : await hashPassword(account.password)
  return database.background.kysely.transaction().execute(async (db) => {
    const made = await db
      .insertInto('auth_users')
      .values({
        id,
        name: `${account.first_name} ${account.last_name}`.trim(),
        email,
        email_verified: true,
        phone_number: null,
        two_factor_enabled: false,
        registration: JSON.stringify({
          first_name: account.first_name,
          last_name: account.last_name,
          preferred_language: account.preferred_language ?? 'en',
          country_code: account.country_code ?? undefined,
          registration_method: account.registration_method ?? 'admin_created',
        }),
      })
      .onConflict((c) => c.column('email').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) return null
    if (password)
      await db
        .insertInto('auth_accounts')
        .values({ id: randomUUID(), user_id: id, provider_id: 'credential', account_id: id, password })
        .execute()
    const profile = await db
      .updateTable('user_profiles')
      .set({
        role: account.role,
        profile_status: 'active',
        countries: account.countries ?? [],
        scope_countries: account.scope_countries ?? null,
        scope_chapters: account.scope_chapters ?? null,
        scope_everywhere: account.scope_everywhere ?? false,
        scope_reason: account.scope_reason ?? null,
      })
      .where('auth_user_id', '=', id)
      .returning('id')
      .executeTakeFirstOrThrow()
    await also?.(db, { authUserId: id, profileId: profile.id, email })
    return profile.id
  })
}
