import type { Intent } from '#shared/assistant/intents.ts'
import { type Gathered, type GatheringDeps, NOTHING, type QuestionContext, together } from './context.ts'
import { gatherFaq } from './faq.ts'
import { gatherKnowledge, type MatchRule } from './knowledge.ts'
import { distinctiveTerms, topicTerms } from './terms.ts'

/** Intents that any similar page may answer if no other record does. */
const ANSWERED_BY_PAGES: readonly Intent[] = [
  'general_inquiry',
  'travel_inquiry',
  'document_inquiry',
  'pdos_registration',
]
/** With fewer topic terms, the records of the intent answer a question. */
const MIN_TOPIC_TERMS = 2

/**
 * Adds knowledge pages to the result if the question names an institution they mention, or if the portal's records have
 * no answer, only ask back, or give just the general PDOS answer.
 */
export async function withPages(deps: GatheringDeps, ctx: QuestionContext, gathered: Gathered): Promise<Gathered> {
  const { intent } = ctx.understood.analysis
  const names = deps.names.namedIn(ctx.understood.folded)
  const named = names.length > 0 ? await search(deps, ctx, gathered, { names }) : NOTHING
  if (named.found !== 'nothing') return withNamed(ctx, gathered, named)
  // The search has just failed; do not wait for it again.
  if (named.warning) return withAlike(gathered, named)
  const isOpen = gathered.found !== 'all'
  if (isOpen && ANSWERED_BY_PAGES.includes(intent)) {
    const faq = gathered.found === 'nothing' ? gatherFaq(deps, ctx) : NOTHING
    if (faq.found !== 'nothing') return withAlike(gathered, faq)
    return withAlike(gathered, await search(deps, ctx, gathered, { terms: distinctiveTerms(ctx), atLeast: 1 }))
  }
  const terms = isOpen || intent === 'pdos_registration' ? topicTerms(ctx) : []
  if (terms.length < MIN_TOPIC_TERMS) return gathered
  return withAlike(gathered, await search(deps, ctx, gathered, { terms, atLeast: MIN_TOPIC_TERMS }))
}

/** A complete answer waits only briefly for pages, and gets no warning if the search fails. */
async function search(
  deps: GatheringDeps,
  ctx: QuestionContext,
  { found }: Gathered,
  liking: MatchRule,
): Promise<Gathered> {
  const { lookUp, lookUpBeside } = deps.waits
  const pages = await gatherKnowledge(deps, ctx, liking, found === 'nothing' ? lookUp : lookUpBeside)
  return found === 'all' ? { ...pages, warning: null } : pages
}

/** Replaces a general result by the page about the institution; otherwise combines them. */
function withNamed(ctx: QuestionContext, gathered: Gathered, named: Gathered): Gathered {
  const { folded, analysis } = ctx.understood
  const isEmergency = analysis.intent === 'emergency_support'
  const isOfSeminar = analysis.intent === 'pdos_registration' && folded.includes('pdos')
  const isGeneral = gathered.found !== 'all' || (analysis.intent === 'pdos_registration' && !isOfSeminar)
  const quickActions = [...(named.quickActions ?? []), ...(gathered.quickActions ?? [])]
  if (isGeneral && !isEmergency) return { ...named, quickActions, warning: gathered.warning ?? null }
  const found = [gathered.found, named.found].includes('all') ? 'all' : 'some'
  // In an accident, the numbers come first.
  const isUrgent = isEmergency && analysis.entities.emergencyType !== null
  return { ...(isUrgent ? together([gathered, named]) : together([named, asLast(gathered)])), found }
}

function withAlike(gathered: Gathered, alike: Gathered): Gathered {
  const warning = gathered.warning ?? alike.warning ?? null
  if (alike.found === 'nothing') return { ...gathered, warning }
  if (gathered.found === 'nothing' || gathered.found === 'asks')
    return {
      ...together([alike, asLast(gathered)]),
      found: gathered.found === 'asks' ? 'some' : alike.found,
      warning,
    }
  return { ...together([gathered, alike]), found: gathered.found, warning }
}

/** Moves a follow-up question or "unknown" behind the known content. */
const asLast = (gathered: Gathered): Gathered => ({
  ...gathered,
  opening: [],
  closing: [...(gathered.opening ?? []), ...(gathered.closing ?? [])],
})
