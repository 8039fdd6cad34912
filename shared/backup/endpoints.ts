import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'

/** An older backup is shown as a fault. */
export const MAX_BACKUP_HOURS = 26
/** Days between test restores of the latest backup. */
export const CHECK_EVERY_DAYS = 30
/** An older test restore is shown as a fault. */
export const MAX_CHECK_DAYS = 35

export const BackupRun = z.object({
  at: z.string().describe('Start time'),
  backup_at: z.string().nullable().describe('Point in time of the backup'),
  seconds: z.number().nullable(),
  bytes: z.number().nullable(),
  tables: z.int().nullable(),
  rows: z.number().nullable(),
  files: z.int().nullable(),
  missing_files: z.int().nullable().describe('Files with a row but with missing or different content'),
  is_encrypted: z.boolean().nullable(),
  folder: z.string().nullable(),
  error: z.string().nullable(),
})
export type BackupRun = z.infer<typeof BackupRun>

export const BackupState = z.object({
  is_scheduled: z.boolean().describe('Whether automatic backups are on (BACKUP_TO)'),
  every_hours: z.int().nullable(),
  is_running: z.boolean(),
  last_backup: BackupRun.nullable(),
  last_check: BackupRun.nullable().describe('Latest backup that passed a test restore'),
  last_failure: BackupRun.nullable().describe('Error of a backup or test after the last successful one'),
  next_check_at: z.string().nullable(),
  is_late: z.boolean().describe(`No backup, or the last one is older than ${MAX_BACKUP_HOURS} hours`),
  is_untested: z.boolean().describe(`No tested restore, or the last one is older than ${MAX_CHECK_DAYS} days`),
})
export type BackupState = z.infer<typeof BackupState>

export const getBackups = endpoint({
  method: 'GET',
  path: '/admin-operations/backups',
  access: 'manageBackups',
  summary: 'The last backup, the last tested restore, and what could be lost',
  response: BackupState,
})

export const startBackup = endpoint({
  method: 'POST',
  path: '/admin-operations/backups',
  access: 'manageBackups',
  summary: 'Starts a backup; needs a recently confirmed session or the password',
  body: z.strictObject({ current_password: z.string().max(200).optional() }),
  status: 202,
  response: z.object({ started: z.literal(true) }),
})
