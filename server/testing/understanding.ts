import { LEXICONS } from '../assistant/lexicon/lexicon.ts'
import { createUnderstanding } from '../assistant/understanding/understand.ts'
import type { Circumstances } from '../assistant/understanding/understood.ts'
import { createCountries } from '../countries/reference.ts'

/** A Saturday. */
export const QUESTION_TIME = new Date('2026-11-21T09:00:00Z')

const understanding = createUnderstanding({ lexicons: LEXICONS, countries: createCountries().all() })

/** What the portal understands of a question, on a Saturday in November 2026. */
export const understand = (question: string, circumstances: Partial<Circumstances> = {}) =>
  understanding(question, { now: QUESTION_TIME, ...circumstances })
