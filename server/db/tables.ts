import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { AdvisoryChange } from '#shared/advisories/endpoints.ts'
import type { AdvisoryType, Severity } from '#shared/advisories/severity.ts'

/** A column with a default that is normally left to the database. */
type Instant = ColumnType<Date, Date | string, Date | string>
type OptionalInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
type DefaultInstant = ColumnType<Date, Date | string | undefined, Date | string>
/** `date` columns stay text (YYYY-MM-DD): a Date would be a local midnight. */
type Day = ColumnType<string | null, string | null | undefined, string | null>
type Json<T extends object> = JSONColumnType<T, string | undefined, string>

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
  claimed_until: OptionalInstant
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
  refused: Json<{ item: string; reason: string }[]>
  error: string | null
}

export interface CountryAliasesTable {
  alias: string
  country_code: string
  created_at: DefaultInstant
}

export interface FaqEntriesTable {
  slug: string
  category: string
  position: Generated<number>
  question_en: string
  answer_en: string
  question_ar: string
  answer_ar: string
  is_published: Generated<boolean>
  updated_at: DefaultInstant
}

export interface Tables {
  settings: SettingsTable
  audit_log: AuditLogTable
  public_version: { only_row: Generated<boolean>; version: number }
  public_changes: { version: number; table_name: string; row_id: string }
  advisory_sources: AdvisorySourcesTable
  travel_advisories: TravelAdvisoriesTable
  advisory_versions: AdvisoryVersionsTable
  advisory_acknowledgments: AdvisoryAcknowledgmentsTable
  feed_runs: FeedRunsTable
  country_aliases: CountryAliasesTable
  faq_entries: FaqEntriesTable
}
