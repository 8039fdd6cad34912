import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AppError } from '#shared/errors.ts'

export const NOT_FOUND = () => new AppError(404, 'user_not_found', 'Account not found.')

/** Reads and locks the profile until the transaction ends, so that the audited "before" values are true. */
export async function lockProfile(db: Db, id: string) {
  const profile = await db.selectFrom('user_profiles').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!profile) throw NOT_FOUND()
  if (profile.profile_status === 'deleted')
    throw new AppError(409, 'user_deleted', 'This account was deleted and cannot be changed.')
  return profile
}

/** Users cannot change their own role or status. */
export function refuseSelf(by: SignedIn, id: string) {
  if (by.id === id)
    throw new AppError(409, 'own_account', 'You cannot change your own role or status. Ask another administrator.')
}

/** Maps database errors to readable ones. */
export async function mapDatabaseErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const { message } = error as Error
    if (message === 'last_admin')
      throw new AppError(409, 'last_admin', 'This is the last administrator. Make someone else an administrator first.')
    if (message === 'own_role')
      throw new AppError(409, 'own_account', 'You cannot change your own role or status. Ask another administrator.')
    throw error
  }
}
