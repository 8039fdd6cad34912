import { data } from 'react-router'
import type { AdvisoryText } from '#shared/advisories/advisory-text.ts'
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
import { listOwnRollCalls } from '#shared/roll-calls/endpoints.ts'
import { type ChurchesInCountries, churchesIn } from '#web/churches/churches-in-countries.server.ts'
import { type FirstCall, firstCall } from '#web/emergency/place.server.ts'
import { sourceName } from '#web/lib/country-names.ts'
import { translator } from '#web/lib/i18n.tsx'
import type { CallEndpoint } from '#web/lib/visitor.ts'
import { withLevel } from './first-steps.ts'
import { nameIn, titleIn } from './reader.server.ts'

/** Of each country (ADV-DETAIL-17). */
const CHURCHES_SHOWN = 5
const AN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Full data of one advisory, translated where possible. Throws a 404 if it does not exist. */
export async function detailOf(
  api: CallEndpoint,
  id: string,
  language: Language,
  { now, isSignedIn, hasAllChurches = false }: { now: Date; isSignedIn: boolean; hasAllChurches?: boolean },
) {
  // API clients get an error for a malformed id; for a user the page simply does not exist.
  if (!AN_ID.test(id)) throw data({ error: 'Advisory not found.', code: 'advisory_not_found' }, 404)
  const [found, { sources }, acknowledgment, own] = await Promise.all([
    api(getAdvisory, { params: { id } }),
    api(listAdvisorySources),
    isSignedIn ? api(getAcknowledgment, { params: { id } }) : null,
    isSignedIn ? api(listOwnRollCalls) : null,
  ])
  const detail = detailFrom(found, sources, language)
  const [only, ...others] = detail.countries
  const [call, churches] = await Promise.all([
    only && others.length === 0 ? firstCall(api, only.code, { name: only.name }) : null,
    churchesIn(api, detail.countries, { language, isAll: hasAllChurches, shown: CHURCHES_SHOWN }),
  ])
  const rollCall = own?.roll_calls.find(({ country_code }) =>
    detail.countries.some(({ code }) => code === country_code),
  )
  return {
    ...detail,
    made_at: now.toISOString(),
    call,
    churches,
    rollCallId: rollCall?.id ?? null,
    acknowledgment: acknowledgment?.is_offered ? acknowledgment : null,
  }
}

interface Found {
  advisory: Advisory
  text: AdvisoryText
  ended_at?: string | null
  versions: AdvisoryVersion[]
  related: Advisory[]
}

/** The same for an advisory that is already loaded, public or not. */
export function detailFrom(
  { advisory, text, ended_at = null, versions, related }: Found,
  sources: AdvisorySource[],
  language: Language,
) {
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
    // The full text is in its sections.
    advisory: {
      ...advisory,
      source_organization: shortenSource(advisory.source_organization),
      detailed_information: null,
    },
    firstSteps: withLevel(text.first_steps, advisory, { language, translate: translator(language, 'phrases') }),
    sections: text.sections,
    ended_at,
    countries,
    /** Language of the text, where it is not the user's. */
    languageName: advisory.language.startsWith(language) ? '' : languageName(advisory.language, language),
    source: source
      ? {
          ...sourceForAdvisory(source, advisory),
          name: sourceNames.get(source.id) ?? source.organization,
          mark: markOf(source, sourceNames.get(source.id) ?? source.organization),
        }
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
  /** Absent in the preview of an unpublished advisory, like the rest. */
  made_at?: string
  churches?: ChurchesInCountries
  /** The number to call first, if the advisory is about one country with a confirmed number. */
  call?: FirstCall | null
  /** An open roll call that asks the reader about a country of the advisory. */
  rollCallId?: string | null
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

/** Who says it, behind each instruction: "US", "UK", or the name of a source without a country. */
const markOf = ({ country_code }: AdvisorySource, name: string) =>
  country_code === 'GB' ? 'UK' : (country_code ?? name)

function languageName(tag: string, language: Language): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
