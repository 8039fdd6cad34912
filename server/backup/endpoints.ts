import { requireFresh } from '#server/accounts/own/freshness.ts'
import { audit } from '#server/audit/audit-log.ts'
import { withClaims } from '#server/db/claims.ts'
import type { BackupSettings } from '#server/env.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { getBackups, startBackup } from '#shared/backup/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import { BACKUP_JOB } from './job.ts'
import { findBackupState } from './queries.ts'

/** Shows the age of the last backup and starts a new one. */
export function registerBackups(
  router: Router,
  deps: { backup: BackupSettings | undefined; queue: Queue | undefined },
) {
  const { backup, queue } = deps

  router.handle(getBackups, ({ db, now }) => findBackupState(db, backup, now))

  router.act(startBackup, async ({ session, user, database }, { body }) => {
    // A backup contains everyone's data: require recent authentication, not just an open session.
    await requireFresh(database, session, body.current_password)
    if (!backup || !queue)
      throw new AppError(
        409,
        'backup_not_configured',
        'Set BACKUP_TO to the folder for backups, then restart the portal.',
      )
    await withClaims(database, claimsOf(session), async (db) => {
      await audit(db, user, { action: 'backup.start', subject_type: 'backup', subject_id: 'portal' })
      await queue.enqueue(db, BACKUP_JOB, { by: user.id })
    })
    return { started: true as const }
  })
}
