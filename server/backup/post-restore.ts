import type { Session } from './session.ts'

export interface SuspendedWork {
  endedSessions: number
  suspendedMessages: number
  suspendedAnnouncements: number
}

const SUSPENDED_ERROR = 'Held after a restore'

/**
 * Suspends what must not continue by itself after a restore. Sessions end, since a user removed after the backup would
 * be signed in again. Messages wait for an administrator to resend them from the outbox, as most were sent long ago.
 */
export async function suspendAfterRestore(
  session: Session,
  {
    preservesSessions,
    sendsPending,
    backupAt,
  }: { preservesSessions: boolean; sendsPending: boolean; backupAt: string },
): Promise<SuspendedWork> {
  // Old links must not match different content under the same number.
  await session.query('update public_version set version = version + 1000000')
  const endedSessions = preservesSessions ? 0 : await count(session, 'delete from auth_sessions returning 1')
  if (!preservesSessions) await session.query('delete from auth_verifications')
  // The run of the backup itself was in progress.
  await session.query(`select set_config('role', 'portal_service', true)`)
  await session.query(`delete from backup_runs where status = 'running'`)
  await session.query(
    `insert into audit_log (actor_role, action, subject_type, subject_id, reason)
      values ('service', 'backup.restore', 'backup', $1, 'command line')`,
    [backupAt],
  )
  await session.query(`select set_config('role', 'none', true)`)
  if (sendsPending) return { endedSessions, suspendedMessages: 0, suspendedAnnouncements: 0 }
  await session.query(`select set_config('role', 'portal_service', true)`)
  const suspendedMessages = await count(
    session,
    `update messages set status = 'failed', error = $1, leased_until = null
      where status in ('pending', 'deferred', 'sending') returning 1`,
    [SUSPENDED_ERROR],
  )
  // Scheduled announcements become drafts; automatic announcements are made again at the next change.
  const suspendedAnnouncements = await count(
    session,
    `update announcements set status = case kind when 'announcement' then 'draft' else 'cancelled' end,
        approved_by = null, approved_at = null
      where status = 'waiting' returning 1`,
  )
  await session.query(
    `update scheduled_notifications set status = 'cancelled' where status = 'pending' and scheduled_for < now()`,
  )
  await session.query(`select set_config('role', 'none', true)`)
  return { endedSessions, suspendedMessages, suspendedAnnouncements }
}

const count = async (session: Session, statement: string, values?: unknown[]) =>
  (await session.query(statement, values)).length
