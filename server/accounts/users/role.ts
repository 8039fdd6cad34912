import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { invalid } from '#server/db/records.ts'
import type { SignedIn } from '#server/http/session.ts'
import { firstOf } from '#shared/assert.ts'
import { dashboardOf, isScoped, type Role } from '#shared/roles.ts'
import { INBOX_TEXTS } from './inbox-texts.ts'
import { type NotifyDeps, notifyUser, readsIn } from './notifications.ts'
import { lockProfile } from './profile-guards.ts'

export interface NewRole {
  role: Role
  scope_countries: string[] | null
  scope_chapters: string[] | null
  scope_everywhere: boolean
  scope_reason: string | null
  /** Last day, YYYY-MM-DD in UTC. */
  role_ends_on: string | null
  reason: string
}

export interface RoleDeps extends NotifyDeps {
  countries: () => Countries
}

/**
 * Gives a user another role, or the same with other limits, and notifies them, in one commit. It applies from their
 * next request.
 */
export async function giveRole(db: Db, by: SignedIn, id: string, input: NewRole, deps: RoleDeps, now: Date) {
  if (input.scope_chapters && (await unknownChapters(db, input.scope_chapters)))
    throw invalid({ scope_chapters: 'Choose a chapter' })
  const was = await lockProfile(db, id)
  const { role, scope_everywhere } = input
  const scope_reason = scope_everywhere ? input.scope_reason : null
  const scope_countries = input.scope_countries && [...new Set(input.scope_countries)].sort()
  const scope_chapters = input.scope_chapters && [...new Set(input.scope_chapters)].sort()
  const role_ends_at = input.role_ends_on ? new Date(`${input.role_ends_on}T23:59:59Z`) : null
  const before = {
    role: was.role,
    scope_countries: was.scope_countries,
    scope_chapters: was.scope_chapters,
    scope_everywhere: was.scope_everywhere,
    scope_reason: was.scope_reason,
    role_ends_at: was.role_ends_at,
  }
  const after = { role, scope_countries, scope_chapters, scope_everywhere, scope_reason, role_ends_at }
  if (JSON.stringify(before) === JSON.stringify(after)) return {}
  await db
    .updateTable('user_profiles')
    .set({ ...after, updated_at: now })
    .where('id', '=', id)
    .execute()
  const subject = { subject_type: 'user', subject_id: id }
  await audit(db, by, { action: 'user.role', ...subject, before, after, reason: input.reason })
  const language = readsIn(was)
  const places = [
    ...(scope_everywhere ? [INBOX_TEXTS[language].everywhere] : []),
    ...(scope_countries ?? []).map((code) => nameOf(deps.countries(), code, language)),
    ...(await chapterNames(db, scope_chapters ?? [])),
  ]
  await notifyUser(db, was, deps, {
    template: 'role-changed',
    values: { role, link: `${deps.publicUrl}/login` },
    title: INBOX_TEXTS[language].roleTitle,
    message: INBOX_TEXTS[language].role(role, places, input.role_ends_on),
    action_url: dashboardOf(role),
    data: { role, scope_countries, scope_chapters, scope_everywhere, role_ends_at },
  })
  return {}
}

/** Ends every session of a user; their tokens are void at once. */
export async function endSessions(db: Db, profileId: string): Promise<number> {
  const { rows } = await sql<{ ended: number }>`select end_sessions(${profileId}) as ended`.execute(db)
  return firstOf(rows).ended
}

/** Refuses a role without a scope, places that do not fit the role, and an end date in the past. */
export function refuseLimits(
  { role, scope_countries, scope_chapters, scope_everywhere, scope_reason, role_ends_on }: Omit<NewRole, 'reason'>,
  countries: Countries,
  now: Date,
) {
  const fields: Record<string, string> = {}
  const hasPlaces = Boolean(scope_countries ?? scope_chapters)
  if (!isScoped(role)) {
    if (scope_countries || scope_everywhere)
      fields.scope_countries = 'Only coordinators and local servants can be limited to countries'
  } else if (scope_everywhere && hasPlaces) fields.scope_countries = 'Choose countries or "everywhere", not both'
  else if (!scope_everywhere && !hasPlaces)
    fields.scope_countries = 'Choose at least one country or chapter, or choose "everywhere" and give a reason'
  if (scope_countries?.some((code) => !countries.find(code))) fields.scope_countries = 'Choose a country'
  if (isScoped(role) && scope_everywhere && !scope_reason) fields.scope_reason = 'Enter a reason for "everywhere"'
  if (scope_chapters && role !== 'mfa_coordinator')
    fields.scope_chapters = 'Only MFA coordinators can be limited to chapters'
  if (role_ends_on && role === 'traveler') fields.role_ends_on = 'The traveller role has no end date'
  else if (role_ends_on && new Date(`${role_ends_on}T23:59:59Z`) <= now)
    fields.role_ends_on = 'Date must be in the future'
  if (Object.keys(fields).length > 0) throw invalid(fields)
}

/** Whether any of these is not a chapter. */
export async function unknownChapters(db: Db, ids: readonly string[]): Promise<boolean> {
  const known = await db.selectFrom('mfa_local_chapters').select('id').where('id', 'in', ids).execute()
  return known.length < new Set(ids).size
}

async function chapterNames(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('mfa_local_chapters').select('chapter_name').where('id', 'in', ids).execute()
  return rows.map(({ chapter_name }) => chapter_name).sort()
}

const nameOf = (countries: Countries, code: string, language: 'en' | 'ar') => {
  const country = countries.find(code)
  return (language === 'ar' ? country?.names.ar : country?.name) ?? code
}
