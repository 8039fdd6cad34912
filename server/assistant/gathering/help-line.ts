import type { HotlineCode } from '#shared/assistant/facts.ts'
import type { Danger } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { type Speech, speechOf } from '../composing/speech.ts'
import type { Draft, Section } from '../drafts.ts'
import type { FollowUp } from '../follow-up.ts'
import type { GatheringDeps, QuestionContext } from './context.ts'
import { FIRST_HELP, hotlinesOf, type KnownHotline } from './hotlines.ts'
import { factSource } from './sources.ts'

/** Numbers that provide immediate help in any situation. */
const AT_ONCE: readonly HotlineCode[] = ['emergency', 'police', 'ambulance']
const FIRST: Partial<Record<Danger, readonly HotlineCode[]>> = {
  self_harm: FIRST_HELP.self_harm,
  arrest: FIRST_HELP.arrest,
  withheld_passport: FIRST_HELP.withheld_passport,
}

/**
 * Puts a help line with a phone number before an answer to a user who may be in danger but did not clearly say so. The
 * rest of the answer stays. Skips answers that start with the danger panel or show no sign of danger.
 */
export function withHelpLine(
  { facts }: Pick<GatheringDeps, 'facts'>,
  ctx: QuestionContext,
  draft: Draft,
  { possible, country: named }: Pick<FollowUp, 'possible' | 'country'>,
): Draft {
  if (draft.danger || !possible) return draft
  const speech = speechOf(ctx.language)
  const country = named ?? ctx.user?.country ?? ctx.understood.analysis.entities.destination
  const known = firstNumber(facts, country, ctx.language, ctx.now, FIRST[possible])
  const text = known ? textOf(known, speech) : speech.plain('help_line_none')
  const askBack = country ? [] : [bare(speech.plain('emergency_ask_country'))]
  const line: Section = known
    ? { lead: null, statements: [{ text: speech.name(text), records: [known.record] }] }
    : bare(text)
  return {
    ...draft,
    helpLine: {
      text,
      hotline: known ? hotlineOf(known) : null,
      country,
      page_label: speech.plain('action_emergency_page'),
    },
    // The opening of the answer follows the help line.
    opening: [],
    sections: [line, ...askBack, ...draft.opening.map(bare), ...draft.sections],
    sources: known ? [factSource(known.fact, ctx.now), ...draft.sources] : draft.sources,
  }
}

/** A paragraph that asserts nothing. */
const bare = (text: string): Section => ({ lead: { text, records: [] }, statements: [] })

function textOf({ phone, label, fact }: KnownHotline, speech: Speech): string {
  const { country_code } = fact
  return country_code
    ? speech.plain('help_line', { phone, label, country: speech.country(country_code) })
    : speech.plain('help_line_anywhere', { phone, label })
}

const hotlineOf = ({ fact: _, code: __, ...hotline }: KnownHotline) => hotline

/** The first number to call in a country, else an international one; undefined if none is known. */
export function firstNumber(
  facts: GatheringDeps['facts'],
  country: string | null,
  language: AssistantLanguage,
  now: Date,
  first: readonly HotlineCode[] = AT_ONCE,
): KnownHotline | undefined {
  const numbers = (of: string | null) => hotlinesOf(facts, { country: of, first, speech: speechOf(language), now })
  const helpful = [...(country ? numbers(country) : []), ...numbers(null)].filter(
    ({ code }) => first.includes(code) || AT_ONCE.includes(code),
  )
  return helpful.find(({ is_expired }) => !is_expired) ?? helpful[0]
}
