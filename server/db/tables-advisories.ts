import type { ColumnType, Generated } from 'kysely'
import type { AdvisoryChange } from '#shared/advisories/endpoints.ts'
import type { SourceMapping } from '#shared/advisories/mapping.ts'
import type { AdvisoryType, Severity } from '#shared/advisories/severity.ts'
import type { AdvisoryReason, Priority } from '#shared/delivery/kinds.ts'
import type { Localized } from '#shared/language.ts'
import type { Day, DefaultInstant, Instant, Json, OptionalInstant } from './column-types.ts'

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
  texts: Json<Localized<{ title: string; message: string; [value: string]: string }>>
  withheld_at: DefaultInstant
  decided_at: OptionalInstant
  decision: 'released' | 'dropped' | null
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

export interface AdvisoryTables {
  advisory_sources: AdvisorySourcesTable
  travel_advisories: TravelAdvisoriesTable
  advisory_versions: AdvisoryVersionsTable
  advisory_acknowledgments: AdvisoryAcknowledgmentsTable
  feed_runs: FeedRunsTable
  withheld_announcements: WithheldAnnouncementsTable
}
