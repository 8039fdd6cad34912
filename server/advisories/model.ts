import type { Countries } from '#server/countries/reference.ts'
import type { CachedTable } from '#server/readmodel/model.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import type {
  Advisory,
  AdvisoryFilters,
  AdvisorySource,
  AdvisoryStatistics,
  AdvisoryVersion,
  CountryLevel,
} from '#shared/advisories/endpoints.ts'
import { isAnythingRead, readingOf, stateOf } from '#shared/advisories/freshness.ts'
import { byUrgency, SEVERITIES, SEVERITY_RANK, type Severity } from '#shared/advisories/severity.ts'
import type { TimelineEvent } from '#shared/advisories/timeline.ts'
import { isShown, type Removal, removalOf } from '#shared/advisories/visibility.ts'
import { fold } from '#shared/countries/fold.ts'
import type { Acknowledgments } from './acknowledgments.ts'
import { countryLevels } from './country-levels.ts'
import { type CachedAdvisory, loadAdvisories, loadSources, type SourceRow } from './queries.ts'
import { timelineOf } from './timeline.ts'

const FOREVER = 8.64e15
/** From an alias upwards a match is a name of the country, not merely similar. */
const SHARED_NAME_SCORE = 85

/** In-memory model of advisories and their sources, the basis of every public page and response. */
export class AdvisoryModel {
  readonly #deps: {
    settings: SettingsModel
    countries: () => Countries
    acknowledgments: Pick<Acknowledgments, 'of'>
  }
  readonly #all = new Map<string, CachedAdvisory>()
  #sources: SourceRow[] = []
  // Computed lazily and dropped with every change.
  #inForce: InForce | null = null
  #nextTurn: number | null = null
  #firstReadings: Map<string, string> | null = null
  readonly #cachedAdvisories: CachedTable = {
    table: 'travel_advisories',
    load: async (db, ids) => {
      const loaded = await loadAdvisories(db, ids)
      if (ids) for (const id of ids) this.#all.delete(id)
      else this.#all.clear()
      for (const cached of loaded) this.#all.set(cached.advisory.id, cached)
      this.#inForce = this.#nextTurn = this.#firstReadings = null
    },
  }
  readonly #cachedSources: CachedTable = {
    table: 'advisory_sources',
    load: async (db) => {
      this.#sources = await loadSources(db)
      this.#inForce = this.#nextTurn = null
    },
  }

  readonly cachedTable = [this.#cachedAdvisories, this.#cachedSources]

  constructor(deps: {
    settings: SettingsModel
    countries: () => Countries
    acknowledgments: Pick<Acknowledgments, 'of'>
  }) {
    this.#deps = deps
  }

  list(filters: Partial<AdvisoryFilters>, now: Date): { advisories: Advisory[]; total: number } {
    const matches = this.#current(now).list.filter(matcher(filters, this.#deps.countries()))
    const offset = filters.offset ?? 0
    return {
      advisories: matches.slice(offset, offset + (filters.limit ?? 50)).map(({ advisory }) => this.#counted(advisory)),
      total: matches.length,
    }
  }

  /** An expired advisory is inactive at once; the job that writes it runs every few minutes. */
  find(id: string, now = new Date()): { advisory: Advisory; versions: AdvisoryVersion[] } | undefined {
    const cached = this.#all.get(id)
    if (!cached) return undefined
    const advisory = this.#counted(cached.advisory)
    return { ...cached, advisory: isOver(advisory, now) ? { ...advisory, is_active: false } : advisory }
  }

  /** Advisories in force for one country, most severe first. */
  onCountry(code: string, now: Date): Advisory[] {
    return this.#current(now)
      .advisories.filter((advisory) => advisory.country_codes.includes(code))
      .map((advisory) => this.#counted(advisory))
  }

  /** Events of one country, or of all, newest first; includes advisories no longer in force. */
  timeline(now: Date, code?: string): TimelineEvent[] {
    const approved = this.#deps.settings.get('advisories.approved_sources')
    const entries = [...this.#all.values()].filter(({ advisory }) => isShown(advisory, approved))
    const manual = new Set(this.#sources.filter(({ reader }) => reader === 'manual').map(({ id }) => id))
    const authorities = new Map(this.#sources.map(({ id, authority }) => [id, authority]))
    return timelineOf(entries, {
      now,
      country: code ? { code, name: this.#deps.countries().nameOf(code) } : undefined,
      authorityOf: (id) => authorities.get(id) ?? id,
      preferred: preference(this.#sources, now),
      firstReadOf: (id) => (manual.has(id) ? '' : (this.#firstReads().get(id) ?? '')),
    })
  }

  versionsOf(id: string): AdvisoryVersion[] {
    return this.#all.get(id)?.versions ?? []
  }

  statistics(now: Date): AdvisoryStatistics {
    const state = this.#current(now)
    state.statistics ??= statisticsOf(state.advisories, isAnythingRead(this.#describeSources(now)))
    return state.statistics
  }

  countryLevels(now: Date): CountryLevel[] {
    const state = this.#current(now)
    state.levels ??= countryLevels(state.advisories, this.#describeSources(now))
    return state.levels
  }

  sources(now: Date): AdvisorySource[] {
    return this.#describeSources(now)
  }

  hasReadSources(now: Date) {
    return isAnythingRead(this.#describeSources(now))
  }

  source(id: string, now: Date) {
    return this.#describeSources(now).find((source) => source.id === id)
  }

  /** Advisories in force that are not on the public list, with the reason. */
  notShown(now: Date): Map<string, Removal | 'duplicate'> {
    const shown = new Set(this.#current(now).advisories.map(({ id }) => id))
    const rest = [...this.#all.values()].filter(
      ({ advisory }) => advisory.is_active && !isOver(advisory, now) && !shown.has(advisory.id),
    )
    return new Map(rest.map(({ advisory }) => [advisory.id, this.#removalBy(advisory) ?? 'duplicate']))
  }

  /** Which rule keeps an advisory off the list, regardless of other entries. */
  removalOf(advisory: Parameters<typeof removalOf>[0]): Removal | null {
    return this.#removalBy(advisory)
  }

  /**
   * Excludes acknowledgment counts, which change more often than everything else. Returns the same array as long as
   * neither the advisories nor their sources' states have changed.
   */
  inForce(now: Date): readonly Advisory[] {
    return this.#current(now).advisories
  }

  #current(now: Date): InForce {
    const approved = this.#deps.settings.get('advisories.approved_sources')
    if (this.#inForce && now.getTime() < this.#inForce.until && this.#inForce.approved === approved)
      return this.#inForce
    const preferred = preference(this.#sources, now)
    const running = [...this.#all.values()].filter(
      ({ advisory }) => advisory.is_active && !isOver(advisory, now) && isShown(advisory, approved),
    )
    const list = withoutDuplicates(running, this.#sources, preferred).sort((a, b) => byUrgency(a.advisory, b.advisory))
    this.#inForce = { list, advisories: list.map(({ advisory }) => advisory), until: this.validUntil(now), approved }
    return this.#inForce
  }

  #removalBy(advisory: Parameters<typeof removalOf>[0]): Removal | null {
    return removalOf(advisory, this.#deps.settings.get('advisories.approved_sources'))
  }

  /** Acknowledgment counts are public only if the ministry enables them (D-09). */
  #counted(advisory: Advisory): Advisory {
    if (!this.#deps.settings.get('advisories.show_acknowledgments')) return advisory
    const acknowledged = this.#deps.acknowledgments.of(advisory.id)
    if (!acknowledged) return advisory
    return { ...advisory, acknowledgment_count: acknowledged.count, last_acknowledged_at: acknowledged.latest }
  }

  /** The next instant (ms) at which a response changes without a row change. */
  validUntil(now: Date): number {
    if (this.#nextTurn === null || this.#nextTurn <= now.getTime()) this.#nextTurn = this.#turnAfter(now)
    return this.#nextTurn
  }

  #turnAfter(now: Date): number {
    let until = FOREVER
    for (const source of this.#sources) {
      const next = stateOf(source, now).valid_until
      if (next) until = Math.min(until, next.getTime())
    }
    for (const { advisory } of this.#all.values()) {
      const end = advisory.expiry_date ? Date.parse(advisory.expiry_date) : FOREVER
      if (end > now.getTime()) until = Math.min(until, end)
    }
    return until
  }

  /** By source: when its first advisories were recorded. */
  #firstReads(): Map<string, string> {
    if (this.#firstReadings) return this.#firstReadings
    const first = new Map<string, string>()
    for (const { advisory, versions } of this.#all.values())
      for (const { recorded_at } of versions) {
        const known = first.get(advisory.source_id)
        if (!known || recorded_at < known) first.set(advisory.source_id, recorded_at)
      }
    this.#firstReadings = first
    return first
  }

  #describeSources(now: Date): AdvisorySource[] {
    return this.#sources.map((row) => describe(row, now))
  }
}

/** The sorted list, when it expires, and results cached with it. */
interface InForce {
  list: CachedAdvisory[]
  advisories: Advisory[]
  until: number
  approved: readonly string[]
  statistics?: AdvisoryStatistics
  levels?: CountryLevel[]
}

function statisticsOf(list: readonly Advisory[], has_read_sources: boolean): AdvisoryStatistics {
  const count = (keys: string[]) =>
    Object.fromEntries([...Map.groupBy(keys, (key) => key)].map(([key, found]) => [key, found.length]))
  return {
    total: list.length,
    active: list.length,
    urgent: list.filter((a) => a.is_urgent).length,
    by_severity: {
      ...(Object.fromEntries(SEVERITIES.map((s) => [s, 0])) as Record<Severity, number>),
      ...count(list.map((a) => a.severity_level)),
    },
    by_type: count(list.map((a) => a.advisory_type)),
    by_country: count(list.flatMap((a) => a.country_codes)),
    last_updated: list.reduce<string | null>(
      (latest, a) => (latest && latest > a.last_updated ? latest : a.last_updated),
      null,
    ),
    has_read_sources,
  }
}

const isOver = (advisory: Advisory, now: Date) =>
  advisory.expiry_date !== null && Date.parse(advisory.expiry_date) <= now.getTime()

function describe(row: SourceRow, now: Date): AdvisorySource {
  const { reader: _, position: __, ...shown } = row
  const status = stateOf(row, now)
  const { state, not_confirmed_since } = status
  return {
    ...shown,
    state,
    reading: readingOf(status, row),
    not_confirmed_since: not_confirmed_since?.toISOString() ?? null,
  }
}

/** Source ids in order of preference among one authority's feeds: currently confirmed ones first. */
export function preference(sources: SourceRow[], now: Date): string[] {
  const trust = (source: SourceRow) => (stateOf(source, now).state === 'confirmed' ? 0 : 1)
  return [...sources]
    .sort((a, b) => trust(a) - trust(b) || a.position - b.position || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id)
}

/**
 * One authority may publish its advice through two feeds. Of one country set the newest counts, on the same day the
 * more severe, then the one from the preferred feed. Alerts and events of two feeds are the same only at one level.
 */
function withoutDuplicates(list: CachedAdvisory[], sources: SourceRow[], preferred: string[]): CachedAdvisory[] {
  const authority = new Map(sources.map((source) => [source.id, source.authority]))
  const best = new Map<string, CachedAdvisory>()
  const keyOf = ({ advisory: a, is_country_set }: CachedAdvisory) =>
    a.country_codes.length > 0 &&
    `${authority.get(a.source_id)} ${[...a.country_codes].sort().join()} ${is_country_set ? '' : a.severity_level}`
  for (const cached of list) {
    const key = keyOf(cached)
    const known = key && best.get(key)
    if (key && (!known || isPreferred(cached, known, preferred))) best.set(key, cached)
  }
  return list.filter((cached) => {
    const key = keyOf(cached)
    return !key || best.get(key)?.advisory.source_id === cached.advisory.source_id
  })
}

function isPreferred(a: CachedAdvisory, b: CachedAdvisory, preferred: string[]): boolean {
  const placed = preferred.indexOf(a.advisory.source_id) - preferred.indexOf(b.advisory.source_id)
  if (!a.is_country_set) return placed < 0
  const [day, other] = [a.advisory.last_updated.slice(0, 10), b.advisory.last_updated.slice(0, 10)]
  if (day !== other) return day > other
  const graver = SEVERITY_RANK[a.advisory.severity_level] - SEVERITY_RANK[b.advisory.severity_level]
  return graver === 0 ? placed < 0 : graver > 0
}

function matcher(filters: Partial<AdvisoryFilters>, countries: Countries): (cached: CachedAdvisory) => boolean {
  const terms = searchTerms(filters.search)
  const codes = filters.country ? codesOf(filters.country, countries) : null
  return ({ advisory: a, search_text, types }) =>
    (!filters.severity_level || filters.severity_level.includes(a.severity_level)) &&
    (!filters.advisory_type || a.advisory_type === filters.advisory_type || types.includes(filters.advisory_type)) &&
    (!filters.source || a.source_id === filters.source) &&
    (filters.urgent === undefined || a.is_urgent === filters.urgent) &&
    (!codes || codes.some((code) => a.country_codes.includes(code))) &&
    (!filters.countries || filters.countries.some((code) => a.country_codes.includes(code))) &&
    terms.every((term) => search_text.includes(term))
}

/** The folded words of a search; every one must occur. */
export const searchTerms = (search: string | undefined): string[] =>
  fold(search ?? '')
    .split(' ')
    .filter(Boolean)
    .slice(0, 12)

/**
 * Matches a country by code, name or alias. A name shared by two countries matches both; an unknown one matches
 * nothing.
 */
export function codesOf(country: string, countries: Countries): string[] {
  const code = countries.find(country.toUpperCase())?.code ?? countries.resolve(country)
  if (code) return [code]
  return countries
    .search(country, 5)
    .filter(({ score }) => score >= SHARED_NAME_SCORE)
    .map(({ country: { code } }) => code)
}
