import type * as z from 'zod'
import { audit, changed } from '#server/audit/audit-log.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { updateUser } from '#shared/accounts/user-changes.ts'
import { AppError } from '#shared/errors.ts'
import { lockProfile } from './profile-guards.ts'
import { endSessions, unknownChapters } from './role.ts'

type Details = z.output<(typeof updateUser)['body']>

/** Changes the notes and permissions of a user. Changed permissions end the sessions: clients read them at sign-in. */
export async function updateDetails(
  db: Db,
  by: SignedIn,
  id: string,
  input: Details,
  countries: Countries,
  now: Date,
): Promise<void> {
  const fields: Record<string, string> = {}
  if (input.country_code && !countries.find(input.country_code)) fields.country_code = 'Choose a country'
  if (input.countries?.some((code) => !countries.find(code))) fields.countries = 'Choose a country'
  if (input.chapter_id && (await unknownChapters(db, [input.chapter_id]))) fields.chapter_id = 'Choose a chapter'
  if (Object.keys(fields).length > 0)
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })
  const wanted: Details = {
    ...input,
    ...(input.permissions ? { permissions: [...new Set(input.permissions)].sort() } : {}),
    ...(input.countries ? { countries: [...new Set(input.countries)] } : {}),
  }
  const was = await lockProfile(db, id)
  const difference = changed<Details>(was as Details, wanted)
  if (!difference) return
  await db
    .updateTable('user_profiles')
    .set({ ...(difference.after as object), updated_at: now })
    .where('id', '=', id)
    .execute()
  await audit(db, by, { action: 'user.update', subject_type: 'user', subject_id: id, ...difference })
  if (difference.after.permissions && id !== by.id) await endSessions(db, id)
}
