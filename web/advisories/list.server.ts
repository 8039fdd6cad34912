import { tileCounts } from '#shared/advisories/cards.ts'
import type { AdvisorySource } from '#shared/advisories/endpoints.ts'
import { getAdvisoryStatistics, listAdvisories, listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { fold } from '#shared/countries/fold.ts'
import type { Language } from '#shared/language.ts'
import { getOwnCountries } from '#shared/overview/endpoints.ts'
import { sourceName } from '#web/lib/country-names.ts'
import type { CallEndpoint } from '#web/lib/visitor.ts'
import { detailOf } from './detail.server.ts'
import { apiQuery, type Filters, pagesOf, readFilters } from './filters.ts'
import { allNames, cardsIn, nameIn } from './reader.server.ts'
import { similarNames } from './suggestions.ts'

interface ListingInput {
  api: CallEndpoint
  language: Language
  now: Date
  params: URLSearchParams
  isSignedIn: boolean
}

/** All data of the list page, kept small: it is sent as markup and again as data. */
export async function listingFor({ api, language, now, params, isSignedIn }: ListingInput) {
  const { filters, highlight, ignored } = readFilters(params)
  const own = isSignedIn ? (await api(getOwnCountries)).countries : []
  // Without own countries there is nothing to filter by (ADV-PAGE-35).
  if (own.length === 0) filters.mine = false
  const [list, statistics, { sources }, highlighted] = await Promise.all([
    findList(api, filters, own, ignored),
    api(getAdvisoryStatistics),
    api(listAdvisorySources),
    highlight ? findDetail(api, highlight, language, { now, isSignedIn }) : null,
  ])
  return {
    filters: list.filters,
    ignored,
    hasOwnCountries: own.length > 0,
    cards: cardsIn(language, list.advisories),
    /** Total matches on all pages. */
    shown: list.total,
    total: statistics.total,
    hasReadSources: statistics.has_read_sources,
    tiles: tileCounts(statistics.by_severity),
    sources: sources.map((source) => listed(source, language)),
    suggestions: list.total === 0 ? suggest(filters, statistics.by_country, language) : [],
    country: list.filters.country ? nameIn(language)(list.filters.country.toUpperCase(), list.filters.country) : '',
    highlighted: highlighted ?? null,
    isHighlightUnknown: highlighted === undefined,
    made_at: now.toISOString(),
  }
}

export type AdvisoryListing = Awaited<ReturnType<typeof listingFor>>
export type ListedSource = AdvisoryListing['sources'][number]

/** The list, or its last page if the URL names one beyond it. */
async function findList(api: CallEndpoint, filters: Filters, own: string[], ignored: string[]) {
  const list = await api(listAdvisories, { query: apiQuery(filters, own) })
  if (list.advisories.length > 0 || list.total === 0) return { ...list, filters }
  ignored.push('page')
  const last = { ...filters, page: pagesOf(list.total) }
  return { ...(await api(listAdvisories, { query: apiQuery(last, own) })), filters: last }
}

async function findDetail(
  api: CallEndpoint,
  id: string,
  language: Language,
  reader: { now: Date; isSignedIn: boolean },
) {
  try {
    return await detailOf(api, id, language, reader)
  } catch (error) {
    // The URL names an advisory that does not exist: show the list with a note.
    if ((error as { status?: number }).status === 404 || (error as { init?: ResponseInit }).init?.status === 404)
      return undefined
    throw error
  }
}

export function listed(source: AdvisorySource, language: Language) {
  const { id, authority, country_code, homepage, state, reading, not_confirmed_since, last_success_at, captured_on } =
    source
  const name = sourceName(source, nameIn(language))
  return {
    id,
    authority,
    country_code,
    name,
    homepage,
    state,
    reading,
    not_confirmed_since,
    last_success_at,
    captured_on,
  }
}

/** Countries with advisories and a name similar to the search; first an exact match that has none. */
function suggest({ search }: Filters, byCountry: Record<string, number>, language: Language) {
  if (!search) return []
  const names = allNames(language)
  const exact = names.find(({ name }) => fold(name) === fold(search))
  if (exact) return [{ ...exact, hasNone: !byCountry[exact.code] }]
  const withAdvisories = names.filter(({ code }) => byCountry[code])
  return similarNames(search, withAdvisories).map((named) => ({ ...named, hasNone: false }))
}
