import type { Advisory, AdvisoryChange, AdvisorySource } from '#shared/advisories/endpoints.ts'
import { byAuthority, sourceForAdvisory } from '#shared/advisories/freshness.ts'
import { byUrgency, SEVERITY_RANK, type Severity } from '#shared/advisories/severity.ts'
import { cutAtWord } from '#shared/advisories/ticker.ts'
import type { TimelineKind } from '#shared/advisories/timeline.ts'
import { firstOf } from '#shared/assert.ts'
import type { getCountry, SourceOnCountry } from '#shared/countries/endpoints.ts'
import { isVouchedFor } from '#web/advisories/freshness-text.ts'

import { beyondWording } from './wording.ts'

type Answer = (typeof getCountry)['~']['output']

const DESCRIPTION_CHARACTERS = 220
const ADVISORIES_PER_SOURCE = 3

/** Provides names and titles in the user's language. */
export interface Reader {
  sourceName: (source: AdvisorySource) => string
  titleOf: (advisory: Advisory) => { title: string; title_language: string }
}

export type ShownSource = Pick<
  AdvisorySource,
  'id' | 'homepage' | 'language' | 'state' | 'reading' | 'not_confirmed_since' | 'last_success_at' | 'captured_on'
> & { name: string; organization: string }

export interface ShownAdvisory {
  id: string
  severity_level: Severity
  title: string
  wording: string
  description: string
  language: string
  last_updated: string
  date_precision: 'day' | 'minute'
  pending_reason: Advisory['pending_reason']
  /** Set while this advisory is a copy only, even if its source was confirmed since. */
  captured_on: string | null
}

export interface Column {
  source: ShownSource
  advisories: ShownAdvisory[]
  moreCount: number
}

export interface Change {
  key: string
  kind: TimelineKind
  advisory_id: string
  source: string
  before: Severity | null
  after: Severity | null
  at: string
  precision: 'day' | 'minute'
  /** The source's own wording of the level. */
  wording: string
  language: string
  /** Description of a change. */
  detail: What
  /** Missing from its source, and no longer shown since. */
  isOver: boolean
}

/** Data of a country page, kept small: the full texts of all advisories would be sent twice. */
export function countryPage(answer: Answer, all: readonly AdvisorySource[], reader: Reader) {
  const shown = (source: AdvisorySource): ShownSource => shownSource(source, reader.sourceName(source))
  const columns = columnsOf(answer.sources, shown)
  const speaking = new Set(answer.sources.map(({ source }) => source.authority))
  const others = byAuthority(all).filter(({ authority, state }) => !speaking.has(authority) && state !== 'manual')
  return {
    highest: highestOf(answer.sources, reader),
    doDiffer: new Set(columns.map(({ advisories }) => firstOf(advisories).severity_level)).size > 1,
    columns,
    // Only a source that was read today is known to list nothing; the others are unknown.
    silent: others.filter(({ state }) => state === 'confirmed').map(shown),
    unknown: others.filter(({ state }) => state !== 'confirmed').map(shown),
    hasReadSources: answer.has_read_sources,
    changes: answer.timeline.map((event) => changeOf(event, { timeline: answer.timeline, all, reader })),
    olderCount: answer.timeline_total - answer.timeline.length,
  }
}

/** Most serious first; unconfirmed ones last. */
function columnsOf(sources: readonly SourceOnCountry[], shown: (source: AdvisorySource) => ShownSource): Column[] {
  const rank = ({ advisories }: Column) => SEVERITY_RANK[firstOf(advisories).severity_level]
  return sources
    .map(({ source, advisories }) => ({
      source: shown(source),
      advisories: advisories.toSorted(byUrgency).slice(0, ADVISORIES_PER_SOURCE).map(toShownAdvisory),
      moreCount: Math.max(0, advisories.length - ADVISORIES_PER_SOURCE),
    }))
    .filter(({ advisories }) => advisories.length > 0)
    .sort((a, b) => Number(isVouchedFor(b.source)) - Number(isVouchedFor(a.source)) || rank(b) - rank(a))
}

function highestOf(sources: readonly SourceOnCountry[], { titleOf }: Reader) {
  const all = sources.flatMap(({ source, advisories }) => advisories.map((advisory) => ({ source, advisory })))
  // By level first: an urgent advisory of a lower level is not the most serious one.
  const [top] = all.toSorted(
    (a, b) =>
      SEVERITY_RANK[b.advisory.severity_level] - SEVERITY_RANK[a.advisory.severity_level] ||
      Number(isVouchedFor(sourceForAdvisory(b.source, b.advisory))) -
        Number(isVouchedFor(sourceForAdvisory(a.source, a.advisory))) ||
      byUrgency(a.advisory, b.advisory),
  )
  if (!top) return null
  const { id, severity_level } = top.advisory
  return {
    id,
    severity_level,
    ...titleOf(top.advisory),
    isDoubtful: !isVouchedFor(sourceForAdvisory(top.source, top.advisory)),
  }
}

/** The fields of a source that pages show. */
export function shownSource(source: AdvisorySource, name: string): ShownSource {
  const { id, organization, homepage, language, state, reading, not_confirmed_since, last_success_at, captured_on } =
    source
  return {
    id,
    name,
    organization,
    homepage,
    language,
    state,
    reading,
    not_confirmed_since,
    last_success_at,
    captured_on,
  }
}

/** The fields of an advisory that pages show. */
export function toShownAdvisory(advisory: Advisory): ShownAdvisory {
  const { id, severity_level, title, description, language, last_updated, date_precision, captured_on } = advisory
  return {
    id,
    severity_level,
    title,
    // A source without levels is quoted by its title.
    wording: advisory.original_wording || title,
    description: cutAtWord(beyondWording(description, advisory.original_wording), DESCRIPTION_CHARACTERS),
    language,
    last_updated,
    date_precision,
    pending_reason: advisory.pending_reason,
    captured_on,
  }
}

interface ChangeContext {
  timeline: Answer['timeline']
  all: readonly AdvisorySource[]
  reader: Reader
}

function changeOf(event: Answer['timeline'][number], { timeline, all, reader }: ChangeContext): Change {
  const source = all.find(({ id }) => id === event.source_id)
  const isEnd = ({ advisory_id, kind }: typeof event) =>
    advisory_id === event.advisory_id && (kind === 'ended' || kind === 'expired')
  return {
    key: `${event.advisory_id} ${event.id}`,
    kind: event.kind,
    advisory_id: event.advisory_id,
    source: source ? reader.sourceName(source) : event.source_organization,
    before: event.before,
    after: event.after,
    at: event.at,
    precision: event.date_precision,
    wording: event.wording || event.title,
    language: event.language,
    detail: whatChanged(event.changes),
    isOver: timeline.some(isEnd),
  }
}

/** A level, a wording, a title, the mark of urgency, a date alone, or only the names of fields. */
interface What {
  kind: 'level_raised' | 'level_lowered' | 'wording' | 'title_text' | 'urgent' | 'not_urgent' | 'date' | 'fields'
  before: string
  after: string
  fields: string[]
}

/** The most important change for the user, in the source's own wording where available. */
export function whatChanged(changes: readonly AdvisoryChange[]): What {
  const of = (field: string) => changes.find((change) => change.field === field)
  const level = of('severity_level')
  const wording = of('original_wording') ?? of('original_level')
  const quoted = (change: AdvisoryChange) => ({ before: change.before ?? '', after: change.after ?? '', fields: [] })
  if (level && wording?.before && wording.after)
    return { kind: isRaised(level) ? 'level_raised' : 'level_lowered', ...quoted(wording) }
  if (wording?.before && wording.after) return { kind: 'wording', ...quoted(wording) }
  const title = of('title')
  if (title?.after) return { kind: 'title_text', ...quoted(title) }
  // A new date comes with most changes and says nothing then.
  const fields = changes.map(({ field }) => field).filter((field) => field !== 'last_updated')
  const nothing = { before: '', after: '', fields: [] }
  if (fields.length === 0) return { kind: 'date', ...nothing }
  const urgency = of('is_urgent')
  if (urgency && fields.length === 1) return { kind: urgency.after === 'true' ? 'urgent' : 'not_urgent', ...nothing }
  return { ...nothing, kind: 'fields', fields }
}

const isRaised = ({ before, after }: AdvisoryChange) =>
  (SEVERITY_RANK[after as Severity] ?? 0) > (SEVERITY_RANK[before as Severity] ?? 0)
