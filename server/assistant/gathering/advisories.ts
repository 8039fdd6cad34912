import type { Advisory } from '#shared/advisories/endpoints.ts'
import { byAuthority } from '#shared/advisories/freshness.ts'
import { type Speech, speechOf } from '../composing/speech.ts'
import type { Section, Source, Statement } from '../drafts.ts'
import type { PhraseKey } from '../phrases/phrases.ts'
import { actionsIn } from './actions.ts'
import type { Asked, Gathered, GatheringParts } from './parts.ts'
import { advisorySource, countrySource, pageSource } from './sources.ts'

const MOST = 5

/**
 * What is in force for a country, most serious first, or the most serious of all. That nothing is known is never said as
 * an all-clear, and sources that could not be read are named.
 */
export function gatherAdvisories(parts: GatheringParts, asked: Asked, country: string | null): Gathered {
  const speech = speechOf(asked.language)
  const actions = actionsIn(speech)
  const inForce = country ? parts.advisories.onCountry(country, asked.now) : parts.advisories.inForce(asked.now)
  const shown = inForce.slice(0, MOST)
  const source = country
    ? countrySource(country, speech)
    : pageSource('/travel-advisories', speech.plain('action_advisories'))
  const doubts = unconfirmed(parts, asked, speech)
  return {
    sections: [
      country
        ? onCountry(speech, country, inForce.length, shown)
        : {
            lead: { text: speech.say('advisories_worldwide'), records: [source.record] },
            statements: items(speech, shown),
          },
      ...doubts.sections,
    ],
    sources: [source, ...shown.map(advisorySource), ...doubts.sources],
    quickActions: country
      ? [actions.country(country), actions.emergency(country), actions.documents(country)]
      : [actions.advisories],
    // What is most serious of all may not be what was asked for.
    closing: country ? [] : [speech.plain('ask_country')],
    found: country ? 'all' : 'some',
  }
}

function onCountry(speech: Speech, code: string, count: number, shown: readonly Advisory[]): Section {
  const record = `country:${code}`
  const country = speech.country(code)
  if (count === 0)
    return { lead: { text: speech.say('advisories_none', { country }), records: [record] }, statements: [] }
  const rest = count - shown.length
  const more: Statement[] =
    rest > 0 ? [{ text: speech.say('advisories_more', { count: rest }), records: [record] }] : []
  return {
    lead: { text: speech.say('advisories_lead', { count, country }), records: [record] },
    statements: [...items(speech, shown), ...more],
  }
}

const items = (speech: Speech, advisories: readonly Advisory[]): Statement[] =>
  advisories.map((advisory) => ({
    text: speech.say('advisory_item', {
      severity: speech.plain(`severity_${advisory.severity_level}` satisfies PhraseKey),
      title: advisory.title,
      source: advisory.source_organization,
      date: speech.date(advisory.last_updated),
    }),
    records: [`advisory:${advisory.id}`],
  }))

/** The silence of a source is no news: whoever could not be read lately is named. */
function unconfirmed(
  { advisories }: GatheringParts,
  { now }: Asked,
  speech: Speech,
): { sections: Section[]; sources: Source[] } {
  const silent = byAuthority(advisories.sources(now)).filter(({ state }) => state === 'not_confirmed')
  const names = [...new Set(silent.map(({ name }) => name))]
  if (names.length === 0) return { sections: [], sources: [] }
  const source = pageSource('/travel-advisories/sources', speech.plain('action_advisories'))
  const text = speech.say('sources_unconfirmed', { sources: speech.list(names) })
  return { sections: [{ lead: { text, records: [source.record] }, statements: [] }], sources: [source] }
}
