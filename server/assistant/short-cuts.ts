import { ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'
import { speechOf } from './composing/speech.ts'
import type { Draft } from './drafts.ts'
import type { FollowUp } from './follow-up.ts'
import { draftForDanger, draftWithout, greetingFor } from './gathering/answer-draft.ts'
import type { GatheringDeps, QuestionContext } from './gathering/context.ts'
import { gatherOwn } from './gathering/own-account.ts'

/**
 * Answers without further lookups and never by the model: danger first, then refusals, small talk, and the offer of a
 * person.
 */
export function shortCut(
  deps: Pick<GatheringDeps, 'facts'>,
  ctx: QuestionContext,
  { understood, dangers, country }: FollowUp,
): Draft | null {
  const { plain } = speechOf(ctx.language)
  const { intent, entities } = understood.analysis
  if (dangers.length > 0) {
    // A misspelt place is asked about: the profile may name another country.
    const needsClarification = (understood.unknownPlace?.meant.length ?? 0) > 0
    const elsewhere = needsClarification ? null : (ctx.user?.country ?? entities.destination)
    return draftForDanger(deps, ctx, dangers, country ?? elsewhere)
  }
  if (understood.isDisparaging) return draftWithout(ctx, 'refused', plain('refused_defamation'), { mayGoOn: false })
  if (understood.isCommand) return draftWithout(ctx, 'refused', plain('refused_instructions'))
  if (intent === 'status_check' && entities.applicationId && !ctx.user) {
    const { quickActions = [] } = gatherOwn(ctx)
    return { ...draftWithout(ctx, 'refused', plain('refused_personal')), quickActions }
  }
  // With a specific intent, the question itself is answered.
  if (understood.wantsPerson && intent === 'general_inquiry')
    return draftWithout(ctx, 'answered', plain('hand_over_offer'), { mayGoOn: false })
  if (understood.isGreeting) return draftWithout(ctx, 'answered', greetingFor(ctx))
  if (understood.isThanks)
    return draftWithout(ctx, 'answered', plain('thanks', { blessing: ASSISTANT_LANGUAGES[ctx.language].blessing }))
  return null
}
