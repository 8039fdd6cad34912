import type { Fact } from '#shared/assistant/facts.ts'
import { type Speech, speechOf } from '../composing/speech.ts'
import type { Section } from '../drafts.ts'
import { isExpired } from '../facts/model.ts'
import { actionsIn } from './actions.ts'
import type { Gathered, GatheringDeps, QuestionContext } from './context.ts'
import { factStatement } from './facts.ts'
import { factSource } from './sources.ts'

/** Requirements of a country and general ones. PDOS is always included (TRAVEL-REQ-02). */
export function gatherRequirements({ facts }: GatheringDeps, ctx: QuestionContext, country: string | null): Gathered {
  const speech = speechOf(ctx.language)
  const { purpose } = ctx.understood.analysis.entities
  const { own, always } = requirementsFor(facts, country, purpose)
  const sections = [
    section(speech, leadFor(speech, country, purpose), own, ctx.now),
    section(speech, speech.say('requirements_always'), always, ctx.now),
  ].filter((item) => item !== null)
  const isKnown = own.length > 0
  return {
    opening: country
      ? isKnown
        ? []
        : [speech.say('requirements_none', { country: speech.country(country) })]
      : [speech.plain('ask_country')],
    sections,
    sources: [...own, ...always].map((fact) => factSource(fact, ctx.now)),
    quickActions: actionsFor(speech, country),
    found: isKnown ? 'all' : sections.length > 0 ? 'some' : 'nothing',
  }
}

/** Requirements of a country and general ones, without duplicates. */
export function requirementsFor(facts: GatheringDeps['facts'], country: string | null, purpose: Fact['purpose']) {
  const own = country ? facts.list({ kind: 'requirement', country, purpose }) : []
  const always = alwaysNeeded(facts, purpose).filter(({ code }) => !own.some((fact) => fact.code === code))
  return { own, always }
}

/** PDOS as a requirement, or at least as a rule. */
function alwaysNeeded(facts: GatheringDeps['facts'], purpose: Fact['purpose']): Fact[] {
  const everywhere = facts.list({ kind: 'requirement', country: null, purpose })
  if (everywhere.some(({ code }) => code === 'pdos')) return everywhere
  return [...facts.list({ kind: 'rule', country: null, code: 'pdos.required' }), ...everywhere]
}

function leadFor(speech: Speech, country: string | null, purpose: Fact['purpose']): string {
  const name = country ? speech.country(country) : ''
  return purpose
    ? speech.say('requirements_lead', { country: name, purpose: speech.plain(`purpose_${purpose}`) })
    : speech.say('requirements_lead_any', { country: name })
}

function section(speech: Speech, lead: string, facts: readonly Fact[], now: Date): Section | null {
  // Valid facts come before expired ones.
  const inOrder = facts.toSorted((a, b) => Number(isExpired(a, now)) - Number(isExpired(b, now)))
  const statements = inOrder.map((fact) => factStatement(fact, speech, now)).filter((statement) => statement !== null)
  return statements.length > 0 ? { lead: { text: lead, records: [] }, statements } : null
}

function actionsFor(speech: Speech, country: string | null) {
  const actions = actionsIn(speech)
  return country ? [actions.country(country), actions.pdos, actions.person] : [actions.pdos, actions.person]
}
