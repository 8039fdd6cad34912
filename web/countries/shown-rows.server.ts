import type { Advisory } from '#shared/advisories/endpoints.ts'
import { sourceForAdvisory } from '#shared/advisories/freshness.ts'
import type { Severity } from '#shared/advisories/severity.ts'
import type { Language } from '#shared/language.ts'
import { isVouchedFor } from '#web/advisories/freshness-text.ts'
import { formatDay, isolated, type Precision } from '#web/lib/format.ts'
import { type Translate, translator } from '#web/lib/i18n.tsx'
import type { ShownSource } from './country-page.ts'
import type { RowAdvisory, SourceRow } from './source-rows.ts'

/** A source with everything written out: the browser only lays it out. */
export interface ShownRow {
  id: string
  name: string
  homepage: string
  isSpeaking: boolean
  isDoubtful: boolean
  entries: RowEntry[]
  /** "2 more advisories from this source". */
  more: string | null
  /** Changes with what the source says, not with when it was confirmed. */
  content: string
}

/** One advisory; or, with no id, what there is to say of a source without any. */
export interface RowEntry {
  id: string | null
  level: Severity | null
  isConfirmed: boolean
  /** In place of a level. */
  label: string
  /** "Last known:" */
  prefix: string
  wording: string
  description: string
  language: string
  lines: string[]
  pending_reason: Advisory['pending_reason']
  hasOfficialLink: boolean
  times: RowTime[]
}

export interface RowTime {
  label: string
  at: string | null
  look: 'day' | 'moment' | 'relative'
  precision: Precision
  isBold: boolean
}

interface Reader {
  t: Translate<'countries'>
  language: Language
  country: string
}

/** The rows in the reader's language. */
export function shownRows(rows: readonly SourceRow[], language: Language, country: string): ShownRow[] {
  const reader = { t: translator(language, 'countries'), language, country: isolated(country) }
  return rows.map((row) => ({
    id: row.source.id,
    name: row.source.name,
    homepage: row.source.homepage,
    isSpeaking: row.kind === 'says',
    isDoubtful: isDoubtful(row),
    entries:
      row.kind === 'says'
        ? row.advisories.map((advisory) => advisoryEntry(advisory, row.source, reader))
        : [silentEntry(row, reader)],
    more: row.moreCount > 0 ? reader.t('says_more', { count: row.moreCount }) : null,
    content: row.content,
  }))
}

const isDoubtful = ({ source, advisories }: SourceRow) =>
  !isVouchedFor(source) ||
  (advisories.length > 0 && advisories.every((advisory) => !isVouchedFor(sourceForAdvisory(source, advisory))))

function advisoryEntry(advisory: RowAdvisory, from: ShownSource, reader: Reader): RowEntry {
  const { t } = reader
  const source = sourceForAdvisory(from, advisory)
  const isConfirmed = isVouchedFor(source)
  return {
    id: advisory.id,
    level: advisory.severity_level,
    isConfirmed,
    label: '',
    prefix: isConfirmed ? '' : t('says_last_known'),
    wording: advisory.wording,
    description: advisory.description,
    language: advisory.language,
    lines: [advisory.gloss, areaText(advisory.area, t)].filter((line) => line !== null),
    pending_reason: advisory.pending_reason,
    hasOfficialLink: false,
    times: [
      time(t('says_changed'), advisory.last_updated, { precision: advisory.date_precision }),
      ...confirmedTimes(source, reader),
    ],
  }
}

function areaText(area: RowAdvisory['area'], t: Reader['t']): string | null {
  if (!area) return null
  if (area.kind === 'whole') return t('area_whole')
  if (area.kind === 'countries') return t('area_countries', { count: area.count })
  const names = area.names.map(isolated).join(t('comma'))
  return area.more > 0 ? t('area_named_more', { names, more: area.more }) : t('area_named', { names })
}

function silentEntry({ kind, source, country_code, entered_at }: SourceRow, reader: Reader): RowEntry {
  const { t, country } = reader
  const written = country_code === 'PH' ? 'says_written_ph' : 'says_written'
  const text = kind === 'unknown' ? UNKNOWN[source.reading] : kind === 'silent' ? 'says_silent' : written
  const entered = entered_at ? time(t('says_entered'), entered_at) : time(t('says_never_entered'), null)
  return {
    id: null,
    level: null,
    isConfirmed: kind !== 'unknown' || source.state === 'off',
    label: kind === 'silent' ? t('says_none') : kind === 'written' ? t('says_none_written') : '',
    prefix: '',
    wording: '',
    description: '',
    language: source.language,
    lines: [t(text, { country })],
    pending_reason: null,
    hasOfficialLink: kind === 'written' || source.state === 'off',
    times: kind === 'written' ? [entered] : confirmedTimes(source, reader),
  }
}

const UNKNOWN = {
  confirmed: 'says_silent',
  late: 'says_unknown',
  failed: 'says_failed',
  not_read: 'says_not_read',
  copy: 'says_copy',
  manual: 'says_written',
  off: 'says_off',
} as const satisfies Record<ShownSource['reading'], string>

/** When we confirmed it, when the source last responded, or of which day the copy is. */
function confirmedTimes(source: ShownSource, { t, language }: Reader): RowTime[] {
  const { state, reading, last_success_at, captured_on } = source
  if (state === 'off') return []
  if (state === 'manual') return [time(t('written_manually'), null)]
  if (state === 'captured')
    return [time(t('tag_captured', { day: formatDay(language, captured_on ?? 0) }), null, { isBold: true })]
  if (state === 'confirmed') return [time(t('says_checked'), last_success_at, { look: 'relative' })]
  if (last_success_at) return [time(t('says_last_answered'), last_success_at, { look: 'moment', isBold: true })]
  return reading === 'not_read' ? [] : [time(t('says_never_answered'), null, { isBold: true })]
}

const time = (label: string, at: string | null, more: Partial<RowTime> = {}): RowTime => ({
  label,
  at,
  look: 'day',
  precision: 'minute',
  isBold: false,
  ...more,
})
