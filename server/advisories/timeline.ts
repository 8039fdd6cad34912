import type { AdvisoryVersion } from '#shared/advisories/endpoints.ts'
import { changeKind, type TimelineEvent, type TimelineKind } from '#shared/advisories/timeline.ts'
import type { CachedAdvisory } from './queries.ts'

interface Context {
  now: Date
  /** Events of one country only; its English name, as changes of an advisory's countries list it. */
  country?: { code: string; name: string } | undefined
  /** Feeds of one authority may report the same event twice. */
  authorityOf: (sourceId: string) => string
  /** Source ids, most trusted first. */
  preferred: readonly string[]
  /** When the portal read a source for the first time: entries listed then were not new. */
  firstReadOf: (sourceId: string) => string
}

/** All events of the advisories, newest first: new, changed and ended, including those no longer in force. */
export function timelineOf(advisories: readonly CachedAdvisory[], context: Context): TimelineEvent[] {
  const events = advisories.flatMap((cached) => eventsOf(cached, context))
  return withoutDuplicates(events, context).sort(byTime)
}

function eventsOf(cached: CachedAdvisory, context: Context): TimelineEvent[] {
  if (wasNeverInForce(cached, context.now)) return []
  const versions = cached.versions.toSorted((a, b) => a.version - b.version)
  const covers = coverage(cached, versions, context.country)
  // Without a version it covers what it says now.
  const isCovered = covers.at(-1) ?? coversNow(cached, context.country)
  if (!isCovered && !covers.includes(true)) return []
  const past = versions.flatMap((version, index) => [
    ...extensionEvents(cached, version, covers[index - 1] ?? false),
    ...versionEvent(cached, version, { before: versions[index - 1], covers, index, context }),
  ])
  return isCovered ? [...past, ...endEvents(cached, context.now)] : past
}

/** A cancellation is stored like an alert, but only ends others: nothing was written since its first version. */
function wasNeverInForce({ advisory, versions, withdrawn_at }: CachedAdvisory, now: Date): boolean {
  const { is_active, missing_since, updated_at } = advisory
  const isAsRead = versions.length === 1 && versions[0]?.recorded_at === updated_at
  return !is_active && isAsRead && !missing_since && !withdrawn_at && !isOver(advisory, now)
}

const coversNow = ({ advisory }: CachedAdvisory, country: Context['country']) =>
  !country || advisory.country_codes.includes(country.code)

/** Per version, whether it covered the country: each follows from how the next one changed the countries. */
function coverage(cached: CachedAdvisory, versions: readonly AdvisoryVersion[], country: Context['country']) {
  if (!country) return versions.map(() => true)
  let isCovered = coversNow(cached, country)
  return versions
    .toReversed()
    .map(({ changes }) => {
      const covered = isCovered
      const change = changes.find(({ field }) => field === 'affected_countries')
      if (change) isCovered = `, ${change.before}, `.includes(`, ${country.name}, `)
      return covered
    })
    .reverse()
}

interface Place {
  before: AdvisoryVersion | undefined
  covers: readonly boolean[]
  index: number
  context: Context
}

function versionEvent(cached: CachedAdvisory, version: AdvisoryVersion, place: Place): TimelineEvent[] {
  const { before, covers, index, context } = place
  const [isCovered, wasCovered] = [covers[index], index > 0 && covers[index - 1]]
  const base = {
    ...common(cached.advisory),
    id: before ? `v${version.version}` : '',
    title: version.title,
    at: version.last_updated,
    date_precision: version.date_precision,
    recorded_at: version.recorded_at,
    before: before?.severity_level ?? null,
    after: version.severity_level,
    wording: version.original_wording,
    changes: version.changes,
  }
  if (isCovered && !wasCovered) {
    const isFirstReading = !before && version.recorded_at <= context.firstReadOf(cached.advisory.source_id)
    return [{ ...base, kind: isFirstReading ? 'first_read' : 'new', before: null, changes: [] }]
  }
  if (before && wasCovered && !isCovered)
    return [{ ...base, kind: 'excluded', after: null, wording: before.original_wording, changes: [] }]
  if (!isCovered || version.changes.length === 0) return []
  return [{ ...base, kind: changeKind(version.changes) }]
}

/** It had expired before this version gave it a later end. */
function extensionEvents(cached: CachedAdvisory, version: AdvisoryVersion, wasCovered: boolean): TimelineEvent[] {
  const end = version.changes.find(({ field }) => field === 'expiry_date')?.before
  return wasCovered && end && end <= version.recorded_at ? [endEvent(cached, 'expired', { at: end })] : []
}

/** How an advisory ended, or that its source no longer lists it. Ids must not move with a later write of the row. */
function endEvents(cached: CachedAdvisory, now: Date): TimelineEvent[] {
  const { missing_since, version } = cached.advisory
  const end = cached.is_merged ? null : endOf(cached, now)
  if (!end) return []
  const ids: Partial<Record<TimelineKind, string | number>> = { cancelled: `v${version}` }
  if (missing_since) ids.ended = Date.parse(missing_since)
  const event = endEvent(cached, end.kind, { at: end.at, id: ids[end.kind] ?? Date.parse(end.at) })
  // Replaced by another group, or in an extract only: it ended as soon as it was missing.
  const wasMissing = missing_since && (end.kind === 'expired' || (end.kind === 'ended' && end.at !== missing_since))
  return wasMissing ? [endEvent(cached, 'missing', { at: missing_since }), event] : [event]
}

interface End {
  kind: 'withdrawn' | 'expired' | 'missing' | 'ended' | 'cancelled'
  at: string
}

/** How and when an advisory ended, or went missing from its source; null if neither. */
export function endOf(
  { advisory, withdrawn_at }: Pick<CachedAdvisory, 'advisory' | 'withdrawn_at'>,
  now: Date,
): End | null {
  const { is_active, missing_since, updated_at } = advisory
  if (withdrawn_at) return { kind: 'withdrawn', at: withdrawn_at }
  if (isOver(advisory, now)) return { kind: 'expired', at: advisory.expiry_date }
  if (is_active) return missing_since ? { kind: 'missing', at: missing_since } : null
  // The last write of the row, unless an administrator marked it since.
  return { kind: missing_since ? 'ended' : 'cancelled', at: updated_at }
}

/** Whether it expired: a row that ended before its expiry date did not. */
function isOver<A extends CachedAdvisory['advisory']>(advisory: A, now: Date): advisory is A & { expiry_date: string } {
  const { expiry_date, is_active, updated_at } = advisory
  return expiry_date !== null && Date.parse(expiry_date) <= now.getTime() && (is_active || expiry_date <= updated_at)
}

function endEvent(
  { advisory }: CachedAdvisory,
  kind: TimelineKind,
  { at, id = Date.parse(at) }: { at: string; id?: string | number },
): TimelineEvent {
  return {
    ...common(advisory),
    id: `${kind}-${id}`,
    kind,
    title: advisory.title,
    at,
    date_precision: 'minute',
    recorded_at: at,
    before: advisory.severity_level,
    after: null,
    wording: advisory.original_wording,
    changes: [],
  }
}

const common = ({ id, language, source_id, source_organization, captured_on }: CachedAdvisory['advisory']) => ({
  advisory_id: id,
  language,
  source_id,
  source_organization,
  captured_on,
})

/** Of identical events of two feeds of one authority on the same day, keeps that of the preferred feed. */
function withoutDuplicates(events: TimelineEvent[], { authorityOf, preferred }: Context): TimelineEvent[] {
  const keyOf = ({ source_id, kind, before, after, at, wording }: TimelineEvent) =>
    [authorityOf(source_id), kind, before, after, wording, at.slice(0, 10)].join(' ')
  const place = ({ source_id }: TimelineEvent) => preferred.indexOf(source_id)
  const best = new Map<string, string>()
  for (const event of events.toSorted((a, b) => place(a) - place(b)))
    if (!best.has(keyOf(event))) best.set(keyOf(event), event.source_id)
  return events.filter((event) => best.get(keyOf(event)) === event.source_id)
}

const byTime = (a: TimelineEvent, b: TimelineEvent) =>
  Date.parse(b.at) - Date.parse(a.at) ||
  Date.parse(b.recorded_at) - Date.parse(a.recorded_at) ||
  (a.advisory_id < b.advisory_id ? -1 : 1)
