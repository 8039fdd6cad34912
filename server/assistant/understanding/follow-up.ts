import { type Entities, type Intent, NO_ENTITIES } from '#shared/assistant/intents.ts'
import { NO_INTENT } from './intents.ts'
import type { QuestionContext } from './interpretation.ts'
import type { Words } from './tokenizer.ts'

/** A longer question is complete on its own. */
const MAX_WORDS = 8
const MAX_HAN = 18
/** Confidence of an inherited intent. */
const CONFIDENCE = 0.6

interface Own {
  intent: Intent
  confidence: number
  entities: Entities
}

/**
 * Completes a short question from the previous one. "And on Sunday?" has no intent and inherits everything; "what is
 * the phone number?" has one and inherits only the place. `isElsewhere`: it names another place, a nearby or an unknown
 * one.
 */
export function follow(
  own: Own,
  words: Words,
  {
    previous,
    previousIntent,
    isElsewhere,
  }: Pick<QuestionContext, 'previous' | 'previousIntent'> & { isElsewhere: boolean },
): Own & { isFollowUp: boolean } {
  if (!previous || !isShort(words)) return { ...own, isFollowUp: false }
  const place = placeAfter(own.entities, isElsewhere ? NO_ENTITIES : previous)
  const hasIntent = own.intent !== NO_INTENT.intent || own.confidence > NO_INTENT.confidence
  if (hasIntent || !previousIntent) return { ...own, entities: { ...own.entities, ...place }, isFollowUp: false }
  const merged = Object.entries(own.entities).map(([key, value]) => [key, value ?? previous[key as keyof Entities]])
  const entities = { ...(Object.fromEntries(merged) as Entities), ...place }
  return { intent: intentAfter(previousIntent, own.entities), confidence: CONFIDENCE, entities, isFollowUp: true }
}

/** "Where is the church?", "and on Sunday?": the follow-up is about the time. */
function intentAfter(previous: Intent, { dayOfWeek, serviceType, contactType }: Entities): Intent {
  if (!ABOUT_CHURCHES.includes(previous)) return previous
  if (dayOfWeek || serviceType) return 'schedule_inquiry'
  return contactType ? 'contact_inquiry' : previous
}

const ABOUT_CHURCHES: readonly Intent[] = ['locale_inquiry', 'contact_inquiry', 'schedule_inquiry']

/** A city is inherited only if no other place is named. */
function placeAfter(own: Entities, previous: Entities): Pick<Entities, 'city' | 'country' | 'destination'> {
  if (own.city || own.country || own.destination) {
    return { city: own.city, country: own.country, destination: own.destination }
  }
  return { city: previous.city, country: previous.country, destination: previous.destination }
}

function isShort({ list, text }: Words): boolean {
  const han = list.filter(({ kind }) => kind === 'han').reduce((sum, { start, end }) => sum + end - start, 0)
  return text !== '' && list.length <= MAX_WORDS && han <= MAX_HAN
}
