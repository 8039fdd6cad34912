import { existsSync } from 'node:fs'
import path from 'node:path'
import { listBackups, makeBackup, pruneBackups } from '#server/backup/backup.ts'
import { testBackup } from '#server/backup/check.ts'
import { readPassphrase } from '#server/backup/encryption.ts'
import { BackupError } from '#server/backup/error.ts'
import { MANIFEST, openBackup } from '#server/backup/manifest.ts'
import { checkTarget, type RestoreReport, restoreBackup } from '#server/backup/restore.ts'
import { recordRun, resultOf } from '#server/backup/runs.ts'
import { openSession, type Session } from '#server/backup/session.ts'
import { markSampleLoaded } from '#server/db/data-directory.ts'
import type { Settings } from '#server/env.ts'
import { openStore } from '#server/files/store.ts'
import { present } from '#shared/assert.ts'
import { type Command, parse, type StandaloneDeps, UsageError } from './command.ts'

/** Succeeded with warnings. */
const WITH_WARNINGS = 3

export const BACKUP_COMMANDS: Record<string, Command> = {
  backup: {
    usage: 'backup --to <folder> [--keep <number>] [--with-secrets] [--passphrase-file <file>]',
    about: [
      'Writes a consistent copy of the database and all files to a new folder in <folder>.',
      'On PostgreSQL the portal can keep running. Exits with code 3 if files were missing.',
      '  --keep <number>           keeps only this many backups in <folder>, and deletes older ones',
      '  --with-secrets            includes the generated keys that sign cookies and links',
      '  --passphrase-file <file>  encrypts the backup with the passphrase in this file',
    ],
    runAlone: backUp,
  },
  restore: {
    usage:
      'restore --from <folder> [--replace <name>] [--keep-sessions] [--send-pending] [--passphrase-file <file>]\n  restore --check <folder> [--passphrase-file <file>]',
    about: [
      'Restores a backup, or the latest one in <folder>, to the database and files of this environment.',
      'Stop the portal first. An interrupted restore leaves the database unchanged.',
      '  --replace <name>          deletes the current content of the database with this name',
      '  --keep-sessions           keeps users signed in; otherwise everyone must sign in again',
      '  --send-pending            sends messages that were waiting; otherwise they are marked as failed in the outbox',
      '  --check <folder>          tests a restore in a temporary embedded database',
    ],
    runAlone: restore,
  },
}

async function backUp(args: string[], { settings, print }: StandaloneDeps): Promise<number> {
  const { values } = parse(args, {
    to: { type: 'string' },
    keep: { type: 'string' },
    'with-secrets': { type: 'boolean' },
    'passphrase-file': { type: 'string' },
  })
  if (!values.to) throw new UsageError('--to needs the folder for backups.')
  const keep = values.keep === undefined ? undefined : Number(values.keep)
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1 && keep <= 10_000))
    throw new UsageError('--keep needs the number of backups to keep: a whole number, 1 or more.')
  const passphrase = await readPassphrase(values['passphrase-file'])
  // Opening would create an empty one.
  if (settings.isEmbedded && !existsSync(path.join(settings.dataDir, 'pglite')))
    throw new BackupError(`No portal found in ${settings.dataDir}. Set DATA_DIR or DATABASE_URL to its location.`)
  const startedAt = new Date()
  const session = await openFor(settings, 'back up')
  try {
    const made = await makeBackup({
      session,
      store: await openStore(settings),
      to: values.to,
      withSecrets: values['with-secrets'] ?? false,
      passphrase,
    })
    const result = resultOf(made)
    await recordRun(session, 'backup', startedAt, result)
    print(`${made.folder}\n${result.table_count} tables, ${result.row_count} rows, ${result.file_count} files`)
    if (!made.manifest.has_secrets && !settings.authSecret)
      console.error(
        'Without --with-secrets or AUTH_SECRET, two-step sign-in and signed links stop working after a restore.',
      )
    if (passphrase === undefined) console.error('This backup is not encrypted. Protect it like the database.')
    if (keep !== undefined) for (const old of await pruneBackups(path.resolve(values.to), keep)) print(`removed ${old}`)
    for (const { key, reason } of made.manifest.missing_files)
      if (reason !== 'deleted') console.error(`${reason}: ${key}`)
    return result.missing_files ? WITH_WARNINGS : 0
  } finally {
    await session.close()
  }
}

async function restore(args: string[], { settings, print }: StandaloneDeps): Promise<number> {
  const { values } = parse(args, {
    from: { type: 'string' },
    check: { type: 'string' },
    replace: { type: 'string' },
    'keep-sessions': { type: 'boolean' },
    'send-pending': { type: 'boolean' },
    'passphrase-file': { type: 'string' },
  })
  if ((values.from === undefined) === (values.check === undefined))
    throw new UsageError('Use --from to restore a backup, or --check to only test it.')
  const passphrase = await readPassphrase(values['passphrase-file'])
  const folder = await backupIn(path.resolve(present(values.from ?? values.check, 'a backup')))
  if (values.check !== undefined) return check(folder, passphrase, settings, print)
  const backup = await openBackup(folder, passphrase)
  const session = await openFor(settings, 'restore')
  try {
    const name = await nameOf(session, settings)
    if (values.replace !== undefined && values.replace !== name)
      throw new UsageError(`--replace needs the name of the database to overwrite, which is "${name}".`)
    await checkTarget(session, values.replace !== undefined).catch((error: Error) => {
      throw values.replace === undefined && error instanceof BackupError
        ? new BackupError(`${error.message}\nTo replace it, add --replace ${name}`)
        : error
    })
    // A restored database never gets sample content and demo logins.
    if (settings.isEmbedded) markSampleLoaded(settings.dataDir)
    print(`Restoring the backup of ${backup.manifest.created_at} from ${folder}`)
    const report = await restoreBackup({
      session,
      store: await openStore(settings),
      backup,
      replaces: values.replace !== undefined,
      preservesSessions: values['keep-sessions'] ?? false,
      sendsPending: values['send-pending'] ?? false,
    })
    return printReport(report, backup.manifest.files.length, print)
  } finally {
    await session.close()
  }
}

async function check(
  folder: string,
  passphrase: string | undefined,
  settings: Settings,
  print: (text: string) => void,
): Promise<number> {
  const startedAt = new Date()
  const { report, result } = await testBackup(folder, passphrase)
  print(`${folder} can be restored.`)
  const code = printReport(report, result.file_count ?? 0, print)
  try {
    const session = await openSession(settings)
    await recordRun(session, 'check', startedAt, result).finally(() => session.close())
  } catch (error) {
    console.error(`The test could not be recorded on Data Management: ${(error as Error).message}`)
  }
  return code
}

function printReport(report: RestoreReport, files: number, print: (text: string) => void): number {
  print(`${report.tables} tables and ${report.rows} rows match the backup, ${files} files.`)
  print(`Policies, grants, triggers and functions: ${report.rulesLost.length === 0 ? 'complete' : 'see below'}.`)
  print(`Sessions ended: ${report.endedSessions}. Administrators who can sign in: ${report.administrators}.`)
  if (report.suspendedMessages + report.suspendedAnnouncements > 0)
    print(
      `Not sent: ${report.suspendedMessages} messages, marked as failed in the outbox, and ${report.suspendedAnnouncements} announcements.`,
    )
  for (const rule of report.rulesLost) console.error(`In the backup but not in this version: ${rule}`)
  if (report.administrators === 0)
    console.error(
      'No administrator can sign in. Create one: npm run portal -- admin:create --email <address> --name <name>',
    )
  return report.rulesLost.length > 0 || report.administrators === 0 ? WITH_WARNINGS : 0
}

/** The folder of a backup itself, or the latest in a folder of backups. */
async function backupIn(folder: string): Promise<string> {
  if (existsSync(path.join(folder, MANIFEST))) return folder
  return (await listBackups(folder))[0] ?? folder
}

async function nameOf(session: Session, { databaseUrl, dataDir }: Settings): Promise<string> {
  if (databaseUrl === undefined) return path.basename(dataDir)
  const [row] = await session.query<{ name: string }>('select current_database() as name')
  return present(row, 'the name of the database').name
}

async function openFor(settings: Settings, purpose: 'back up' | 'restore'): Promise<Session> {
  return openSession(settings).catch((error: Error) => {
    if (!/in use by process/.test(error.message)) throw error
    throw new BackupError(
      purpose === 'restore'
        ? `The portal is running on this data directory. Stop it, then restore.\n${error.message}`
        : `The portal is running on this data directory. Use "Back up now" on Data Management, set BACKUP_TO for automatic backups, or stop the portal first.\n${error.message}`,
    )
  })
}
