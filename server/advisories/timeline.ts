import type { TimelineEvent } from '#shared/advisories/timeline.ts'
import { changeKind } from '#shared/advisories/timeline.ts'
import type { CachedAdvisory } from './queries.ts'

interface Context {
  now: Date
  /** Feeds of one authority may report the same event twice. */
  authorityOf: (sourceId: string) => string
  /** Source ids, most trusted first. */
  preferred: readonly string[]
  /** When the portal read a source for the first time: entries listed then were not new. */
  firstReadOf: (sourceId: string) => string
}

/** All events of the advisories, newest first: new, changed and ended, including those no longer in force. */
export function timelineOf(advisories: readonly CachedAdvisory[], context: Context): TimelineEvent[] {
  const events = advisories.flatMap((cached) => [...versionEvents(cached, context), ...endEvents(cached, context.now)])
  return withoutDuplicates(events, context).sort(byTime)
}

function versionEvents({ advisory, versions }: CachedAdvisory, { firstReadOf }: Context): TimelineEvent[] {
  const oldestFirst = versions.toSorted((a, b) => a.version - b.version)
  return oldestFirst.flatMap((version, index): TimelineEvent[] => {
    const before = oldestFirst[index - 1]
    const base = {
      ...common(advisory),
      id: before ? `v${version.version}` : '',
      title: version.title,
      at: version.last_updated,
      date_precision: version.date_precision,
      recorded_at: version.recorded_at,
      after: version.severity_level,
      wording: version.original_wording,
    }
    if (!before) {
      const isFirstReading = version.recorded_at <= firstReadOf(advisory.source_id)
      return [{ ...base, kind: isFirstReading ? 'first_read' : 'new', before: null, changes: [] }]
    }
    if (version.changes.length === 0) return []
    return [{ ...base, kind: changeKind(version.changes), before: before.severity_level, changes: version.changes }]
  })
}

/** How an advisory ended, or that its source no longer lists it. It ends once; put in force again, it has not ended. */
function endEvents(cached: CachedAdvisory, now: Date): TimelineEvent[] {
  const { advisory } = cached
  const end = endOf(cached, now)
  if (!end) return []
  const { kind, at } = end
  return [
    {
      ...common(advisory),
      id: `${kind}-${Date.parse(at)}`,
      kind,
      title: advisory.title,
      at,
      date_precision: 'minute',
      recorded_at: at,
      before: advisory.severity_level,
      after: null,
      wording: advisory.original_wording,
      changes: [],
    },
  ]
}

interface End {
  kind: 'withdrawn' | 'expired' | 'missing' | 'ended'
  at: string
}

/** How and when an advisory ended, or went missing from its source; null if neither. */
export function endOf(
  { advisory, withdrawn_at }: Pick<CachedAdvisory, 'advisory' | 'withdrawn_at'>,
  now: Date,
): End | null {
  const { expiry_date, missing_since, is_active, updated_at } = advisory
  if (withdrawn_at) return { kind: 'withdrawn', at: withdrawn_at }
  if (expiry_date && Date.parse(expiry_date) <= now.getTime()) return { kind: 'expired', at: expiry_date }
  if (missing_since) return { kind: is_active ? 'missing' : 'ended', at: missing_since }
  return is_active ? null : { kind: 'ended', at: updated_at }
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
