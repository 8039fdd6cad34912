import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { COORDINATORS, dashboardOf, type Role } from '#shared/roles.ts'
import { audit } from '../../audit/writing.ts'
import type { Countries } from '../../countries/reference.ts'
import type { Db } from '../../db/connection.ts'
import type { SignedIn } from '../../http/session.ts'
import { holdProfile, refuseSelf } from './changing.ts'
import { readsIn, type TellingParts, tellPerson } from './telling.ts'
import { WORDS } from './words.ts'

export interface NewRole {
  role: Role
  scope_countries: string[] | null
  /** Last day, YYYY-MM-DD in UTC. */
  role_ends_on: string | null
  reason: string
}

export interface RoleParts extends TellingParts {
  countries: () => Countries
}

/** Gives a person another role, or the same with other limits, and tells her, in one commit. Her next request has it. */
export async function giveRole(db: Db, by: SignedIn, id: string, asked: NewRole, parts: RoleParts, now: Date) {
  refuseSelf(by, id)
  refuseLimits(asked, parts.countries(), now)
  const was = await holdProfile(db, id)
  const { role } = asked
  const scope_countries = asked.scope_countries && [...new Set(asked.scope_countries)].sort()
  const role_ends_at = asked.role_ends_on ? new Date(`${asked.role_ends_on}T23:59:59Z`) : null
  const before = { role: was.role, scope_countries: was.scope_countries, role_ends_at: was.role_ends_at }
  const after = { role, scope_countries, role_ends_at }
  if (JSON.stringify(before) === JSON.stringify(after)) return {}
  await db
    .updateTable('user_profiles')
    .set({ ...after, ...(role === was.role ? {} : { scope_chapters: null }), updated_at: now })
    .where('id', '=', id)
    .execute()
  const subject = { subject_type: 'user', subject_id: id }
  await audit(db, by, { action: 'user.role', ...subject, before, after, reason: asked.reason })
  const language = readsIn(was)
  const places = (scope_countries ?? []).map((code) => nameOf(parts.countries(), code, language))
  await tellPerson(db, was, parts, {
    template: 'role-changed',
    values: { role, link: `${parts.publicUrl}/login` },
    title: WORDS[language].roleTitle,
    message: WORDS[language].role(role, places, asked.role_ends_on),
    action_url: dashboardOf(role),
    data: { role, scope_countries, role_ends_at },
  })
  return {}
}

/** Ends every session of a person; what they held is over at once. */
export async function endSessions(db: Db, profileId: string): Promise<number> {
  const { rows } = await sql<{ ended: number }>`select end_sessions(${profileId}) as ended`.execute(db)
  return rows[0]!.ended
}

export function refuseLimits(
  { role, scope_countries, role_ends_on }: Omit<NewRole, 'reason'>,
  countries: Countries,
  now: Date,
) {
  const fields: Record<string, string> = {}
  if (scope_countries && !(COORDINATORS as readonly Role[]).includes(role))
    fields.scope_countries = 'Only coordinators and local servants can be limited to countries'
  else if (scope_countries?.some((code) => !countries.find(code))) fields.scope_countries = 'Choose a country'
  if (role_ends_on && role === 'traveler') fields.role_ends_on = 'The role of a traveler does not end'
  else if (role_ends_on && new Date(`${role_ends_on}T23:59:59Z`) <= now)
    fields.role_ends_on = 'Date must be in the future'
  if (Object.keys(fields).length > 0)
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })
}

const nameOf = (countries: Countries, code: string, language: 'en' | 'ar') => {
  const country = countries.find(code)
  return (language === 'ar' ? country?.names.ar : country?.name) ?? code
}
