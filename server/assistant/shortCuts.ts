import { ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'
import { speechOf } from './composing/speech.ts'
import type { Draft } from './drafts.ts'
import type { Following } from './following.ts'
import { draftForDanger, draftWithout, greetingFor } from './gathering/gather.ts'
import { gatherOwn } from './gathering/own.ts'
import type { Asked, GatheringParts } from './gathering/parts.ts'

/**
 * What is answered without looking further, and never by a model: danger before all else, refusals, manners, and the
 * offer of a person.
 */
export function shortCut(
  parts: Pick<GatheringParts, 'facts'>,
  asked: Asked,
  { understood, dangers, country }: Following,
): Draft | null {
  const { plain } = speechOf(asked.language)
  const { intent, entities } = understood.analysis
  if (dangers.length > 0) {
    // Somebody who misspelt where they are is asked: their profile may name another country.
    const isAsked = (understood.unknownPlace?.meant.length ?? 0) > 0
    const elsewhere = isAsked ? null : (asked.user?.country ?? entities.destination)
    return draftForDanger(parts, asked, dangers, country ?? elsewhere)
  }
  if (understood.isDisparaging) return draftWithout(asked, 'refused', plain('refused_defamation'), { mayGoOn: false })
  if (understood.isCommand) return draftWithout(asked, 'refused', plain('refused_instructions'))
  if (intent === 'status_check' && entities.applicationId && !asked.user) {
    const { quickActions = [] } = gatherOwn(asked)
    return { ...draftWithout(asked, 'refused', plain('refused_personal')), quickActions }
  }
  // Who is wanted may be known: then that is answered.
  if (understood.wantsPerson && intent === 'general_inquiry')
    return draftWithout(asked, 'answered', plain('hand_over_offer'), { mayGoOn: false })
  if (understood.isGreeting) return draftWithout(asked, 'answered', greetingFor(asked))
  if (understood.isThanks)
    return draftWithout(asked, 'answered', plain('thanks', { blessing: ASSISTANT_LANGUAGES[asked.language].blessing }))
  return null
}
