import { openStore } from '#server/files/store.ts'
import { makeBackup, pruneBackups } from './backup.ts'
import { testBackup } from './check.ts'
import { readPassphrase } from './encryption.ts'
import { type RunResult, resultOf } from './runs.ts'
import { openSession } from './session.ts'

/** The task of a separate process, so that page requests do not wait for it. */
export type BackupTask =
  | {
      kind: 'backup'
      /** A PostgreSQL URL, or a copy of the embedded database. */
      databaseUrl: string | undefined
      copy: string
      files: Parameters<typeof openStore>[0]
      to: string
      keep: number
      withSecrets: boolean
      passphraseFile: string | undefined
    }
  | { kind: 'check'; folder: string; passphraseFile: string | undefined }

export type Reply = { result: RunResult } | { error: string }

async function runTask(order: BackupTask): Promise<RunResult> {
  const passphrase = await readPassphrase(order.passphraseFile)
  if (order.kind === 'check') return (await testBackup(order.folder, passphrase)).result
  const session = await openSession({ databaseUrl: order.databaseUrl, dataDir: order.copy, isDurable: false })
  try {
    const store = await openStore(order.files)
    const made = await makeBackup({ session, store, to: order.to, withSecrets: order.withSecrets, passphrase })
    await pruneBackups(order.to, order.keep)
    return resultOf(made)
  } finally {
    await session.close()
  }
}

if (import.meta.main)
  process.once('message', async (order: BackupTask) => {
    const reply: Reply = await runTask(order).then(
      (result) => ({ result }),
      (error: Error) => ({ error: error.message }),
    )
    process.send?.(reply, () => process.disconnect())
  })
