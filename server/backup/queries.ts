import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { BackupSettings } from '#server/env.ts'
import {
  type BackupRun,
  type BackupState,
  CHECK_EVERY_DAYS,
  MAX_BACKUP_HOURS,
  MAX_CHECK_DAYS,
} from '#shared/backup/endpoints.ts'

const HOUR_MS = 3_600_000

/** The backup state shown to administrators. */
export async function findBackupState(db: Db, backup: BackupSettings | undefined, now: Date): Promise<BackupState> {
  const last = (kind: 'backup' | 'check', status: 'done' | 'failed') =>
    db
      .selectFrom('backup_runs')
      .selectAll()
      .where('kind', '=', kind)
      .where('status', '=', status)
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  const made = await last('backup', 'done')
  const checked = await last('check', 'done')
  const failures = [
    [await last('backup', 'failed'), made],
    [await last('check', 'failed'), checked],
  ] as const
  const failed = failures.find(([failure, good]) => failure && !(good && good.started_at > failure.started_at))?.[0]
  const running = await db
    .selectFrom('backup_runs')
    .select('id')
    .where('status', '=', 'running')
    .where('started_at', '>', sql<Date>`now() - interval '6 hours'`)
    .executeTakeFirst()
  const age = (row: { started_at: Date } | undefined) =>
    row ? now.valueOf() - row.started_at.valueOf() : Number.POSITIVE_INFINITY
  return {
    is_scheduled: backup !== undefined,
    every_hours: backup?.everyHours ?? null,
    is_running: running !== undefined,
    last_backup: runOf(made),
    last_check: runOf(checked),
    last_failure: runOf(failed),
    next_check_at:
      backup && checked ? new Date(checked.started_at.valueOf() + CHECK_EVERY_DAYS * 24 * HOUR_MS).toISOString() : null,
    is_late: age(made) > Math.max(MAX_BACKUP_HOURS, (backup?.everyHours ?? 0) + 2) * HOUR_MS,
    is_untested: age(checked) > MAX_CHECK_DAYS * 24 * HOUR_MS,
  }
}

function runOf(row: Awaited<ReturnType<typeof findRun>>): BackupRun | null {
  if (!row) return null
  return {
    at: row.started_at.toISOString(),
    backup_at: row.backup_at?.toISOString() ?? null,
    seconds: row.finished_at && (row.finished_at.valueOf() - row.started_at.valueOf()) / 1000,
    bytes: row.bytes,
    tables: row.table_count,
    rows: row.row_count,
    files: row.file_count,
    missing_files: row.missing_files,
    is_encrypted: row.is_encrypted,
    folder: row.folder,
    error: row.error,
  }
}
const findRun = (db: Db) => db.selectFrom('backup_runs').selectAll().executeTakeFirst()
