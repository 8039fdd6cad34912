import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/** The language of a text and how sure that is, among the twelve. */
export interface Detected {
  language: AssistantLanguage
  confidence: number
  /** Every language it may be in, the likeliest first; their shares add up to 1 or less. */
  shares: readonly { language: AssistantLanguage; share: number }[]
}

/** Below it nothing is told and the language is English (LANG-06). */
export const LEAST_CONFIDENCE = 0.1
/** Above it an answer is given in the language of the question (LANG-07). */
export const LOCALIZED_ABOVE = 0.7

/** Whether the language is sure enough to be answered in where it is not English (LANG-07). */
export const isLocalized = (language: AssistantLanguage, confidence: number) =>
  language !== 'en' && confidence > LOCALIZED_ABOVE

/** No language is told. */
export const NOTHING: Detected = { language: 'en', confidence: 0, shares: [] }

/** One language, with that confidence. */
export const surely = (language: AssistantLanguage, confidence: number): Detected => ({
  language: confidence < LEAST_CONFIDENCE ? 'en' : language,
  confidence,
  shares: [{ language, share: confidence }],
})
