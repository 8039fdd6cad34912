import type { Intent } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { fold } from '#shared/countries/fold.ts'
import { speechOf } from '../composing/speech.ts'
import { LEXICONS } from '../lexicon/lexicon.ts'
import { isSmallWord } from '../understanding/vocabulary.ts'
import type { Asked } from './parts.ts'

const SHORTEST = 3
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/**
 * What a question says beyond the words by which its intent was told, and beyond the places it names: of "Is there a dress
 * code at the worship service in Riyadh?" dress and code.
 */
export function ownWords({ understood }: Asked): string[] {
  const { language, words, analysis } = understood
  const { city, country, destination } = analysis.entities
  const places = (['en', language] as const).flatMap((of) => {
    const speech = speechOf(of)
    return [city && speech.city(city), country && speech.country(country), destination && speech.country(destination)]
  })
  const told = new Set([city, ...places].flatMap((place) => wordsIn(place ?? '')))
  const isTold = (word: string) =>
    told.has(word) ||
    wordsOfIntent('en', analysis.intent).has(word) ||
    wordsOfIntent(language, analysis.intent).has(word)
  return [...new Set(wordsIn(words))].filter((word) => word.length >= SHORTEST && !isSmallWord(word) && !isTold(word))
}

const wordsIn = (text: string): string[] => fold(text).match(WORD) ?? []

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
