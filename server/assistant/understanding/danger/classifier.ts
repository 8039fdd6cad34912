import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { DANGERS, type Danger } from '#shared/assistant/intents.ts'
import { FEATURE_BITS, type Features, featuresOf } from './features.ts'
import { sentencesOf, windowsOf } from './passages.ts'

/** The classes of the model, in the order of its weights. */
export const CLASSES = ['harmless', ...DANGERS] as const
export const CLASS_COUNT = CLASSES.length

/** A multinomial logistic regression: one weight per feature and class. */
export interface Weights {
  /** Digest of its training sentences. */
  fittedTo: string
  biases: Float32Array
  /** Feature-major: the weights of a feature are adjacent. */
  weights: Float32Array | Int8Array
  /** Factor for the stored weights of each class. */
  scales: Float32Array
}

export interface DangerScore {
  /** Probability from 0 to 1 that the message as a whole is about an immediate danger. */
  probability: number
  /** Highest such probability of the message and its sentences. */
  worst: number
  /** The most likely kind of danger, if there is one. */
  kind: Danger
  /** Highest such probability of any short run of words. */
  peak: number
}

/** Null if there is nothing to judge. */
export type DangerClassifier = (text: string) => DangerScore | null

/** One or two Latin letters mean nothing; two Chinese characters can mean "help". */
const MEANINGFUL = /[\p{L}\p{M}]{3,}|[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]{2,}|[🆘😭🩸🔪🔫🚨🔥]/u

/**
 * Scores a message for danger by its words and character n-grams. Complements the word lists, which miss unforeseen
 * wording. scripts/fit-danger-model.ts fits it and reports its quality.
 */
export function createDangerClassifier(weights: Weights = readWeights()): DangerClassifier {
  const probabilities = new Float32Array(CLASS_COUNT)
  const score = (text: string) => {
    predict(weights, featuresOf(text), probabilities)
    let best = 1
    for (let at = 2; at < CLASS_COUNT; at++) if (probabilities[at]! > probabilities[best]!) best = at
    return { probability: 1 - probabilities[0]!, kind: DANGERS[best - 1]! }
  }
  return (text) => {
    if (!MEANINGFUL.test(text)) return null
    const whole = score(text)
    const worst = sentencesOf(text)
      .map(score)
      .reduce((a, b) => (b.probability > a.probability ? b : a), whole)
    const peak = windowsOf(text).reduce(
      (highest, segment) => Math.max(highest, score(segment).probability),
      worst.probability,
    )
    return { kind: worst.kind, probability: whole.probability, worst: worst.probability, peak }
  }
}

/** Writes the probability of each class into `result`. */
export function predict({ biases, weights, scales }: Weights, features: Features, result: Float32Array): void {
  result.fill(0)
  for (let i = 0; i < features.indices.length; i++) {
    const offset = features.indices[i]! * CLASS_COUNT
    for (let at = 0; at < CLASS_COUNT; at++) result[at]! += weights[offset + at]! * features.values[i]!
  }
  let highest = Number.NEGATIVE_INFINITY
  for (let at = 0; at < CLASS_COUNT; at++) {
    result[at] = result[at]! * scales[at]! + biases[at]!
    highest = Math.max(highest, result[at]!)
  }
  let sum = 0
  for (let at = 0; at < CLASS_COUNT; at++) {
    result[at] = Math.exp(result[at]! - highest)
    sum += result[at]!
  }
  for (let at = 0; at < CLASS_COUNT; at++) result[at]! /= sum
}

export const MODEL_FILE = new URL('./model.br', import.meta.url)
const DIGEST_BYTES = 32

/** Reads the fitted model: a digest, then biases and scales as floats, then one byte per weight. */
export function readWeights(file: URL = MODEL_FILE): Weights {
  const bytes = new Uint8Array(brotliDecompressSync(readFileSync(file)))
  const floats = new Float32Array(bytes.slice(DIGEST_BYTES, DIGEST_BYTES + 8 * CLASS_COUNT).buffer)
  const weights = new Int8Array(bytes.buffer, DIGEST_BYTES + 8 * CLASS_COUNT)
  if (weights.length !== CLASS_COUNT << FEATURE_BITS)
    throw new Error('The danger model was fitted with other features. Run scripts/fit-danger-model.ts again.')
  return {
    fittedTo: Buffer.from(bytes.subarray(0, DIGEST_BYTES)).toString('hex'),
    biases: floats.slice(0, CLASS_COUNT),
    scales: floats.slice(CLASS_COUNT),
    weights,
  }
}

/** The bytes of a model before compression; the inverse of readWeights. */
export function bytesOf({ fittedTo, biases, scales, weights }: Weights & { weights: Int8Array }): Uint8Array {
  return Buffer.concat([
    Buffer.from(fittedTo, 'hex'),
    Buffer.from(Float32Array.from([...biases, ...scales]).buffer),
    Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength),
  ])
}
