import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/** Detected language of a text among the twelve, with its confidence. */
export interface LanguageGuess {
  language: AssistantLanguage
  confidence: number
  /** Possible languages, most likely first; their shares add up to at most 1. */
  shares: readonly { language: AssistantLanguage; share: number }[]
}

/** Below this, the language is undetermined and defaults to English (LANG-06). */
export const LEAST_CONFIDENCE = 0.1
/** Above this, the answer is in the language of the question (LANG-07). */
export const LOCALIZED_ABOVE = 0.7

/** Whether to answer in a detected language other than English (LANG-07). */
export const isLocalized = (language: AssistantLanguage, confidence: number) =>
  language !== 'en' && confidence > LOCALIZED_ABOVE

/** Undetermined language. */
export const NOTHING: LanguageGuess = { language: 'en', confidence: 0, shares: [] }

/** A single language with the given confidence. */
export const detectedAs = (language: AssistantLanguage, confidence: number): LanguageGuess => ({
  language: confidence < LEAST_CONFIDENCE ? 'en' : language,
  confidence,
  shares: [{ language, share: confidence }],
})
