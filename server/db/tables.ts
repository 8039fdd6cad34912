import type { ColumnType, Generated } from 'kysely'
import type { AuditAction } from '#shared/audit/actions.ts'
import type { Bucket } from '#shared/files/buckets.ts'
import type { Translated } from '#shared/text.ts'
import type { DefaultInstant, Json, OptionalInstant } from './column-types.ts'
import type { AccountTables } from './tables-accounts.ts'
import type { AdvisoryTables } from './tables-advisories.ts'
import type { AssistantTables } from './tables-assistant.ts'
import type { ChurchTables } from './tables-churches.ts'
import type { DeliveryTables } from './tables-delivery.ts'
import type { ImportTables } from './tables-imports.ts'
import type { NotificationTables } from './tables-notifications.ts'
import type { PdosTables } from './tables-pdos.ts'
import type { RollCallTables } from './tables-roll-calls.ts'
import type { SignInTables } from './tables-sign-ins.ts'

export interface SettingsTable {
  key: string
  value: ColumnType<unknown, string, string>
  updated_at: DefaultInstant
  updated_by: string | null
}

export interface AuditLogTable {
  id: Generated<number>
  at: DefaultInstant
  actor_id: string | null
  actor_role: string
  action: ColumnType<string, AuditAction, never>
  subject_type: string
  subject_id: string
  before: ColumnType<unknown, string | null | undefined, never>
  after: ColumnType<unknown, string | null | undefined, never>
  reason: string | null
}

export interface BackupRunsTable {
  id: Generated<number>
  kind: 'backup' | 'check'
  status: 'running' | 'done' | 'failed'
  started_at: DefaultInstant
  finished_at: OptionalInstant
  folder: Generated<string | null>
  /** Point in time of the backup. */
  backup_at: OptionalInstant
  bytes: Generated<number | null>
  table_count: Generated<number | null>
  row_count: Generated<number | null>
  file_count: Generated<number | null>
  missing_files: Generated<number | null>
  is_encrypted: Generated<boolean | null>
  error: Generated<string | null>
  started_by: Generated<string | null>
}

export interface CountryAliasesTable {
  alias: string
  country_code: string
  created_at: DefaultInstant
}

export interface FaqEntriesTable {
  id: Generated<string>
  slug: string
  category: string
  position: Generated<number>
  question: Json<Translated>
  /** Markdown. */
  answer: Json<Translated>
  is_published: Generated<boolean>
  created_at: DefaultInstant
  updated_at: DefaultInstant
}

/** Entries of the shipped file that were loaded once. */
export interface ShippedFaqEntriesTable {
  slug: string
  /** Of the entry as it was loaded: one with another hash was edited. Null: edited before this was recorded. */
  content_hash: string | null
}

export interface StoredFilesTable {
  id: Generated<string>
  bucket: Bucket
  owner_id: string
  path: string
  name: string
  content_type: string
  size: number
  sha256: string
  created_at: DefaultInstant
}

export interface Tables
  extends AccountTables,
    AdvisoryTables,
    AssistantTables,
    ChurchTables,
    DeliveryTables,
    ImportTables,
    NotificationTables,
    PdosTables,
    RollCallTables,
    SignInTables {
  stored_files: StoredFilesTable
  settings: SettingsTable
  audit_log: AuditLogTable
  public_version: { only_row: Generated<boolean>; version: number }
  public_changes: { version: number; table_name: string; row_id: string }
  backup_runs: BackupRunsTable
  country_aliases: CountryAliasesTable
  faq_entries: FaqEntriesTable
  shipped_faq_entries: ShippedFaqEntriesTable
}
