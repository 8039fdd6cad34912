import type { Intent } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { fold } from '#shared/countries/fold.ts'
import { speechOf } from '../composing/speech.ts'
import { LEXICONS } from '../lexicon/lexicon.ts'
import { isSmallWord } from '../understanding/vocabulary.ts'
import type { QuestionContext } from './context.ts'

const SHORTEST = 3
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

/**
 * Words that distinguish a question from others: no stop words and no place names. Empty for scripts without spaces.
 */
export function distinctiveTerms({ understood }: QuestionContext): string[] {
  const { language, folded, analysis } = understood
  const { city, country, destination } = analysis.entities
  const places = (['en', language] as const).flatMap((of) => {
    const speech = speechOf(of)
    return [city && speech.city(city), country && speech.country(country), destination && speech.country(destination)]
  })
  const named = new Set([city, ...places].flatMap((place) => termsIn(place ?? '')))
  return [...new Set(termsIn(folded))].filter(
    (term) => term.length >= SHORTEST && !UNSPACED.test(term) && !isSmallWord(term) && !named.has(term),
  )
}

/**
 * Distinctive terms beyond those that indicate the intent: "dress" and "code" in "Is there a dress code at the worship
 * service in Riyadh?".
 */
export function topicTerms(ctx: QuestionContext): string[] {
  const { language, analysis } = ctx.understood
  const intentTerms = (['en', language] as const).map((of) => termsOfIntent(of, analysis.intent))
  return distinctiveTerms(ctx).filter((term) => !intentTerms.some((terms) => terms.has(term)))
}

/** Words of a text in comparable form, including repetitions. */
export const termsIn = (text: string): string[] => fold(text).match(WORD) ?? []

const known = new Map<string, Set<string>>()

/** Words of a language that indicate an intent, or what is asked about a church. */
function termsOfIntent(language: AssistantLanguage, intent: Intent): Set<string> {
  const key = `${language} ${intent}`
  const { intents, serviceType, dayOfWeek, contactType, role } = LEXICONS[language]
  const lists = [intents[intent], ...[serviceType, dayOfWeek, contactType, role].flatMap((by) => Object.values(by))]
  const terms = known.get(key) ?? new Set(lists.flat().flatMap(termsIn))
  known.set(key, terms)
  return terms
}
