import { createHash } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import type { TravelAdvisoriesTable } from '#server/db/tables-advisories.ts'
import type { AdvisoryChange } from '#shared/advisories/endpoints.ts'
import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import { fold } from '#shared/countries/fold.ts'
import { typeColumns } from './advisory-type.ts'
import type { FeedItem } from './feeds/feed.ts'
import type { Source } from './sources.ts'

export type AdvisoryRow = Selectable<TravelAdvisoriesTable>
/** The columns that the database would fill in, and that a preview and a version show. */
type Shown = keyof Pick<
  AdvisoryRow,
  | 'description'
  | 'advisory_type'
  | 'affected_countries'
  | 'country_codes'
  | 'affected_regions'
  | 'affected_cities'
  | 'recommendations'
  | 'language'
  | 'date_precision'
  | 'is_active'
  | 'is_urgent'
  | 'auto_notify'
>
export type NewAdvisoryRow = Omit<Insertable<TravelAdvisoriesTable>, Shown> & Pick<AdvisoryRow, Shown>

/**
 * Why an entry cannot be stored as it is, or undefined. Readers should have refused it; the database would reject it.
 */
export function reasonAgainst(item: FeedItem): string | undefined {
  if (!item.external_id.trim()) return 'Has no identity'
  if (!item.title.trim()) return 'Has no title'
  const dates = [item.last_updated, item.effective_date, item.expiry_date]
  if (dates.some((date) => date && Number.isNaN(date.getTime()))) return 'Has a date that is none'
  if (item.expiry_date && item.effective_date && item.expiry_date < item.effective_date)
    return 'Expires before it takes effect'
  return undefined
}

/** The entry without characters PostgreSQL cannot store: NUL and unpaired surrogates. */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\u0000', '').toWellFormed() as T
  if (Array.isArray(value)) return value.map(storable) as T
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, storable(child)])) as T
}

/** Equal for two entries exactly if all their fields are equal. */
export function hashOf(item: FeedItem): string {
  const fields = Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url')
}

interface RowContext {
  source: Source
  countries: Countries
  now: Date
  capturedOn: string | null
}

/** The row of an entry: a new one, or replacing `existing`. The caller sets the version. */
export function rowOf(item: FeedItem, existing: AdvisoryRow | undefined, context: RowContext): NewAdvisoryRow {
  const { supersedes: _, is_cancellation, ...fields } = item
  const { countries, source, now } = context
  const withdrawn_at = stillWithdrawn(existing, item)
  const isReleased = Boolean(existing?.withdrawn_at) && !withdrawn_at
  // The portal's own urgent mark ends once the source marks the entry urgent.
  const urgent_by_portal = !item.is_urgent && (existing?.urgent_by_portal ?? false)
  return {
    ...fields,
    ...typeColumns(item),
    auto_notify: existing?.auto_notify ?? source.auto_notify,
    is_urgent: item.is_urgent || urgent_by_portal,
    urgent_by_portal,
    withdrawn_at,
    source_id: source.id,
    source_organization: source.organization,
    source_url: /^https?:\/\//i.test(item.source_url) ? item.source_url : source.homepage,
    affected_countries: [...item.country_codes.map((code) => countries.nameOf(code)), ...item.unresolved_countries],
    national_alert_level: null,
    content_hash: hashOf(item),
    missing_since: null,
    ...NOTHING_PENDING,
    captured_on: context.capturedOn,
    is_active:
      !is_cancellation && !hasExpired(item, now) && !withdrawn_at && (isReleased || mayBeInForce(existing, now)),
    updated_at: now,
    search_text: searchText(item, countries),
  }
}

/** Level columns with no pending lower level. */
export const NOTHING_PENDING = {
  pending_severity_level: null,
  pending_wording: null,
  pending_since: null,
  pending_reason: null,
  pending_document: null,
  pending_item: null,
} as const

function hasExpired({ expiry_date }: { expiry_date: Date | null }, now: Date): boolean {
  return expiry_date !== null && expiry_date <= now
}

/** An entry ended by a later alert or by an administrator is not reopened by an edit of its text. */
function mayBeInForce(existing: AdvisoryRow | undefined, now: Date): boolean {
  return !existing || existing.is_active || existing.missing_since !== null || hasExpired(existing, now)
}

/** A manual withdrawal lasts until the source gives a higher severity than at the withdrawal: that is a new warning. */
function stillWithdrawn(existing: AdvisoryRow | undefined, item: FeedItem): Date | null {
  if (!existing?.withdrawn_at) return null
  return SEVERITY_RANK[item.severity_level] > SEVERITY_RANK[existing.severity_level] ? null : existing.withdrawn_at
}

/** Search text: title, summary and the countries' names in both interface languages. */
export function searchText(
  item: Pick<FeedItem, 'title' | 'description' | 'country_codes' | 'unresolved_countries'>,
  countries: Countries,
): string {
  const names = item.country_codes.flatMap((code) => [countries.nameOf(code), countries.find(code)?.names.ar ?? ''])
  return fold([item.title, item.description, ...names, ...item.unresolved_countries].filter(Boolean).join(' \n '))
}

/** Publicly visible changes, field by field. Long texts are not repeated: their values are null. */
export function changesBetween(existing: AdvisoryRow, row: NewAdvisoryRow): AdvisoryChange[] {
  const changes: AdvisoryChange[] = []
  const note = (field: string, before: string | null, after: string | null) => {
    if (before !== after) changes.push({ field, before, after })
  }
  note('severity_level', existing.severity_level, row.severity_level)
  note('original_wording', existing.original_wording, row.original_wording)
  note('title', existing.title, row.title)
  note('is_urgent', String(existing.is_urgent), String(row.is_urgent))
  note('affected_countries', listed(existing.affected_countries), listed(row.affected_countries))
  note('affected_regions', listed(existing.affected_regions), listed(row.affected_regions))
  if (existing.description !== row.description || existing.detailed_information !== (row.detailed_information ?? null))
    changes.push({ field: 'text', before: null, after: null })
  if (existing.recommendations.join('\n') !== row.recommendations?.join('\n'))
    changes.push({ field: 'recommendations', before: null, after: null })
  note('effective_date', instant(existing.effective_date), instant(row.effective_date))
  note('expiry_date', instant(existing.expiry_date), instant(row.expiry_date))
  note('last_updated', instant(existing.last_updated), instant(row.last_updated))
  return changes
}

function listed(names: string[] | undefined): string | null {
  return names?.toSorted().join(', ') || null
}

function instant(date: Date | string | null | undefined): string | null {
  return date ? new Date(date).toISOString() : null
}

/** YYYY-MM-DD of an instant, in UTC. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
