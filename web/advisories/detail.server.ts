import { data } from 'react-router'
import { shortenSource } from '#shared/advisories/cards.ts'
import {
  type Advisory,
  type AdvisorySource,
  type AdvisoryVersion,
  getAdvisory,
  listAdvisorySources,
} from '#shared/advisories/endpoints.ts'
import { sourceForAdvisory } from '#shared/advisories/freshness.ts'
import type { OutputOf } from '#shared/api.ts'
import type { Language } from '#shared/language.ts'
import { getAcknowledgment } from '#shared/overview/endpoints.ts'
import { type ChurchesInCountries, churchesIn } from '#web/churches/churches-in-countries.server.ts'
import { sourceName } from '#web/lib/country-names.ts'
import type { CallEndpoint } from '#web/lib/visitor.ts'
import { nameIn, titleIn } from './reader.server.ts'

/** Of each country (ADV-DETAIL-17). */
const CHURCHES_SHOWN = 5
const AN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Full data of one advisory, translated where possible. Throws a 404 if it does not exist. */
export async function detailOf(
  api: CallEndpoint,
  id: string,
  language: Language,
  { isSignedIn = false, hasAllChurches = false } = {},
) {
  // API clients get an error for a malformed id; for a user the page simply does not exist.
  if (!AN_ID.test(id)) throw data({ error: 'Advisory not found.', code: 'advisory_not_found' }, 404)
  const [found, { sources }, acknowledgment] = await Promise.all([
    api(getAdvisory, { params: { id } }),
    api(listAdvisorySources),
    isSignedIn ? api(getAcknowledgment, { params: { id } }) : null,
  ])
  const detail = detailFrom(found, sources, language)
  const churches = await churchesIn(api, detail.countries, { language, isAll: hasAllChurches, shown: CHURCHES_SHOWN })
  return { ...detail, churches, acknowledgment: acknowledgment?.is_offered ? acknowledgment : null }
}

interface Found {
  advisory: Advisory
  versions: AdvisoryVersion[]
  related: Advisory[]
}

/** The same for an advisory that is already loaded, public or not. */
export function detailFrom({ advisory, versions, related }: Found, sources: AdvisorySource[], language: Language) {
  const nameOf = nameIn(language)
  const countries = countriesOf(advisory, nameOf)
  const source = sources.find((candidate) => candidate.id === advisory.source_id)
  const sourceNames = new Map(sources.map((each) => [each.id, sourceName(each, nameOf)]))
  return {
    ...titleIn(language)(
      advisory,
      countries.map(({ name }) => name),
    ),
    description: advisory.description,
    advisory: { ...advisory, source_organization: shortenSource(advisory.source_organization) },
    countries,
    /** Language of the text, where it is not the user's. */
    languageName: advisory.language.startsWith(language) ? '' : languageName(advisory.language, language),
    source: source
      ? { ...sourceForAdvisory(source, advisory), name: sourceNames.get(source.id) ?? source.organization }
      : null,
    versions,
    related: related
      .filter((other) => other.source_id !== advisory.source_id)
      .map((other) => ({
        id: other.id,
        severity_level: other.severity_level,
        wording: other.original_wording,
        language: other.language,
        sourceName: sourceNames.get(other.source_id) ?? other.source_organization,
      })),
  }
}

export type AdvisoryDetailData = ReturnType<typeof detailFrom> & {
  /** Absent in the preview of an unpublished advisory. */
  churches?: ChurchesInCountries
  /** The user's own; null if they are not signed in or acknowledgments are disabled. */
  acknowledgment?: OutputOf<'GET /travel-advisories/{id}/acknowledgment'> | null
}

function countriesOf(
  { affected_countries, country_codes }: Advisory,
  nameOf: (code: string, english: string) => string,
) {
  // The names of the codes come first, then the unresolved ones.
  return affected_countries.flatMap((english, i) => {
    const code = country_codes[i]
    return code ? [{ code, name: nameOf(code, english) }] : []
  })
}

function languageName(tag: string, language: Language): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
