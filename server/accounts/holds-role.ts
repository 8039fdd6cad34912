import type { Db } from '#server/db/connection.ts'
import type { Role } from '#shared/roles.ts'

/** Whether the account has this role and is usable, or will be once it is verified. */
export async function holdsRole(db: Db, id: string, role: Role): Promise<boolean> {
  const found = await db
    .selectFrom('user_profiles')
    .select('id')
    .where('id', '=', id)
    .where('role', '=', role)
    .where('profile_status', 'in', ['pending', 'active'])
    .executeTakeFirst()
  return found !== undefined
}
