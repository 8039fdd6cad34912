import { findBackupState } from '#server/backup/queries.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { BackupSettings } from '#server/env.ts'
import type { QueueGroup } from '#shared/overview/queue.ts'
import { openAlarms, waitingMessages } from './queries.ts'
import { ALARM_RANK } from './queue-rank.ts'
import { several, type Task } from './queue-tasks.ts'

interface PortalContext {
  database: Database
  backup: BackupSettings | undefined
  now: Date
}

/** Work for administrators that the portal reads itself, since no user may read messages and backups. */
export const PORTAL_READERS: readonly { group: QueueGroup; read: (context: PortalContext) => Promise<Task[]> }[] = [
  { group: 'delivery', read: ({ database }) => inBackground(database, 'overview', undelivered) },
  {
    group: 'backup',
    read: async ({ database, backup, now }) => {
      // A trial on the embedded database has nothing to lose.
      if (database.engine === 'pglite' && !backup) return []
      return backupTasks(await inBackground(database, 'overview', (db) => findBackupState(db, backup, now)))
    },
  },
]

async function undelivered(db: Db): Promise<Task[]> {
  const alarms = await openAlarms(db)
  const { count, oldest_at, email, sms } = await waitingMessages(db)
  const figures = { email, sms, others: count - email - sms }
  return [
    ...alarms.map(({ cause, found, detail, raised_at }) => ({
      ...{ kind: 'alarm' as const, id: cause, cause, count: found, about: detail || null, since: raised_at },
      rank: ALARM_RANK,
    })),
    ...several(count, { kind: 'failed_messages', since: oldest_at, figures }),
  ]
}

function backupTasks({ is_late, is_untested, last_backup }: Awaited<ReturnType<typeof findBackupState>>): Task[] {
  if (is_late) return [{ kind: 'backup', since: last_backup?.at ?? null, figures: { made: last_backup ? 1 : 0 } }]
  return is_untested ? [{ kind: 'restore_test' }] : []
}
