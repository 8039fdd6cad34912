import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'

/** An older backup is shown as a fault. */
export const MAX_BACKUP_HOURS = 26
/** Days between test restores of the latest backup. */
export const CHECK_EVERY_DAYS = 30
/** An older test restore is shown as a fault. */
export const MAX_CHECK_DAYS = 35

export const BackupRun = z.object({
  at: z.string().describe('When it began'),
  backup_at: z.string().nullable().describe('Of what moment the backup is'),
  seconds: z.number().nullable(),
  bytes: z.number().nullable(),
  tables: z.int().nullable(),
  rows: z.number().nullable(),
  files: z.int().nullable(),
  missing_files: z.int().nullable().describe('Files that have a row and no bytes, or other bytes than it says'),
  is_encrypted: z.boolean().nullable(),
  folder: z.string().nullable(),
  error: z.string().nullable(),
})
export type BackupRun = z.infer<typeof BackupRun>

export const BackupState = z.object({
  is_scheduled: z.boolean().describe('Whether the portal makes backups itself (BACKUP_TO)'),
  every_hours: z.int().nullable(),
  is_running: z.boolean(),
  last_backup: BackupRun.nullable(),
  last_check: BackupRun.nullable().describe('The last backup that was restored to see whether it works'),
  last_failure: BackupRun.nullable().describe('Of a backup or a test that was tried after the last good one'),
  next_check_at: z.string().nullable(),
  is_late: z.boolean().describe(`No backup, or one older than ${MAX_BACKUP_HOURS} hours`),
  is_untested: z.boolean().describe(`No tested restore, or one older than ${MAX_CHECK_DAYS} days`),
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
  summary: 'Makes a backup now; needs a session that has just begun, or the password',
  body: z.strictObject({ current_password: z.string().max(200).optional() }),
  status: 202,
  response: z.object({ started: z.literal(true) }),
})
