import { RULE_CODES } from '#shared/assistant/facts.ts'
import { speechOf } from '../composing/speech.ts'
import { actionsIn } from './actions.ts'
import { type Gathered, type GatheringDeps, NOTHING, type QuestionContext } from './context.ts'
import { factStatement } from './facts.ts'
import { factSource } from './sources.ts'

/** The organisation's rules about PDOS. The portal offers no registration: a rule says where to register. */
export function gatherPdos({ facts }: GatheringDeps, { language, now }: QuestionContext): Gathered {
  const speech = speechOf(language)
  const rules = RULE_CODES.flatMap((code) => facts.list({ kind: 'rule', country: null, code }))
  const statements = rules.map((rule) => factStatement(rule, speech, now)).filter((statement) => statement !== null)
  if (statements.length === 0) return NOTHING
  const actions = actionsIn(speech)
  return {
    sections: [{ lead: { text: speech.say('pdos_lead'), records: [] }, statements, isFree: true }],
    sources: rules.map((rule) => factSource(rule, now)),
    quickActions: [actions.person, actions.locator, actions.faq],
    found: 'all',
  }
}
