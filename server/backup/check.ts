import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openBackup } from './manifest.ts'
import { type RestoreReport, restoreBackup } from './restore.ts'
import type { RunResult } from './runs.ts'
import { openSession } from './session.ts'

/** Restores a backup into a temporary embedded database and reads every file in it. */
export async function testBackup(
  folder: string,
  passphrase: string | undefined,
): Promise<{ report: RestoreReport; result: RunResult }> {
  const backup = await openBackup(folder, passphrase)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-restore-'))
  try {
    const session = await openSession({ databaseUrl: undefined, dataDir, isDurable: false })
    try {
      const report = await restoreBackup({
        session,
        store: null,
        backup,
        replaces: false,
        preservesSessions: false,
        sendsPending: false,
      })
      const { manifest } = backup
      return {
        report,
        result: {
          folder,
          backup_at: manifest.created_at,
          bytes: null,
          table_count: report.tables,
          row_count: report.rows,
          file_count: manifest.files.length,
          missing_files: manifest.missing_files.filter(({ reason }) => reason !== 'deleted').length,
          is_encrypted: manifest.encryption !== null,
        },
      }
    } finally {
      await session.close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
