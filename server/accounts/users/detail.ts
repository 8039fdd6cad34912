import { type Selectable, sql } from 'kysely'
import type { UserDetail } from '#shared/accounts/users.ts'
import { inBackground } from '../../db/claims.ts'
import type { Database } from '../../db/connection.ts'
import type { UserProfilesTable } from '../../db/tables.ts'
import { userRowOf } from './queries.ts'
import { stoppedOf } from './stopped.ts'
import { canGetMail } from './telling.ts'

/** Everything an administrator sees of one account. Numbers of the auth_ tables come without their contents. */
export async function detailOf(
  database: Database,
  profile: Selectable<UserProfilesTable>,
  asker: string,
): Promise<UserDetail> {
  const { person, verifiedBy, facts, chapters, stopped } = await around(database, profile)
  return {
    ...userRowOf(profile),
    signs,
    chapter: chapters.find(({ id }) => id === profile.chapter_id) ?? null,
    chapters_covered: chapters.filter(({ id }) => profile.scope_chapters?.includes(id)),
    person: person ?? null,
    phone_number: profile.phone_number,
    mcgi_hub_id: profile.mcgi_hub_id,
    preferred_language: profile.preferred_language,
    time_zone: profile.time_zone,
    countries: profile.countries,
    permissions: profile.permissions,
    status_reason: profile.status_reason,
    admin_notes: profile.admin_notes,
    verified_at: profile.verified_at?.toISOString() ?? null,
    verified_by: verifiedBy?.display_name ?? null,
    terms_accepted_at: profile.terms_accepted_at?.toISOString() ?? null,
    has_second_factor: Boolean(facts?.two_factor_enabled),
    sessions: facts?.sessions ?? 0,
    stopped: stopped.map((row) => ({ ...row, since: row.since.toISOString() })),
    can_get_mail: canGetMail(profile) && profile.auth_user_id !== null,
    is_self: profile.id === asker,
  }
}

async function around(database: Database, profile: Selectable<UserProfilesTable>) {
  const { kysely } = database.requests
  const facts = profile.auth_user_id
    ? await kysely
        .selectFrom('auth_users as u')
        .select('u.two_factor_enabled')
        .select(
          sql<number>`(select count(*)::int from auth_sessions s where s.user_id = u.id and s.expires_at > now())`.as(
            'sessions',
          ),
        )
        .where('u.id', '=', profile.auth_user_id)
        .executeTakeFirst()
    : undefined
  const person = profile.person_id
    ? await kysely
        .selectFrom('persons')
        .select(['first_name', 'last_name', 'mcgi_id'])
        .where('id', '=', profile.person_id)
        .executeTakeFirst()
    : undefined
  const verifiedBy = profile.verified_by
    ? await kysely
        .selectFrom('user_profiles')
        .select('display_name')
        .where('id', '=', profile.verified_by)
        .executeTakeFirst()
    : undefined
  const named = [profile.chapter_id, ...(profile.scope_chapters ?? [])].filter((id) => id !== null)
  const chapters =
    named.length > 0
      ? await kysely
          .selectFrom('mfa_local_chapters')
          .select(['id', 'chapter_name'])
          .where('id', 'in', named)
          .orderBy('chapter_name')
          .execute()
      : []
  const stopped = await inBackground(database, 'accounts', (db) => stoppedOf(db, profile))
  return { facts, person, verifiedBy, chapters, stopped }
}
