import type { Advisory, AdvisorySource } from '#shared/advisories/endpoints.ts'
import { byAuthority } from '#shared/advisories/freshness.ts'
import { byUrgency, SEVERITY_RANK } from '#shared/advisories/severity.ts'
import { firstOf } from '#shared/assert.ts'
import type { SourceOnCountry } from '#shared/countries/endpoints.ts'
import { isVouchedFor } from '#web/advisories/freshness-text.ts'
import { type Reader, type ShownAdvisory, type ShownSource, shownSource, toShownAdvisory } from './country-page.ts'

const ADVISORIES_PER_SOURCE = 3
const AREAS = 4

/** says: it has advisories; silent: it was read and lists none; written: people enter what it says, and entered none. */
type RowKind = 'says' | 'silent' | 'written' | 'unknown'

export interface RowAdvisory extends ShownAdvisory {
  /** Standard wordings in the reader's language; null where there is none or it is the reader's already. */
  gloss: string | null
  area: Area | null
}

/** Where an advisory applies, as far as its source says so. */
type Area = { kind: 'whole' } | { kind: 'named'; names: string[]; more: number } | { kind: 'countries'; count: number }

export interface SourceRow {
  kind: RowKind
  source: ShownSource
  /** Feeds of one authority have one clause in the verdict. */
  authority: string
  country_code: string | null
  /** When something was last entered for a source without a feed. */
  entered_at: string | null
  advisories: RowAdvisory[]
  moreCount: number
  /** Changes with what the source says, not with when it was confirmed. */
  content: string
}

interface RowReader extends Reader {
  glossOf: (advisory: Advisory) => string | null
}

/** The department whose levels decide about workers from the Philippines: it has a row even if it was removed. */
const DEPARTMENT = {
  id: 'ph-dfa',
  authority: 'ph-dfa',
  name: 'Philippines',
  organization: 'Department of Foreign Affairs',
  homepage: 'https://dfa.gov.ph/',
  country_code: 'PH',
  language: 'en',
  state: 'off',
  reading: 'off',
  not_confirmed_since: null,
  last_success_at: null,
  last_change_at: null,
  captured_on: null,
} as AdvisorySource

/** A row for every source, the most serious first: those that speak, those that list nothing, those not known. */
export function sourceRows(
  sources: readonly SourceOnCountry[],
  all: readonly AdvisorySource[],
  reader: RowReader,
): SourceRow[] {
  const says = sources
    .filter(({ advisories }) => advisories.length > 0)
    .map(({ source, advisories }) => row('says', source, reader, advisories))
    .sort((a, b) => rank(b) - rank(a) || Number(isVouchedFor(b.source)) - Number(isVouchedFor(a.source)))
  const speaking = new Set(says.map(({ authority }) => authority))
  const listed = byAuthority(all)
  const philippine = listed.some(({ country_code }) => country_code === DEPARTMENT.country_code)
    ? []
    : [all.find(({ id }) => id === DEPARTMENT.id) ?? DEPARTMENT]
  const others = [...listed, ...philippine]
    .filter(({ authority }) => !speaking.has(authority))
    .map((source) => row(KINDS[source.state], source, reader))
  const of = (kind: RowKind) => others.filter((other) => other.kind === kind)
  return [...says, ...of('silent'), ...of('written'), ...of('unknown')]
}

const KINDS: Record<AdvisorySource['state'], RowKind> = {
  confirmed: 'silent',
  manual: 'written',
  captured: 'unknown',
  not_confirmed: 'unknown',
  off: 'unknown',
}

const rank = ({ advisories }: SourceRow) => SEVERITY_RANK[firstOf(advisories).severity_level]

function row(kind: RowKind, source: AdvisorySource, reader: RowReader, listed: readonly Advisory[] = []): SourceRow {
  const advisories = listed.toSorted(bySeverity)
  return {
    kind,
    source: shownSource(source, reader.sourceName(source)),
    authority: source.authority,
    country_code: source.country_code,
    entered_at: source.last_change_at,
    advisories: advisories.slice(0, ADVISORIES_PER_SOURCE).map((advisory) => ({
      ...toShownAdvisory(advisory),
      gloss: reader.glossOf(advisory),
      area: areaOf(advisory, source),
    })),
    moreCount: Math.max(0, advisories.length - ADVISORIES_PER_SOURCE),
    content: advisories
      .map(({ id, version, severity_level, pending_reason }) => [id, version, severity_level, pending_reason].join())
      .join(' '),
  }
}

/** By level first: an urgent advisory of a lower level is not the most serious one. */
const bySeverity = (a: Advisory, b: Advisory) =>
  SEVERITY_RANK[b.severity_level] - SEVERITY_RANK[a.severity_level] || byUrgency(a, b)

/** A wording that names a part of the country is no advice on the whole. */
const A_PART =
  /\b(parts?|regions?|regional|areas?|provinces?|states?|district|border|cit(y|ies)|island|north|south|east|west)/i

function areaOf(advisory: Advisory, source: AdvisorySource): Area | null {
  const names = [...new Set([...advisory.affected_regions, ...advisory.affected_cities])]
  if (names.length > 0) return { kind: 'named', names: names.slice(0, AREAS), more: Math.max(0, names.length - AREAS) }
  const count = advisory.country_codes.length + advisory.unresolved_countries.length
  if (count > 1) return { kind: 'countries', count }
  // Only a government's standing advice in English can be understood well enough to say so.
  const isAdvice = source.country_code !== null && advisory.language.startsWith('en')
  return isAdvice && !A_PART.test(`${advisory.original_wording} ${advisory.title.split(': ').at(-1)}`)
    ? { kind: 'whole' }
    : null
}
