import type { Entities, Intent } from '#shared/assistant/intents.ts'
import { hitsOf, type SenseHit } from './senses.ts'

/** The order in which equals are decided: what cannot wait first, what is asked most often in passing last. */
const ORDER: readonly Intent[] = [
  'emergency_support',
  'status_check',
  'pdos_registration',
  'schedule_inquiry',
  'contact_inquiry',
  'document_inquiry',
  'travel_inquiry',
  'locale_inquiry',
  'general_inquiry',
]

/** Nothing in a question says what it is about. */
export const NO_INTENT = { intent: 'general_inquiry', confidence: 0.2 } as const

/** A number of an application is hardly named for another reason. */
const REFERENCE_POINTS = 4

/**
 * What a question is about. Each entry found gives its intent as many points as it has words, to the power of one and a
 * half: three words in a row say more than three apart. A mistyped word counts for half. The most points win, equals in
 * the order above; none at all is a general inquiry. The confidence is the winner's part of what the two best have.
 */
export function detectIntent(
  hits: readonly SenseHit[],
  { hasReference }: { hasReference: boolean },
): { intent: Intent; confidence: number } {
  const points = ORDER.map((intent) => {
    const found = hitsOf(hits, 'intents', intent)
    const sum = found.reduce((total, { weight, isGuess }) => total + weight ** 1.5 * (isGuess ? 0.5 : 1), 0)
    return { intent, sum: sum + (intent === 'status_check' && hasReference ? REFERENCE_POINTS : 0) }
  })
  const [best, second] = points.toSorted((a, b) => b.sum - a.sum)
  if (!best || best.sum === 0) return NO_INTENT
  const certainty = (best.sum / (best.sum + second!.sum)) * (best.sum / (best.sum + 0.5))
  return { intent: best.intent, confidence: Math.round(Math.max(certainty, NO_INTENT.confidence) * 100) / 100 }
}

/** Surer than nothing, less sure than any word that says it. */
const CONFIDENCE_BY_ENTITIES = 0.4

/** What a question is about by what it names, where no word says it: "Sunday?", "passport?". */
export function intentByEntities(entities: Entities): { intent: Intent; confidence: number } {
  const { emergencyType, serviceType, dayOfWeek, contactType, role, documentType, purpose, destination } = entities
  const intent = ((): Intent | null => {
    if (entities.applicationId) return 'status_check'
    if (emergencyType) return 'emergency_support'
    if (serviceType || dayOfWeek) return 'schedule_inquiry'
    if (contactType || role) return 'contact_inquiry'
    if (documentType || (purpose && destination)) return 'document_inquiry'
    return destination ? 'travel_inquiry' : null
  })()
  return intent ? { intent, confidence: CONFIDENCE_BY_ENTITIES } : NO_INTENT
}
