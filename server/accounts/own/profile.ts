import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { releaseDeferred } from '#server/delivery/deferral.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { OwnProfile } from '#shared/accounts/own.ts'
import { AppError } from '#shared/errors.ts'
import { languageOf } from '#shared/language.ts'

/** The own profile as shown to the user. */
export async function findOwnProfile(db: Db, profileId: string): Promise<OwnProfile> {
  const { profile, person } = await rowsOf(db, profileId)
  // Users see the name of their own chapter only: the chapter record is for its coordinators.
  const { rows } = await sql<{ chapter_name: string }>`select chapter_name from portal_own_chapter()`.execute(db)
  const [chapter] = rows
  const contact = profile.emergency_contact
  return {
    id: profile.id,
    first_name: person?.first_name ?? profile.display_name,
    last_name: person?.last_name ?? '',
    display_name: profile.display_name,
    email: profile.email,
    email_verified: profile.email_verified,
    phone_number: profile.phone_number,
    phone_verified: profile.phone_verified,
    role: profile.role,
    profile_status: profile.profile_status,
    auth_provider: profile.auth_provider,
    preferred_language: languageOf(profile.preferred_language) ?? 'en',
    time_zone: profile.time_zone,
    country_code: profile.country_code,
    countries: profile.countries,
    emergency_contact: { name: contact.name ?? '', relation: contact.relation ?? '', phone: contact.phone ?? '' },
    preferences: { single_key_shortcuts: profile.preferences.single_key_shortcuts ?? true },
    photo_file_id: profile.photo_file_id,
    chapter_name: chapter?.chapter_name ?? null,
    created_at: profile.created_at.toISOString(),
    updated_at: profile.updated_at.toISOString(),
  }
}

async function rowsOf(db: Db, profileId: string) {
  const profile = await db.selectFrom('user_profiles').selectAll().where('id', '=', profileId).executeTakeFirst()
  if (!profile) throw new AppError(401, 'no_profile', 'No active authentication session')
  const person = profile.person_id
    ? await db.selectFrom('persons').selectAll().where('id', '=', profile.person_id).executeTakeFirst()
    : undefined
  return { profile, person }
}

type Change = Partial<
  Pick<
    OwnProfile,
    | 'first_name'
    | 'last_name'
    | 'display_name'
    | 'preferred_language'
    | 'time_zone'
    | 'country_code'
    | 'countries'
    | 'emergency_contact'
    | 'preferences'
  >
> & { updated_at: string }

/**
 * Writes the changed fields under the user's claims and audits their names only: the values are private. Refused when
 * the profile has changed since the user read it.
 */
export async function changeProfile(db: Db, user: SignedIn, change: Change, now: Date): Promise<OwnProfile> {
  await db.selectFrom('user_profiles').select('id').where('id', '=', user.id).forUpdate().execute()
  const before = await findOwnProfile(db, user.id)
  const { updated_at, ...input } = change
  if (Date.parse(updated_at) !== Date.parse(before.updated_at))
    throw new AppError(
      409,
      'changed_meanwhile',
      'This has changed since you opened it. Compare both versions and save again.',
    )
  const fields = (Object.keys(input) as (keyof typeof input)[]).filter(
    (field) => input[field] !== undefined && JSON.stringify(input[field]) !== JSON.stringify(before[field]),
  )
  if (fields.length === 0) return before
  const { first_name, last_name, emergency_contact, preferences, ...columns } = Object.fromEntries(
    fields.map((field) => [field, input[field]]),
  ) as typeof input
  await db
    .updateTable('user_profiles')
    .set({
      ...columns,
      ...(emergency_contact && { emergency_contact: JSON.stringify(emergency_contact) }),
      ...(preferences && { preferences: JSON.stringify(preferences) }),
      updated_at: now,
    })
    .where('id', '=', user.id)
    .execute()
  if (fields.includes('time_zone') || fields.includes('country_code')) await releaseDeferred(db, user.id)
  if (first_name !== undefined || last_name !== undefined) {
    const { profile } = await rowsOf(db, user.id)
    await db
      .updateTable('persons')
      .set({
        ...(first_name !== undefined && { first_name }),
        ...(last_name !== undefined && { last_name }),
        updated_at: now,
      })
      .where('id', '=', profile.person_id)
      .execute()
  }
  await audit(db, user, { action: 'account.profile', subject_type: 'user', subject_id: user.id, after: { fields } })
  return findOwnProfile(db, user.id)
}
