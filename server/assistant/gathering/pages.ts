import type { Intent } from '#shared/assistant/intents.ts'
import { gatherFaq } from './faq.ts'
import { gatherKnowledge, type Liking } from './knowledge.ts'
import { ownWords } from './ownWords.ts'
import { type Asked, type Gathered, type GatheringParts, NOTHING, together } from './parts.ts'

/** Questions that any page like them may answer where no other record does. */
const ANSWERED_BY_PAGES: readonly Intent[] = [
  'general_inquiry',
  'travel_inquiry',
  'document_inquiry',
  'pdos_registration',
]
/** Of fewer words of its own a question is answered by the records of its intent. */
const LEAST_OWN_WORDS = 2

/**
 * What was gathered, with what known pages say where the question names an institution that they speak of, and where the
 * records of the portal say nothing, only ask back, or say of the seminar what they say to everybody.
 */
export async function withPages(parts: GatheringParts, asked: Asked, gathered: Gathered): Promise<Gathered> {
  const { intent } = asked.understood.analysis
  const names = parts.names.namedIn(asked.understood.words)
  const named = names.length > 0 ? await search(parts, asked, gathered, { names }) : NOTHING
  if (named.found !== 'nothing') return joined(asked, gathered, named, { isNamed: true })
  const isOpen = gathered.found !== 'all'
  if (isOpen && ANSWERED_BY_PAGES.includes(intent)) {
    const faq = gathered.found === 'nothing' ? gatherFaq(parts, asked) : NOTHING
    return joined(asked, gathered, faq.found === 'nothing' ? await search(parts, asked, gathered, {}) : faq)
  }
  const words = isOpen || intent === 'pdos_registration' ? ownWords(asked) : []
  if (words.length < LEAST_OWN_WORDS) return gathered
  return joined(asked, gathered, await search(parts, asked, gathered, { words }))
}

/** What is answered already waits for no page, and nothing is missing from it where none can be searched. */
async function search(parts: GatheringParts, asked: Asked, { found }: Gathered, liking: Liking): Promise<Gathered> {
  const { lookUp, lookUpBeside } = parts.waits
  const pages = await gatherKnowledge(parts, asked, liking, found === 'nothing' ? lookUp : lookUpBeside)
  return found === 'all' ? { ...pages, warning: null } : pages
}

function joined(asked: Asked, gathered: Gathered, pages: Gathered, { isNamed = false } = {}): Gathered {
  const warning = gathered.warning ?? pages.warning ?? null
  if (pages.found === 'nothing') return { ...gathered, warning }
  const { intent, entities } = asked.understood.analysis
  const isAsking = gathered.found === 'asks'
  const isAnswer = isNamed || gathered.found === 'nothing' || gathered.found === 'all'
  const found = isAnswer && [gathered.found, pages.found].includes('all') ? 'all' : 'some'
  // Whoever had an accident needs the numbers first.
  const isUrgent = intent === 'emergency_support' && entities.emergencyType !== null
  const isFirst = isNamed || isAsking || gathered.found === 'nothing' || intent === 'emergency_support'
  if (isUrgent || !isFirst) return { ...together([gathered, pages]), warning, found }
  // A question back comes after what is known; where the page is the answer, there is nothing to ask.
  const { opening = [], closing = [] } = gathered
  const rest = { ...gathered, opening: [], closing: isAsking && found === 'all' ? [] : [...opening, ...closing] }
  return { ...together([pages, rest]), warning, found }
}
