import type { MadeBackup } from './backup.ts'
import type { Session } from './session.ts'
import { inTransaction } from './session.ts'

/** The recorded result of a finished run. */
export interface RunResult {
  folder: string | null
  backup_at: string | null
  bytes: number | null
  table_count: number | null
  row_count: number | null
  file_count: number | null
  missing_files: number | null
  is_encrypted: boolean | null
}

/** Summary of a backup. Files deleted while it was made are not counted as losses. */
export const resultOf = ({ folder, manifest, bytes }: MadeBackup): RunResult => ({
  folder,
  backup_at: manifest.created_at,
  bytes,
  table_count: manifest.tables.length,
  row_count: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
  file_count: manifest.files.length,
  missing_files: manifest.missing_files.filter(({ reason }) => reason !== 'deleted').length,
  is_encrypted: manifest.encryption !== null,
})

/** Records a run from the command line. A database of an earlier version has no table for it. */
export async function recordRun(
  session: Session,
  kind: 'backup' | 'check',
  startedAt: Date,
  result: RunResult,
): Promise<void> {
  const [found] = await session.query<{ is_there: boolean }>(
    `select to_regclass('public.backup_runs') is not null as is_there`,
  )
  if (!found?.is_there) return
  const columns = Object.keys(result)
  await inTransaction(session, 'begin', async () => {
    await session.query(`select set_config('role', 'portal_service', true)`)
    await session.query(
      `insert into backup_runs (kind, status, started_at, finished_at, ${columns.join(', ')})
        values ($1, 'done', $2, now(), ${columns.map((_, at) => `$${at + 3}`).join(', ')})`,
      [kind, startedAt, ...Object.values(result)],
    )
  })
}
