import type { Danger, Entities, Intent } from '#shared/assistant/intents.ts'
import type { DangerScore } from './classifier.ts'

/**
 * Probabilities of the classifier; scripts/fit-danger-model.ts prints how many are recognised and how many are alarmed
 * for nothing at each.
 */
const SURE = 0.83
const PLAINLY = 0.97
export const POSSIBLE = 0.2
/** Listed words in a message that looks harmless throughout are doubted, never ignored. */
const LISTED = 0.3
/** A question that plainly asks for something the portal knows must look more like danger to be doubted. */
const POSSIBLE_BESIDE_INTENT = 0.5

const PLAIN_INTENT = 0.75
const ABOUT_TROUBLE: readonly Intent[] = ['emergency_support', 'general_inquiry']

export interface DangerEvidence {
  /** What the word lists found. */
  listed: readonly Danger[]
  /** Null where the question is a greeting or thanks and nothing else. */
  score: DangerScore | null
  /** Some of its words only sound like danger: "dying to see", "I don't want to live in Dubai any more". */
  isFigurative: boolean
  /** It asks for the number of the police or the like, which the answer begins with. */
  isServiceRequest: boolean
  intent: Intent
  confidence: number
  entities: Entities
}

export interface DangerAssessment {
  /** The panel of danger leads the answer. */
  dangers: Danger[]
  /** One calm line with a number leads the answer. */
  possible: Danger | null
}

const NONE: DangerAssessment = { dangers: [], possible: null }

/** Whether danger is told in plain words: a short text out of any conversation is easily taken for it. */
export const isExplicit = ({ listed, score }: Pick<DangerEvidence, 'listed' | 'score'>): boolean =>
  listed.length > 0 || (score?.probability ?? 0) >= PLAINLY

/** Weighs what the word lists found against the classifier. */
export function assessDanger({ listed, score, intent, confidence, ...evidence }: DangerEvidence): DangerAssessment {
  if (!score) return { dangers: [...listed], possible: null }
  const { probability, worst, kind, peak } = score
  if (listed.length > 0)
    return peak >= LISTED || listed.includes('self_harm') ? { dangers: [...listed], possible: null } : doubt(listed[0]!)
  // Lost papers have an answer of their own, which begins with the number of the embassy.
  if (kind === 'withheld_passport' && intent === 'emergency_support' && evidence.entities.emergencyType === 'document')
    return NONE
  if (probability >= SURE && canAssert(kind, evidence)) return { dangers: [kind], possible: null }
  const isPlain = evidence.isServiceRequest || (confidence >= PLAIN_INTENT && !ABOUT_TROUBLE.includes(intent))
  return worst >= (isPlain ? POSSIBLE_BESIDE_INTENT : POSSIBLE) ? doubt(kind) : NONE
}

const doubt = (danger: Danger): DangerAssessment => ({ dangers: [], possible: danger })

/** Whether the classifier alone may open the panel, which for a passport speaks of somebody who withholds it. */
const canAssert = (kind: Danger, { isFigurative }: Pick<DangerEvidence, 'isFigurative'>) =>
  kind !== 'withheld_passport' && !isFigurative
