import type * as z from 'zod'
import type { updateUser } from '#shared/accounts/users.ts'
import { AppError } from '#shared/errors.ts'
import { audit, changed } from '../../audit/writing.ts'
import type { Countries } from '../../countries/reference.ts'
import type { Db } from '../../db/connection.ts'
import type { SignedIn } from '../../http/session.ts'
import { holdProfile } from './changing.ts'
import { endSessions, unknownChapters } from './role.ts'

type Details = z.output<(typeof updateUser)['body']>

/** Changes what is noted of a person. Other permissions end the sessions: programs read them when one begins. */
export async function updateDetails(
  db: Db,
  by: SignedIn,
  id: string,
  asked: Details,
  countries: Countries,
  now: Date,
): Promise<void> {
  const fields: Record<string, string> = {}
  if (asked.country_code && !countries.find(asked.country_code)) fields.country_code = 'Choose a country'
  if (asked.countries?.some((code) => !countries.find(code))) fields.countries = 'Choose a country'
  if (asked.chapter_id && (await unknownChapters(db, [asked.chapter_id]))) fields.chapter_id = 'Choose a chapter'
  if (Object.keys(fields).length > 0)
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })
  const wanted: Details = {
    ...asked,
    ...(asked.permissions ? { permissions: [...new Set(asked.permissions)].sort() } : {}),
    ...(asked.countries ? { countries: [...new Set(asked.countries)] } : {}),
  }
  const was = await holdProfile(db, id)
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
