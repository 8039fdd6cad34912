import type { Intent } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { fold } from '#shared/countries/fold.ts'
import { speechOf } from '../composing/speech.ts'
import { LEXICONS } from '../lexicon/lexicon.ts'
import { isSmallWord } from '../understanding/vocabulary.ts'
import type { Asked } from './parts.ts'

const SHORTEST = 3
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

/**
 * The words that tell one question from another: neither small ones nor the places it names. Where words are not spaced
 * there are none.
 */
export function tellingWords({ understood }: Asked): string[] {
  const { language, words, analysis } = understood
  const { city, country, destination } = analysis.entities
  const places = (['en', language] as const).flatMap((of) => {
    const speech = speechOf(of)
    return [city && speech.city(city), country && speech.country(country), destination && speech.country(destination)]
  })
  const named = new Set([city, ...places].flatMap((place) => wordsIn(place ?? '')))
  return [...new Set(wordsIn(words))].filter(
    (word) => word.length >= SHORTEST && !UNSPACED.test(word) && !isSmallWord(word) && !named.has(word),
  )
}

/**
 * Those beyond the words by which its intent was told: of "Is there a dress code at the worship service in Riyadh?" dress
 * and code.
 */
export function ownWords(asked: Asked): string[] {
  const { language, analysis } = asked.understood
  const told = (['en', language] as const).map((of) => wordsOfIntent(of, analysis.intent))
  return tellingWords(asked).filter((word) => !told.some((words) => words.has(word)))
}

/** The words of a text in the form in which they are compared, each as often as it stands there. */
export const wordsIn = (text: string): string[] => fold(text).match(WORD) ?? []

const known = new Map<string, Set<string>>()

/** The words of a language that speak for an intent, or name what is asked of a church. */
function wordsOfIntent(language: AssistantLanguage, intent: Intent): Set<string> {
  const key = `${language} ${intent}`
  const { intents, serviceType, dayOfWeek, contactType, role } = LEXICONS[language]
  const lists = [intents[intent], ...[serviceType, dayOfWeek, contactType, role].flatMap((by) => Object.values(by))]
  const words = known.get(key) ?? new Set(lists.flat().flatMap(wordsIn))
  known.set(key, words)
  return words
}
