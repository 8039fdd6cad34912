import { type Selectable, sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { UserProfilesTable } from '#server/db/tables-accounts.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { AccountSign, FailedSignIns, UserDetail } from '#shared/accounts/users.ts'
import { isAdmin } from '#shared/roles.ts'
import { deviceOf } from '../device.ts'
import { canGetMail } from './notifications.ts'
import { userRowOf } from './queries.ts'
import { suppressionsOf } from './suppressions.ts'

type Profile = Selectable<UserProfilesTable>

const SESSIONS_SHOWN = 10

/**
 * One account as far as the caller may see it. Coordinators verify: they see identity and signs, not notes,
 * permissions, numbers or sessions. Columns of the auth_ tables come without secrets.
 */
export async function detailOf(
  database: Database,
  profile: Profile,
  signs: AccountSign[],
  failedSignIns: FailedSignIns | null,
  by: SignedIn,
): Promise<UserDetail> {
  const { person, verifiedBy, chapters } = await around(database, profile)
  const isManager = isAdmin(by.role)
  const signingIn = isManager ? await signingInOf(database, profile) : NO_SIGN_IN
  const suppressions = isManager ? await inBackground(database, 'accounts', (db) => suppressionsOf(db, profile)) : []
  return {
    ...userRowOf(profile),
    signs,
    chapter: chapters.find(({ id }) => id === profile.chapter_id) ?? null,
    chapters_covered: chapters.filter(({ id }) => profile.scope_chapters?.includes(id)),
    person: person ?? null,
    phone_number: isManager ? profile.phone_number : null,
    mcgi_hub_id: profile.mcgi_hub_id,
    preferred_language: profile.preferred_language,
    time_zone: profile.time_zone,
    countries: profile.countries,
    permissions: isManager ? profile.permissions : [],
    status_reason: profile.status_reason,
    admin_notes: isManager ? profile.admin_notes : '',
    verified_at: profile.verified_at?.toISOString() ?? null,
    verified_by: verifiedBy?.display_name ?? null,
    terms_accepted_at: profile.terms_accepted_at?.toISOString() ?? null,
    ...signingIn,
    failed_sign_ins: failedSignIns,
    stopped: suppressions.map((row) => ({ ...row, since: row.since.toISOString() })),
    can_get_mail: canGetMail(profile) && profile.auth_user_id !== null,
    is_self: profile.id === by.id,
  }
}

const NO_SIGN_IN = { has_second_factor: false, sign_in_methods: [], passkeys: 0, sessions: 0, devices: [] }

async function signingInOf(database: Database, { auth_user_id }: Profile) {
  if (!auth_user_id) return NO_SIGN_IN
  const { kysely } = database.requests
  const user = await kysely
    .selectFrom('auth_users as u')
    .select('u.two_factor_enabled')
    .select(sql<number>`(select count(*)::int from auth_passkeys k where k.user_id = u.id)`.as('passkeys'))
    .where('u.id', '=', auth_user_id)
    .executeTakeFirst()
  const accounts = await kysely
    .selectFrom('auth_accounts')
    .select('provider_id')
    .distinct()
    .where('user_id', '=', auth_user_id)
    .orderBy('provider_id')
    .execute()
  const sessions = await kysely
    .selectFrom('auth_sessions')
    .select(['user_agent', 'updated_at'])
    .where('user_id', '=', auth_user_id)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('updated_at', 'desc')
    .execute()
  return {
    has_second_factor: user?.two_factor_enabled ?? false,
    sign_in_methods: accounts.map(({ provider_id }) => provider_id),
    passkeys: user?.passkeys ?? 0,
    sessions: sessions.length,
    devices: sessions.slice(0, SESSIONS_SHOWN).map(({ user_agent, updated_at }) => ({
      device: deviceOf(user_agent),
      last_used_at: updated_at.toISOString(),
    })),
  }
}

async function around(database: Database, profile: Profile) {
  const { kysely } = database.requests
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
  return { person, verifiedBy, chapters }
}
