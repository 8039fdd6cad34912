import type { Advisory, AdvisorySource } from '#shared/advisories/endpoints.ts'
import { byAuthority, countConfirmed, isAnythingRead } from '#shared/advisories/freshness.ts'
import { byUrgency } from '#shared/advisories/severity.ts'
import { firstSentence } from '#shared/advisories/ticker.ts'
import { firstOf } from '#shared/assert.ts'
import type { Language } from '#shared/language.ts'
import { isVouchedFor } from '#web/advisories/freshness-text.ts'
import { nameIn, titleIn } from '#web/advisories/reader.server.ts'
import { beyondWording } from '#web/countries/wording.ts'
import { sourceName } from '#web/lib/country-names.ts'

const ROWS = 7
const LATEST_DAYS = 30
const OFTEN = ['SA', 'AE', 'HK', 'JP', 'QA']

/** Data of the landing page, in the user's language. */
export function landing(advisories: readonly Advisory[], sources: readonly AdvisorySource[], language: Language) {
  const nameOf = nameIn(language)
  const named = (source: AdvisorySource) => sourceName(source, nameOf)
  const sourceOf = new Map(sources.map((source) => [source.id, named(source)]))
  return {
    often: OFTEN.map((code) => ({ code, name: nameOf(code) })),
    sources: sourcesToday(sources, named),
    rows: topByCountry(latestFirst(advisories))
      .slice(0, ROWS)
      .sort(byUrgency)
      .map((advisory) => rowOf(advisory, language, sourceOf.get(advisory.source_id) ?? advisory.source_organization)),
  }
}

/** Manually maintained sources are never checked, and so neither confirmed nor in doubt. */
function sourcesToday(all: readonly AdvisorySource[], named: (source: AdvisorySource) => string) {
  const listed = byAuthority(all).filter(({ state }) => state !== 'manual')
  const confirmed = listed.filter(({ state }) => state === 'confirmed')
  return {
    ...countConfirmed(all),
    isAnythingRead: isAnythingRead(all),
    last_success_at: confirmed.map((source) => source.last_success_at ?? '').sort()[0] ?? null,
    doubtful: listed.filter((source) => !isVouchedFor(source)).map(named),
  }
}

/**
 * Recent changes first, filled up with the rest; each in order of urgency. Recency counts from the newest change, so
 * that a snapshot has recent changes as well.
 */
function latestFirst(advisories: readonly Advisory[]): Advisory[] {
  const newest = Math.max(...advisories.map(({ last_updated }) => Date.parse(last_updated)))
  const isLate = ({ last_updated }: Advisory) => newest - Date.parse(last_updated) < LATEST_DAYS * 86_400_000
  return [...advisories.filter(isLate), ...advisories.filter((advisory) => !isLate(advisory))]
}

/** The list is in order of urgency: the first advisory of each country is its most urgent one. */
function topByCountry(advisories: readonly Advisory[]): Advisory[] {
  const seen = new Set<string>()
  return advisories.filter(({ country_codes: [code] }) => {
    if (code === undefined || seen.has(code)) return false
    seen.add(code)
    return true
  })
}

function rowOf(advisory: Advisory, language: Language, source: string) {
  const code = firstOf(advisory.country_codes)
  const { title, title_language } = titleIn(language)(advisory, [nameIn(language)(code)])
  // A standard level is translated; any other text stays as its source wrote it.
  const isTranslated = title_language === language && title_language !== advisory.language
  const wording = advisory.original_wording
  const sentence = isTranslated
    ? `${title.slice(title.lastIndexOf(': ') + 2)}.`
    : firstSentence(beyondWording(advisory.description, wording))
  return {
    id: advisory.id,
    code,
    country: nameIn(language)(code, advisory.affected_countries[0]),
    severity_level: advisory.severity_level,
    sentence,
    sentence_language: isTranslated ? language : advisory.language,
    wording,
    language: advisory.language,
    source,
    last_updated: advisory.last_updated,
    date_precision: advisory.date_precision,
  }
}

export type Landing = ReturnType<typeof landing>
