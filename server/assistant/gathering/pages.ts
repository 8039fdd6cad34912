import type { Intent } from '#shared/assistant/intents.ts'
import { type Gathered, type GatheringDeps, NOTHING, type QuestionContext, together } from './context.ts'
import { gatherFaq } from './faq.ts'
import { gatherKnowledge, type Liking } from './knowledge.ts'
import { distinctiveTerms, topicTerms } from './terms.ts'

/** Questions that any page like them may answer where no other record does. */
const ANSWERED_BY_PAGES: readonly Intent[] = [
  'general_inquiry',
  'travel_inquiry',
  'document_inquiry',
  'pdos_registration',
]
/** Of fewer words of its own a question is answered by the records of its intent. */
const MIN_TOPIC_TERMS = 2

/**
 * What was gathered, with what known pages say where the question names an institution that they speak of, and where the
 * records of the portal say nothing, only ask back, or say of the seminar what they say to everybody.
 */
export async function withPages(deps: GatheringDeps, ctx: QuestionContext, gathered: Gathered): Promise<Gathered> {
  const { intent } = ctx.understood.analysis
  const names = deps.names.namedIn(ctx.understood.folded)
  const named = names.length > 0 ? await search(deps, ctx, gathered, { names }) : NOTHING
  if (named.found !== 'nothing') return withNamed(ctx, gathered, named)
  // What cannot be searched now is not waited for again.
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

/** What is answered already waits for no page, and nothing is missing from it where none can be searched. */
async function search(
  deps: GatheringDeps,
  ctx: QuestionContext,
  { found }: Gathered,
  liking: Liking,
): Promise<Gathered> {
  const { lookUp, lookUpBeside } = deps.waits
  const pages = await gatherKnowledge(deps, ctx, liking, found === 'nothing' ? lookUp : lookUpBeside)
  return found === 'all' ? { ...pages, warning: null } : pages
}

/** The answer where the question is of that institution and nothing but general was gathered, otherwise beside it. */
function withNamed(ctx: QuestionContext, gathered: Gathered, named: Gathered): Gathered {
  const { folded, analysis } = ctx.understood
  const isEmergency = analysis.intent === 'emergency_support'
  const isOfSeminar = analysis.intent === 'pdos_registration' && folded.includes('pdos')
  const isGeneral = gathered.found !== 'all' || (analysis.intent === 'pdos_registration' && !isOfSeminar)
  const quickActions = [...(named.quickActions ?? []), ...(gathered.quickActions ?? [])]
  if (isGeneral && !isEmergency) return { ...named, quickActions, warning: gathered.warning ?? null }
  const found = [gathered.found, named.found].includes('all') ? 'all' : 'some'
  // Whoever had an accident needs the numbers first.
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

/** A question back, or that nothing is known, comes after what is. */
const asLast = (gathered: Gathered): Gathered => ({
  ...gathered,
  opening: [],
  closing: [...(gathered.opening ?? []), ...(gathered.closing ?? [])],
})
