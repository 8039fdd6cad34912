import { randomUUID } from 'node:crypto'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { invalid } from '#server/db/records.ts'
import type { AdvisoryChange } from '#shared/advisories/endpoints.ts'
import type { AdvisoryEntry } from '#shared/advisories/entry.ts'
import { NATIONAL_ALERT_LEVELS, NATIONAL_ALERT_WORDING } from '#shared/advisories/severity.ts'
import { present } from '#shared/assert.ts'
import { type AdvisoryRow, changesBetween, type NewAdvisoryRow, rowOf, storable } from '../advisory-row.ts'
import type { FeedItem } from '../feeds/feed.ts'
import { sanitizeDetail } from '../feeds/html.ts'
import { cleanText } from '../feeds/text.ts'
import type { Source } from '../sources.ts'

interface Context {
  source: Source
  countries: Countries
  now: Date
}

/** A source whose advisories are written by administrators. The text of all others comes from their feeds. */
export async function findWritableSource(db: Db, id: string): Promise<Source> {
  const source = await db.selectFrom('advisory_sources').selectAll().where('id', '=', id).executeTakeFirst()
  if (source?.reader === 'manual') return source
  throw invalid({ source_id: 'You cannot write advisories for this source. They come from its feed.' })
}

/**
 * The row of an advisory written by an administrator: new, or replacing `existing`. Built like an imported entry, so
 * that both are searched, sorted, compared and shown alike. The caller sets version, status and whether it is in force.
 */
export function rowOfEntry(entry: AdvisoryEntry, existing: AdvisoryRow | undefined, context: Context): NewAdvisoryRow {
  const item = storable(itemOf(entry, existing, context))
  const { now } = context
  const isOver = item.expiry_date !== null && item.expiry_date <= now
  if (isOver && item.expiry_date?.getTime() !== existing?.expiry_date?.getTime())
    throw invalid({ expiry_date: 'Date must be in the future' })
  return {
    ...rowOf(item, undefined, { ...context, capturedOn: null }),
    urgent_by_portal: false,
    auto_notify: entry.auto_notify,
    national_alert_level: entry.national_alert_level,
    is_active: !isOver && !existing?.withdrawn_at,
    withdrawn_at: existing?.withdrawn_at ?? null,
  }
}

function itemOf(
  entry: AdvisoryEntry,
  existing: AdvisoryRow | undefined,
  { source, countries, now }: Context,
): FeedItem {
  const level = entry.national_alert_level
  const standard = level === null ? null : NATIONAL_ALERT_LEVELS[level]
  const url = entry.source_url || source.homepage
  return {
    external_id: existing?.external_id ?? `manual-${randomUUID()}`,
    title: line(entry.title, 'title'),
    description: line(entry.description, 'description'),
    detailed_information: detailOf(entry.detailed_information, url),
    recommendations: linesOf(entry.recommendations),
    severity_level: present(entry.severity_level ?? standard, 'a severity'),
    is_urgent: entry.is_urgent,
    advisory_type: entry.advisory_type,
    original_level: level === null ? null : String(level),
    original_wording: line(
      entry.original_wording || (level && NATIONAL_ALERT_WORDING[level]) || '',
      'original_wording',
    ),
    country_codes: codesOf(entry.countries, countries),
    unresolved_countries: [],
    affected_regions: linesOf(entry.affected_regions),
    affected_cities: linesOf(entry.affected_cities),
    effective_date: entry.effective_date,
    expiry_date: entry.expiry_date,
    last_updated: entry.last_updated ?? existing?.last_updated ?? now,
    date_precision: 'minute',
    source_url: url,
    language: entry.language,
    status: 'actual',
    supersedes: [],
    is_cancellation: false,
  }
}

/** ISO codes for codes or names; a line may name several countries. Unknown names are reported per line. */
function codesOf(names: readonly string[], countries: Countries): string[] {
  const fields: Record<string, string> = {}
  const codes = names.flatMap((name, index) => {
    const byCode = /^[A-Za-z]{2}$/.test(name) ? countries.find(name) : undefined
    if (byCode) return [byCode.code]
    const { codes, unresolved } = countries.resolveAll(name)
    if (unresolved.length > 0 || codes.length === 0) fields[`countries.${index}`] = doubtAbout(name, countries)
    return codes
  })
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return [...new Set(codes)]
}

function doubtAbout(name: string, countries: Countries): string {
  const [best, second] = countries.search(name, 2)
  return best && second && best.score === second.score && best.score >= SHARED_NAME_SCORE
    ? 'Several countries have this name. Enter the full name or the code.'
    : 'We do not know this country. Check the spelling.'
}

// From an alias upwards a match is a name of the country, not merely similar.
const SHARED_NAME_SCORE = 85

/** HTML is sanitised; plain text becomes paragraphs, separated by empty lines. */
function detailOf(text: string, url: string): string | null {
  if (text === '') return null
  const html = /<[a-z/!]/i.test(text) ? text : paragraphs(text)
  return sanitizeDetail(html, url) || null
}

function paragraphs(text: string): string {
  const escaped = text.replace(/&(?!#?\w+;)/g, '&amp;').replace(/</g, '&lt;')
  return escaped
    .split(/\r?\n\s*\r?\n/)
    .map((paragraph) => `<p>${paragraph.trim().replace(/\r?\n/g, '<br>')}</p>`)
    .join('\n')
}

function linesOf(texts: readonly string[]): string[] {
  return [...new Set(texts.map(cleanText).filter(Boolean))]
}

/** Text of invisible characters only counts as empty, whatever its length. */
function line(text: string, field: string): string {
  const cleaned = cleanText(text)
  if (cleaned === '') throw invalid({ [field]: 'This field is required' })
  return cleaned
}

/** Changed fields: those an import compares, and those only administrators change. */
export function allChangesBetween(existing: AdvisoryRow, row: NewAdvisoryRow): AdvisoryChange[] {
  const changes = changesBetween(existing, row)
  const note = (field: string, before: unknown, after: unknown) => {
    const [was, is] = [textOf(before), textOf(after)]
    if (was !== is) changes.push({ field, before: was, after: is })
  }
  note('affected_cities', existing.affected_cities, row.affected_cities)
  note('advisory_type', existing.advisory_type, row.advisory_type)
  note('national_alert_level', existing.national_alert_level, row.national_alert_level)
  note('source_url', existing.source_url, row.source_url)
  note('language', existing.language, row.language)
  return changes
}

function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(', ') || null
  return value === null || value === undefined ? null : String(value)
}
