import { LEXICONS } from '#server/assistant/lexicon/lexicon.ts'
import type { QuestionContext } from '#server/assistant/understanding/interpretation.ts'
import { createUnderstanding } from '#server/assistant/understanding/interpreter.ts'
import { createCountries } from '#server/countries/reference.ts'

/** A Saturday. */
export const QUESTION_TIME = new Date('2026-11-21T09:00:00Z')

const understanding = createUnderstanding({ lexicons: LEXICONS, countries: createCountries().all() })

/** The portal's interpretation of a question, on a Saturday in November 2026. */
export const understand = (question: string, circumstances: Partial<QuestionContext> = {}) =>
  understanding(question, { now: QUESTION_TIME, ...circumstances })
