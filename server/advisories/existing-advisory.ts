import type { AdvisoryRow } from './advisory-row.ts'

/** The fields needed to detect changes of an advisory; long texts are loaded only for changed ones. */
export type ExistingAdvisory = Pick<
  AdvisoryRow,
  | 'id'
  | 'external_id'
  | 'title'
  | 'content_hash'
  | 'last_updated'
  | 'date_precision'
  | 'severity_level'
  | 'is_urgent'
  | 'original_wording'
  | 'country_codes'
  | 'missing_since'
  | 'withdrawn_at'
  | 'expiry_date'
  | 'captured_on'
  | 'is_active'
  | 'pending_severity_level'
  | 'pending_since'
  | 'pending_reason'
  | 'pending_document'
  | 'version'
> & { has_text: boolean }
