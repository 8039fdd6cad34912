import type { Kysely } from 'kysely'
import type { Tables } from '#server/db/tables.ts'
import type { AuthUser } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'

/** The signed-in user as API clients see them (001 §3), always from the profile and never from a provider. */
export async function authUserOf(db: Kysely<Tables>, profileId: string): Promise<AuthUser> {
  const profile = await db.selectFrom('user_profiles').selectAll().where('id', '=', profileId).executeTakeFirst()
  if (!profile) throw new AppError(401, 'no_profile', 'No active authentication session')
  return {
    id: profile.id,
    email: profile.email,
    phone: profile.phone_number,
    aud: 'authenticated',
    role: profile.role,
    user_metadata: { display_name: profile.display_name, role: profile.role },
    app_metadata: { provider: profile.auth_provider },
    profile_status: profile.profile_status,
    email_verified: profile.email_verified,
    created_at: profile.created_at.toISOString(),
  }
}
