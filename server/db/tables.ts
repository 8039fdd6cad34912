import type { ColumnType, Generated } from 'kysely'
import type { AccountActionKind, AccountActionResult } from '#shared/accounts/account-actions.ts'
import type {
  AuthProvider,
  EmergencyContact,
  Preferences,
  ProfileStatus,
  RegistrationMethod,
} from '#shared/accounts/profile.ts'
import type { SignInChangeKind } from '#shared/accounts/sign-in-changes.ts'
import type { AdvisoryChange } from '#shared/advisories/endpoints.ts'
import type { SourceMapping } from '#shared/advisories/mapping.ts'
import type { AdvisoryType, Severity } from '#shared/advisories/severity.ts'
import type { AdvisoryReason, Priority } from '#shared/delivery/kinds.ts'
import type { Bucket } from '#shared/files/buckets.ts'
import type { Language } from '#shared/language.ts'
import type { Role } from '#shared/roles.ts'
import type { Translated } from '#shared/text.ts'
import type { Day, DefaultInstant, Instant, Json, OptionalInstant } from './column-types.ts'
import type { AssistantTables } from './tables-assistant.ts'
import type { ChurchTables } from './tables-churches.ts'
import type { ImportTables } from './tables-imports.ts'
import type { NotificationTables } from './tables-notifications.ts'
import type { PdosTables } from './tables-pdos.ts'
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
  action: string
  subject_type: string
  subject_id: string
  before: ColumnType<unknown, string | null | undefined, never>
  after: ColumnType<unknown, string | null | undefined, never>
  reason: string | null
}

export interface AdvisorySourcesTable {
  id: string
  name: string
  organization: string
  authority: string
  country_code: string | null
  reader: string
  url: string | null
  homepage: string
  language: Generated<string>
  licence: string
  licence_url: string | null
  interval_seconds: Generated<number>
  minimum_items: Generated<number>
  is_enabled: Generated<boolean>
  /** Inherited by each new advisory of the source. */
  auto_notify: Generated<boolean>
  position: Generated<number>
  last_attempt_at: OptionalInstant
  last_success_at: OptionalInstant
  last_change_at: OptionalInstant
  next_attempt_at: DefaultInstant
  item_count: Generated<number>
  error: string | null
  etag: string | null
  last_modified: string | null
  content_hash: string | null
  captured_on: Day
  leased_until: OptionalInstant
  /** How its documents are mapped; null when its parser needs none. */
  mapping: ColumnType<SourceMapping | null, SourceMapping | null | undefined, SourceMapping | null>
  retired_at: OptionalInstant
  created_at: DefaultInstant
  updated_at: DefaultInstant
}

export interface TravelAdvisoriesTable {
  id: Generated<string>
  source_id: string
  external_id: string
  title: string
  description: Generated<string>
  detailed_information: string | null
  severity_level: Severity
  severity_rank: ColumnType<number, never, never>
  advisory_type: Generated<AdvisoryType>
  /** Every type its text mentions; null when the text was not analysed for types. */
  advisory_types: string[] | null
  affected_countries: Generated<string[]>
  country_codes: Generated<string[]>
  unresolved_countries: Generated<string[]>
  affected_regions: Generated<string[]>
  affected_cities: Generated<string[]>
  recommendations: Generated<string[]>
  source_organization: string
  source_url: string
  language: Generated<string>
  original_level: string | null
  original_wording: string
  national_alert_level: number | null
  effective_date: OptionalInstant
  expiry_date: OptionalInstant
  last_updated: Instant
  date_precision: Generated<'day' | 'minute'>
  version: Generated<number>
  changed_at: OptionalInstant
  content_hash: string
  status: Generated<'actual' | 'exercise' | 'system' | 'test' | 'draft'>
  missing_since: OptionalInstant
  captured_on: Day
  is_active: Generated<boolean>
  is_urgent: Generated<boolean>
  auto_notify: Generated<boolean>
  withdrawn_at: OptionalInstant
  urgent_by_portal: Generated<boolean>
  /** A lower level that the source shows but that is not yet accepted. */
  pending_severity_level: Severity | null
  pending_wording: string | null
  pending_since: OptionalInstant
  pending_reason: 'no_text' | 'two_levels' | 'same_date' | 'mass' | null
  pending_document: string | null
  pending_item: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
  created_at: DefaultInstant
  updated_at: DefaultInstant
  search_text: Generated<string>
}

export interface AdvisoryVersionsTable {
  advisory_id: string
  version: number
  recorded_at: DefaultInstant
  last_updated: Instant
  date_precision: 'day' | 'minute'
  severity_level: Severity
  title: string
  original_wording: string
  description: string
  detailed_information: string | null
  recommendations: Generated<string[]>
  expiry_date: OptionalInstant
  changes: Json<AdvisoryChange[]>
}

export interface AdvisoryAcknowledgmentsTable {
  advisory_id: string
  user_id: string
  version: number
  acknowledged_at: DefaultInstant
  recorded_at: DefaultInstant
}

/** Changes that a source delivered in a burst: an administrator releases or drops them. */
export interface WithheldAnnouncementsTable {
  id: Generated<string>
  source_id: string
  advisory_id: string
  advisory_version: number
  reason: Exclude<AdvisoryReason, 'manual'>
  priority: Priority
  announcement_key: string
  texts: Json<Record<Language, { title: string; message: string; [value: string]: string }>>
  withheld_at: DefaultInstant
  decided_at: OptionalInstant
  decision: 'released' | 'dropped' | null
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

export interface FeedRunsTable {
  id: Generated<string>
  source_id: string
  started_at: DefaultInstant
  finished_at: OptionalInstant
  cause: 'schedule' | 'manual' | 'file' | 'sample'
  status: Generated<'running' | 'ok' | 'unchanged' | 'failed' | 'refused'>
  fetched: Generated<number>
  added: Generated<number>
  updated: Generated<number>
  unchanged: Generated<number>
  missing: Generated<number>
  unresolved: Json<{ item: string; name: string }[]>
  rejected: Json<{ item: string; reason: string }[]>
  error: string | null
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

export interface AuthSessionsTable {
  id: string
  user_id: string
  token: string
  expires_at: Instant
  /** 'password' (with email or phone), 'google', 'mcgi-hub', 'code', 'link', 'phone', 'passkey'. */
  sign_in_method: Generated<string>
  second_factor_at: OptionalInstant
  /** When the password was last entered again. */
  confirmed_at: OptionalInstant
  /** When the method that started it was added; null: unknown. */
  method_since: OptionalInstant
  user_agent: string | null
  ip_address: string | null
  created_at: DefaultInstant
  updated_at: DefaultInstant
}

/** A change of a user's sign-in methods, for as long as it can be undone. */
export interface SignInChangesTable {
  id: Generated<string>
  /** Of auth_users. */
  user_id: string
  kind: SignInChangeKind
  /** State that an undo restores. */
  former: ColumnType<object, string>
  undo_token_hash: string | null
  changed_at: DefaultInstant
  expires_at: Instant
  undone_at: OptionalInstant
}

export interface PersonsTable {
  id: Generated<string>
  first_name: string
  last_name: Generated<string>
  email: string | null
  mcgi_id: string | null
  person_types: Generated<string[]>
  status: Generated<'active' | 'inactive' | 'deceased' | 'erased'>
  created_at: DefaultInstant
  updated_at: DefaultInstant
}

export interface UserProfilesTable {
  id: Generated<string>
  auth_user_id: string | null
  person_id: string | null
  email: string
  email_verified: Generated<boolean>
  display_name: string
  role: Generated<Role>
  scope_countries: string[] | null
  scope_chapters: string[] | null
  /** Unrestricted scope, for scope_reason; without this or a place the role has no effect anywhere. */
  scope_everywhere: Generated<boolean>
  scope_reason: string | null
  chapter_id: string | null
  role_ends_at: OptionalInstant
  permissions: Generated<string[]>
  profile_status: Generated<ProfileStatus>
  status_reason: string | null
  is_flagged: Generated<boolean>
  auth_provider: Generated<AuthProvider>
  registration_method: Generated<RegistrationMethod>
  mcgi_hub_id: string | null
  preferred_language: Generated<string>
  time_zone: string | null
  phone_number: string | null
  phone_verified: Generated<boolean>
  country_code: string | null
  countries: Generated<string[]>
  emergency_contact: Json<EmergencyContact>
  preferences: Json<Preferences>
  photo_file_id: string | null
  admin_notes: Generated<string>
  terms_accepted_at: OptionalInstant
  last_login_at: OptionalInstant
  verified_at: OptionalInstant
  verified_by: string | null
  search_text: ColumnType<string, never, never>
  created_at: DefaultInstant
  updated_at: DefaultInstant
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

/** Bulk actions on accounts. */
export interface AccountActionsTable {
  id: Generated<string>
  /** Idempotency key of the submitted form. */
  request_key: string
  kind: AccountActionKind
  actor_id: string
  message: string | null
  /** Ids that the actor sent but cannot see. */
  missing: Generated<string[]>
  created_at: DefaultInstant
  undone_at: OptionalInstant
  undone_by: string | null
}

export interface AccountActionItemsTable {
  action_id: string
  user_id: string
  result: AccountActionResult
  earlier_by: string | null
  undo_result: 'undone' | 'changed_since' | null
}

export interface Tables
  extends AssistantTables,
    ChurchTables,
    ImportTables,
    NotificationTables,
    PdosTables,
    SignInTables {
  auth_users: {
    id: string
    name: string
    email: string
    email_verified: boolean
    phone_number: string | null
    phone_number_verified: Generated<boolean | null>
    two_factor_enabled: boolean | null
    /** When the current address, and the current number, were set. */
    email_since: DefaultInstant
    phone_since: OptionalInstant
    updated_at: DefaultInstant
    registration: ColumnType<object, string | undefined, string>
    created_at: DefaultInstant
  }
  auth_sessions: AuthSessionsTable
  auth_refresh_tokens: {
    token_hash: string
    session_id: string
    used_at: OptionalInstant
    created_at: DefaultInstant
  }
  auth_accounts: {
    id: string
    user_id: string
    provider_id: string
    account_id: string
    password: string | null
    access_token: string | null
    refresh_token: string | null
    id_token: string | null
    /** When it was linked, or its password was changed. */
    since: DefaultInstant
    created_at: DefaultInstant
  }
  auth_two_factors: {
    id: string
    user_id: string
    /** Encrypted; the codes are hashed. */
    secret: string
    backup_codes: string
    verified: boolean | null
    failed_verification_count: number | null
    locked_until: OptionalInstant
    /** Time step of the last accepted code: no code works twice. */
    last_step: number | null
    /** When it was set up, or its recovery codes were renewed. */
    since: DefaultInstant
  }
  auth_verifications: {
    id: string
    identifier: string
    value: string
    expires_at: Instant
    created_at: DefaultInstant
  }
  auth_passkeys: {
    id: string
    user_id: string
    name: string | null
    credential_id: string
    created_at: OptionalInstant
    since: DefaultInstant
  }
  sign_in_changes: SignInChangesTable
  auth_secrets: { name: string; value: string }
  rate_limits: { key: string; used: number; resets_at: Instant }
  persons: PersonsTable
  user_profiles: UserProfilesTable
  account_actions: AccountActionsTable
  account_action_items: AccountActionItemsTable
  stored_files: StoredFilesTable
  settings: SettingsTable
  audit_log: AuditLogTable
  public_version: { only_row: Generated<boolean>; version: number }
  public_changes: { version: number; table_name: string; row_id: string }
  advisory_sources: AdvisorySourcesTable
  travel_advisories: TravelAdvisoriesTable
  advisory_versions: AdvisoryVersionsTable
  advisory_acknowledgments: AdvisoryAcknowledgmentsTable
  feed_runs: FeedRunsTable
  backup_runs: BackupRunsTable
  withheld_announcements: WithheldAnnouncementsTable
  country_aliases: CountryAliasesTable
  faq_entries: FaqEntriesTable
  shipped_faq_entries: ShippedFaqEntriesTable
}
