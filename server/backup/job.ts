import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Settings } from '#server/env.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Log } from '#server/log.ts'
import { firstOf } from '#shared/assert.ts'
import { CHECK_EVERY_DAYS } from '#shared/backup/endpoints.ts'
import { listBackups, toBackupError } from './backup.ts'
import { BackupError } from './error.ts'
import type { BackupTask, Reply } from './process.ts'
import type { RunResult } from './runs.ts'

export interface BackupJobDeps {
  database: Database
  log: Log
  signal?: AbortSignal | undefined
}
type Where = Pick<Settings, 'databaseUrl' | 'dataDir' | 'files' | 'backup'>

export const BACKUP_JOB = 'backups.make'
/** A run that started longer ago is treated as abandoned. */
const ABANDONED_HOURS = 6
const RETRY_HOURS = 1

/** Handles backup jobs where this node runs them; elsewhere it only defines the queue, so that one can be requested. */
export async function startBackups(queue: Queue, deps: BackupJobDeps, where: Where & Pick<Settings, 'runsWorker'>) {
  const settings = { policy: 'one waiting', retryLimit: 0, expireInSeconds: ABANDONED_HOURS * 3600 } as const
  if (!where.backup || !where.runsWorker) return queue.define(BACKUP_JOB, settings)
  await queue.work<{ by?: string }>(BACKUP_JOB, ({ by }, signal) => runBackup({ ...deps, signal }, where, by), settings)
}

/** Makes a backup if the last one is old enough. */
export async function makeDueBackup(deps: BackupJobDeps, where: Where | undefined): Promise<void> {
  const backup = where?.backup
  if (!where || !backup) return
  const isDue = await inBackground(deps.database, 'backup', async (db) => {
    const { rows } = await sql<{
      is_due: boolean
    }>`select not exists (select from backup_runs where kind = 'backup' and (
        (status = 'done' and started_at > now() - make_interval(hours => ${backup.everyHours}))
        or (status = 'failed' and started_at > now() - make_interval(hours => ${RETRY_HOURS})))) as is_due`.execute(db)
    return firstOf(rows).is_due
  })
  if (isDue) await runBackup(deps, where)
}

/** Tests the latest backup by restoring it, once a month. */
export async function testDueBackup(deps: BackupJobDeps, where: Where | undefined): Promise<void> {
  const backup = where?.backup
  if (!where || !backup) return
  const [latest] = await listBackups(backup.to)
  if (!latest) return
  const isDue = await inBackground(deps.database, 'backup', async (db) => {
    const { rows } = await sql<{ is_due: boolean }>`select not exists (select from backup_runs where kind = 'check'
      and (status = 'done' or folder = ${latest})
      and started_at > now() - make_interval(days => ${CHECK_EVERY_DAYS})) as is_due`.execute(db)
    return firstOf(rows).is_due
  })
  if (!isDue) return
  await run(deps, 'check', undefined, () =>
    runInChild({ kind: 'check', folder: latest, passphraseFile: backup.passphraseFile }, deps.signal),
  )
}

/** Makes a backup now unless one is already running. */
export async function runBackup(deps: BackupJobDeps, where: Where, by?: string): Promise<void> {
  const { backup, databaseUrl, dataDir, files } = where
  if (!backup) return
  await run(deps, 'backup', by, async () => {
    const copy = path.join(backup.to, `backup-copy-${randomBytes(4).toString('hex')}.partial`)
    try {
      if (deps.database.embedded) {
        await mkdir(copy, { recursive: true, mode: 0o700 })
        await deps.database.embedded.copyTo(path.join(copy, 'pglite'))
      }
      const { to, keep, withSecrets, passphraseFile } = backup
      const order = { databaseUrl, copy, files: { files, dataDir }, to, keep, withSecrets, passphraseFile }
      return await runInChild({ kind: 'backup', ...order }, deps.signal)
    } catch (error) {
      throw toBackupError(error, backup.to)
    } finally {
      // What cannot be removed now is removed together with the old backups.
      await rm(copy, { recursive: true, force: true }).catch(() => {})
    }
  })
}

/** Records the start of a run, executes it, and records the result. */
async function run(
  { database, log }: BackupJobDeps,
  kind: 'backup' | 'check',
  by: string | undefined,
  fn: () => Promise<RunResult>,
): Promise<void> {
  const id = await inBackground(database, 'backup', async (db) => {
    // One at a time across all nodes.
    await sql`select pg_advisory_xact_lock(hashtext('portal.backup'))`.execute(db)
    await db
      .updateTable('backup_runs')
      .set({ status: 'failed', finished_at: sql`now()`, error: 'The process that ran it ended.' })
      .where('status', '=', 'running')
      .where('started_at', '<', sql<Date>`now() - make_interval(hours => ${ABANDONED_HOURS})`)
      .execute()
    const running = await db.selectFrom('backup_runs').select('id').where('status', '=', 'running').executeTakeFirst()
    if (running) return undefined
    const { id } = await db
      .insertInto('backup_runs')
      .values({ kind, status: 'running', started_by: by ?? null })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
  if (id === undefined) return
  const runUpdate = await fn().then(
    (result) => ({ status: 'done' as const, ...result }),
    (error: Error) => ({ status: 'failed' as const, error: error.message.slice(0, 1000) }),
  )
  await inBackground(database, 'backup', (db) =>
    db
      .updateTable('backup_runs')
      .set({ ...runUpdate, finished_at: sql`now()` })
      .where('id', '=', id)
      .execute(),
  )
  if (runUpdate.status === 'failed') log.error({ reason: runUpdate.error, kind }, 'a backup or its test failed')
  else log.info({ kind, tables: runUpdate.table_count, missing: runUpdate.missing_files }, 'backup done')
}

/** Runs in a separate low-priority process. */
function runInChild(order: BackupTask, signal?: AbortSignal): Promise<RunResult> {
  const child = fork(new URL('./process.ts', import.meta.url), {
    execArgv: ['--no-wasm-code-gc'],
    ...(signal ? { signal } : {}),
  })
  try {
    setPriority(child.pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where the system does not allow it, the process runs at normal priority.
  }
  return new Promise((resolve, reject) => {
    child.once('message', (reply: Reply) =>
      'result' in reply ? resolve(reply.result) : reject(new BackupError(reply.error)),
    )
    child.once('error', (error) => reject(signal?.aborted ? new BackupError('The portal was stopped.') : error))
    child.once('exit', (code) => reject(new BackupError(`The backup process ended with code ${code}.`)))
    child.send(order)
  })
}
