import type { Advisory, AdvisorySource } from '#shared/advisories/endpoints.ts'
import { byAuthority } from '#shared/advisories/freshness.ts'
import { type Speech, speechOf } from '../composing/speech.ts'
import type { Section, Source, Statement } from '../drafts.ts'
import type { PhraseKey } from '../phrases/phrases.ts'
import { actionsIn } from './actions.ts'
import type { Gathered, GatheringDeps, QuestionContext } from './context.ts'
import { advisorySource, countrySource, pageSource } from './sources.ts'

const MAX_ADVISORIES = 5

/**
 * Advisories in force for a country, or the most serious ones of all; most serious first. A lack of advisories is never
 * presented as an all-clear, and unreachable sources are named.
 */
export function gatherAdvisories(deps: GatheringDeps, ctx: QuestionContext, country: string | null): Gathered {
  const speech = speechOf(ctx.language)
  const actions = actionsIn(speech)
  const inForce = country ? deps.advisories.onCountry(country, ctx.now) : deps.advisories.inForce(ctx.now)
  const shown = inForce.slice(0, MAX_ADVISORIES)
  const source = country
    ? countrySource(country, speech)
    : pageSource('/travel-advisories', speech.plain('action_advisories'))
  const all = deps.advisories.sources(ctx.now)
  const sourceOf = new Map(all.map((item) => [item.id, item]))
  const isUnread = inForce.length === 0 && byAuthority(all).every(isNeverRead)
  const doubts = unconfirmed(deps, ctx, speech)
  return {
    sections: [
      country
        ? isUnread
          ? { lead: { text: unreadText(speech, country), records: [source.record] }, statements: [] }
          : onCountry(speech, country, inForce.length, shown)
        : {
            lead: { text: speech.say('advisories_worldwide'), records: [source.record] },
            statements: items(speech, shown),
          },
      ...doubts.sections,
    ],
    sources: [
      source,
      ...shown.map((advisory) => advisorySource(advisory, sourceOf.get(advisory.source_id))),
      ...doubts.sources,
    ],
    quickActions: country
      ? [actions.country(country), actions.emergency(country), actions.documents(country)]
      : [actions.advisories],
    // The most serious advisories may not be about the country that the user meant.
    closing: country ? [] : [speech.plain('ask_country')],
    found: country && !isUnread ? 'all' : 'some',
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

/** Never read, and without a saved extract: its silence means nothing. */
const isNeverRead = ({ state, last_success_at, captured_on }: AdvisorySource) =>
  state === 'not_confirmed' && last_success_at === null && captured_on === null

const unreadText = (speech: Speech, code: string) => speech.say('advisories_unread', { country: speech.country(code) })

/** A silent source is not an all-clear: names sources that were not read recently, and labels saved extracts. */
function unconfirmed(
  { advisories }: GatheringDeps,
  { now }: QuestionContext,
  speech: Speech,
): { sections: Section[]; sources: Source[] } {
  const known = byAuthority(advisories.sources(now))
  const source = pageSource('/travel-advisories/sources', speech.plain('action_advisories'))
  const sectionOf = (key: PhraseKey, state: AdvisorySource['state']): Section[] => {
    const names = [...new Set(known.filter((item) => item.state === state).map(({ name }) => name))]
    if (names.length === 0) return []
    return [
      { lead: { text: speech.say(key, { sources: speech.list(names) }), records: [source.record] }, statements: [] },
    ]
  }
  const sections = [...sectionOf('sources_unconfirmed', 'not_confirmed'), ...sectionOf('sources_captured', 'captured')]
  return { sections, sources: sections.length > 0 ? [source] : [] }
}
