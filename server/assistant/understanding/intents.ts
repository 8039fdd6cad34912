import type { EmergencyService, Entities, Intent } from '#shared/assistant/intents.ts'
import { best } from './entities.ts'
import { hitsOf, type SenseHit } from './senses.ts'

/** Priority of intents with equal points: urgent ones first, those often mentioned in passing last. */
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

/** Nothing in the question indicates an intent. */
export const NO_INTENT = { intent: 'general_inquiry', confidence: 0.2 } as const

/** An application reference hardly ever has another purpose. */
const REFERENCE_POINTS = 4
/** "Please tell me" counts little beside anything specific. */
const MANNERS_SHARE = 0.3
/** Several words without portal records: "a taxi from the airport". */
const ELSEWHERE_POINTS = 1.5
/** For three words in a row that describe an incident. */
const MISFORTUNE_POINTS = 4
const SEMINAR_POINTS = 2

/**
 * Detects the intent of a question. Each matched entry scores its number of words to the power of 1.5, so that three
 * words in a row count more than three separate ones; a corrected typo counts half. The highest score wins, with ties
 * in the order above; without a match it is a general inquiry. The confidence is the winner's share of the best two
 * scores.
 */
export function detectIntent(
  hits: readonly SenseHit[],
  { hasReference }: { hasReference: boolean },
): { intent: Intent; confidence: number } {
  const points = ORDER.map((intent) => {
    const found = hitsOf(hits, 'intents', intent)
    const sum = found.reduce((total, { weight, isGuess }) => total + weight ** 1.5 * (isGuess ? 0.5 : 1), 0)
    if (intent === 'general_inquiry') {
      const isElsewhere = hitsOf(hits, 'elsewhere').some(({ isGuess }) => !isGuess)
      return { intent, sum: sum * MANNERS_SHARE + (isElsewhere ? ELSEWHERE_POINTS : 0) }
    }
    return { intent, sum: sum === 0 && intent !== 'status_check' ? 0 : sum + furtherPoints(intent, hits, hasReference) }
  })
  const [best, second] = points.toSorted((a, b) => b.sum - a.sum)
  if (!best || !second || best.sum === 0) return NO_INTENT
  const certainty = (best.sum / (best.sum + second.sum)) * (best.sum / (best.sum + 0.5))
  const confidence = Math.round(Math.max(certainty, NO_INTENT.confidence) * 100) / 100
  // "The telephone number of the church in Riyadh" is about the number, not about finding the church.
  const isReached = best.intent === 'locale_inquiry' && second.intent === 'contact_inquiry' && namesLine(hits)
  return { intent: isReached ? 'contact_inquiry' : best.intent, confidence }
}

/** Additional evidence for an intent that has matched words. */
function furtherPoints(intent: Intent, hits: readonly SenseHit[], hasReference: boolean): number {
  if (intent === 'status_check') return hasReference ? REFERENCE_POINTS : 0
  // "Whom do I call?" after "I lost my passport" asks for help, not for a church.
  if (intent === 'emergency_support') return hitsOf(hits, 'emergencyType').some(isCertain) ? MISFORTUNE_POINTS : 0
  // The seminar has a proper name, which makes the intent certain.
  return intent === 'pdos_registration' && hits.some(({ entry }) => entry === 'pdos') ? SEMINAR_POINTS : 0
}

const isCertain = ({ weight, isGuess }: SenseHit) => weight >= 2 && !isGuess

const namesLine = (hits: readonly SenseHit[]) =>
  hitsOf(hits, 'contactType').some(({ label, isGuess }) => label.value !== 'address' && !isGuess)

/** Above no evidence, below any matched word. */
const CONFIDENCE_BY_ENTITIES = 0.4

/** Intent from entities alone, if no word indicates one: "Sunday?", "passport?". */
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

/** Asks for the number or address of the police, an ambulance, the fire brigade or a mission. */
export const SERVICE_INTENT = { intent: 'emergency_support', confidence: 0.8 } as const

const MAY_NAME_SERVICE: readonly Intent[] = [
  'contact_inquiry',
  'locale_inquiry',
  'schedule_inquiry',
  'emergency_support',
  'general_inquiry',
]

/**
 * "Where is our embassy?" and "the police in Doha" ask for that service; "the church near the embassy" asks for a
 * church.
 */
export function requestedService(
  { intent, entities: { serviceType, role } }: { intent: Intent; entities: Entities },
  hits: readonly SenseHit[],
): EmergencyService | null {
  const service = best(hits, 'service') as EmergencyService | null
  if (!service || serviceType || role || !MAY_NAME_SERVICE.includes(intent)) return null
  // Single words in the list are nouns; its phrases ("where is the nearest") go with anything.
  const namesChurch = hits.some(
    ({ label, weight, isGuess }) =>
      label.list === 'intents' && label.value === 'locale_inquiry' && weight <= 1 && !isGuess,
  )
  return namesChurch ? null : service
}
