import { sql, type Transaction } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { Session } from '../http/session.ts'

/**
 * Notes a change that a person made to the own account. As the last statement of a transaction of the login role: the
 * log takes entries from the portal's service only, and that sees no table of signing in.
 */
export async function auditLast(
  db: Transaction<Tables>,
  by: { id: string; role: string } | Session,
  action: string,
  change: { before?: object; after?: object },
): Promise<void> {
  const actor = 'role' in by ? by : (by.user ?? by.waiting)!
  await sql`select set_config('role', 'portal_service', true)`.execute(db)
  await db
    .insertInto('audit_log')
    .values({
      actor_id: actor.id,
      actor_role: actor.role,
      action,
      subject_type: 'user',
      subject_id: actor.id,
      before: change.before ? JSON.stringify(change.before) : null,
      after: change.after ? JSON.stringify(change.after) : null,
      reason: null,
    })
    .execute()
}
