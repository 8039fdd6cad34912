import type { Countries } from '#server/countries/reference.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { AdvisoryText } from '#shared/advisories/advisory-text.ts'
import type { Readers } from '#shared/advisories/announcements.ts'
import type { Advisory, AdvisoryChange } from '#shared/advisories/endpoints.ts'
import type { AdvisoryEntry } from '#shared/advisories/entry.ts'
import type { Removal } from '#shared/advisories/visibility.ts'
import { advisoryTextOf } from '../advisory-text.ts'
import type { AdvisoryModel } from '../model.ts'
import type { Source } from '../sources.ts'
import { countSubscribers } from './announcements.ts'
import { allChangesBetween, rowOfEntry } from './entry.ts'

interface Context {
  source: Source
  now: Date
  countries: Countries
  model: AdvisoryModel
}

/** Placeholder id of an advisory that is not saved yet. */
const NOT_YET = '00000000-0000-4000-8000-000000000000'

/** What saving would publish and which fields would change. Nothing is written. */
export async function previewAdvisory(
  db: Db,
  entry: AdvisoryEntry,
  id: string | undefined,
  { source, now, countries, model }: Context,
): Promise<{
  advisory: Advisory
  text: AdvisoryText
  changes: AdvisoryChange[]
  removal: Removal | null
  readers: Readers
}> {
  const existing = id
    ? await db.selectFrom('travel_advisories').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  const row = rowOfEntry(entry, existing, { source, now, countries })
  const changes = existing && existing.status !== 'draft' ? allChangesBetween(existing, row) : []
  const iso = (date: Date | string) => new Date(date).toISOString()
  const isoOrNull = (date: Date | string | null | undefined) => (date ? iso(date) : null)
  const advisory: Advisory = {
    id: existing?.id ?? NOT_YET,
    title: row.title,
    description: row.description,
    detailed_information: row.detailed_information ?? null,
    severity_level: row.severity_level,
    advisory_type: row.advisory_type,
    affected_countries: row.affected_countries,
    country_codes: row.country_codes,
    unresolved_countries: [],
    affected_regions: row.affected_regions,
    affected_cities: row.affected_cities,
    recommendations: row.recommendations,
    source_id: row.source_id,
    source_organization: row.source_organization,
    source_url: row.source_url,
    language: row.language,
    original_level: row.original_level ?? null,
    original_wording: row.original_wording,
    national_alert_level: row.national_alert_level ?? null,
    effective_date: isoOrNull(row.effective_date),
    expiry_date: isoOrNull(row.expiry_date),
    last_updated: iso(row.last_updated),
    date_precision: 'minute',
    version: (existing?.version ?? 1) + (changes.length > 0 ? 1 : 0),
    changed_at: changes.length > 0 ? now.toISOString() : isoOrNull(existing?.changed_at),
    created_at: iso(existing?.created_at ?? now),
    updated_at: now.toISOString(),
    missing_since: null,
    captured_on: null,
    pending_severity_level: null,
    pending_wording: null,
    pending_since: null,
    pending_reason: null,
    is_active: row.is_active,
    is_urgent: row.is_urgent,
    urgent_by_portal: false,
    auto_notify: row.auto_notify,
    acknowledgment_count: 0,
    last_acknowledged_at: null,
  }
  const text = advisoryTextOf(advisory, { isManual: true })
  const readers = await asPortal(db, () => countSubscribers(db, { advisory: row }))
  return { advisory, text, changes, removal: model.removalOf(advisory), readers }
}
