import type { Db } from '#server/db/connection.ts'
import { AppError } from '#shared/errors.ts'
import type { PROFILE_FIELDS } from '#shared/overview/endpoints.ts'

type Profile = Awaited<ReturnType<typeof findOwnProfile>>

export async function findOwnProfile(db: Db, me: string) {
  const profile = await db
    .selectFrom('user_profiles')
    .select(['display_name', 'email', 'email_verified', 'country_code', 'countries'])
    .select(['phone_number', 'emergency_contact', 'preferences'])
    .where('id', '=', me)
    .executeTakeFirst()
  if (!profile) throw new AppError(404, 'no_profile', 'Profile not found.')
  return profile
}

/** Country of residence, then travel destinations, without duplicates (D-10). */
export const ownCountries = ({ country_code, countries }: Pick<Profile, 'country_code' | 'countries'>): string[] => [
  ...new Set([...(country_code ? [country_code] : []), ...countries]),
]

/** Missing profile fields that a helper would need. */
export function missingFields(
  profile: Pick<Profile, 'country_code' | 'countries' | 'phone_number' | 'emergency_contact'>,
): (typeof PROFILE_FIELDS)[number][] {
  const { name, phone } = profile.emergency_contact
  const isThere = {
    country_code: profile.country_code !== null,
    countries: profile.countries.length > 0,
    phone_number: profile.phone_number !== null,
    emergency_contact: Boolean(name && phone),
  }
  return (Object.keys(isThere) as (keyof typeof isThere)[]).filter((field) => !isThere[field])
}

export async function findAcknowledgments(db: Db, me: string, advisoryIds: string[]) {
  if (advisoryIds.length === 0) return []
  const rows = await db
    .selectFrom('advisory_acknowledgments')
    .select(['advisory_id', 'version', 'acknowledged_at'])
    .where('user_id', '=', me)
    .where('advisory_id', 'in', [...new Set(advisoryIds)])
    .execute()
  return rows.map((row) => ({ ...row, acknowledged_at: row.acknowledged_at.toISOString() }))
}
