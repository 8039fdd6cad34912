import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { Session } from '#server/http/session.ts'
import { accountOf } from '#server/http/session.ts'
import type { AuditAction } from '#shared/audit/actions.ts'

/** Records a user's change to their own sign-in methods in the audit log, in the same transaction. */
export function auditOwn(
  db: Db,
  by: Pick<Session, 'user' | 'waiting'>,
  action: AuditAction,
  change: { before?: object; after?: object },
): Promise<void> {
  const user = accountOf(by)
  return asPortal(db, () => audit(db, user, { action, subject_type: 'user', subject_id: user.id, ...change }))
}
