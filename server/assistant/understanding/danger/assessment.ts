import type { Danger, Entities, Intent } from '#shared/assistant/intents.ts'
import type { DangerScore } from './classifier.ts'

/** Probabilities of the classifier; scripts/fit-danger-model.ts prints recall and false alarms at each threshold. */
const SURE = 0.83
const PLAINLY = 0.97
export const POSSIBLE = 0.2
/** Below this, listed words in a message that looks harmless raise a doubt only, but are never ignored. */
const LISTED = 0.3
/** Threshold for a doubt in a question with a clear intent. */
const POSSIBLE_BESIDE_INTENT = 0.5

const PLAIN_INTENT = 0.75
const ABOUT_TROUBLE: readonly Intent[] = ['emergency_support', 'general_inquiry']

export interface DangerEvidence {
  /** Dangers found by the word lists. */
  listed: readonly Danger[]
  /** Null if the question is only a greeting or thanks. */
  score: DangerScore | null
  /** Some of its words only sound like danger: "dying to see", "I don't want to live in Dubai any more". */
  isFigurative: boolean
  /** Asks for the number of an emergency service, which leads the answer anyway. */
  isServiceRequest: boolean
  intent: Intent
  confidence: number
  entities: Entities
}

export interface DangerAssessment {
  /** Shown in the danger panel at the top of the answer. */
  dangers: Danger[]
  /** Shown as a help line with a number at the top of the answer. */
  possible: Danger | null
}

const NONE: DangerAssessment = { dangers: [], possible: null }

/** Whether danger is stated in plain words. Short texts outside a conversation are easily mistaken for it. */
export const isExplicit = ({ listed, score }: Pick<DangerEvidence, 'listed' | 'score'>): boolean =>
  listed.length > 0 || (score?.probability ?? 0) >= PLAINLY

/** Combines the findings of the word lists and the classifier. */
export function assessDanger({ listed, score, intent, confidence, ...evidence }: DangerEvidence): DangerAssessment {
  if (!score) return { dangers: [...listed], possible: null }
  const { probability, worst, kind, peak } = score
  const [first] = listed
  if (first)
    return peak >= LISTED || listed.includes('self_harm') ? { dangers: [...listed], possible: null } : doubt(first)
  // Lost documents have their own answer, which starts with the number of the embassy.
  if (kind === 'withheld_passport' && intent === 'emergency_support' && evidence.entities.emergencyType === 'document')
    return NONE
  if (probability >= SURE && canAssert(kind, evidence)) return { dangers: [kind], possible: null }
  const isPlain = evidence.isServiceRequest || (confidence >= PLAIN_INTENT && !ABOUT_TROUBLE.includes(intent))
  return worst >= (isPlain ? POSSIBLE_BESIDE_INTENT : POSSIBLE) ? doubt(kind) : NONE
}

const doubt = (danger: Danger): DangerAssessment => ({ dangers: [], possible: danger })

/** Whether the classifier alone may open the panel. For a passport, the panel text is about someone withholding it. */
const canAssert = (kind: Danger, { isFigurative }: Pick<DangerEvidence, 'isFigurative'>) =>
  kind !== 'withheld_passport' && !isFigurative
