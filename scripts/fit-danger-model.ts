// node scripts/run.mjs scripts/fit-danger-model.ts [--write]: fits the model that recognises danger where no word list
// matches, on the sentences of evaluate/danger/training, and prints its cross-validated accuracy.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { LEXICONS } from '#server/assistant/lexicon/lexicon.ts'
import { POSSIBLE } from '#server/assistant/understanding/danger/assessment.ts'
import {
  bytesOf,
  CLASS_COUNT,
  CLASSES,
  MODEL_FILE,
  predict,
  type Weights,
} from '#server/assistant/understanding/danger/classifier.ts'
import { FEATURE_BITS, type Features, featuresOf } from '#server/assistant/understanding/danger/features.ts'
import { createUnderstanding } from '#server/assistant/understanding/interpreter.ts'
import { createCountries } from '#server/countries/reference.ts'
import { readTraining, type TrainingSentence, trainingDigest } from '../evaluate/danger/training.ts'

const FOLDS = 5
const MAX_LEVEL = 31
const EPOCHS = 15
const LEARNING_RATE = 0.1
/** Harmless sentences are under-represented, and false alarms cost trust. */
const HARMLESS_WEIGHT = 1.5
const RATES = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4]

interface Sample extends TrainingSentence {
  features: Features
  target: number
}

const { values: options } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const random = createRandom(20261122)
const understand = createUnderstanding({ lexicons: LEXICONS, countries: createCountries().all(), classify: () => null })
const samples = shuffle(readTraining().map(toSample))
console.log(`${samples.length} sentences, ${CLASS_COUNT} classes`)
console.log(crossValidate())
if (options.write) {
  const bytes = bytesOf(quantized(fitTo(samples)))
  const compressed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  writeFileSync(MODEL_FILE, compressed)
  console.log(`Written: ${Math.round(compressed.length / 1000)} kB`)
}

function toSample(sentence: TrainingSentence): Sample {
  return {
    ...sentence,
    features: featuresOf(understand(sentence.text, { now: new Date(0) }).placeless),
    target: CLASSES.indexOf(sentence.kind),
  }
}

/**
 * Stochastic gradient descent with AdaGrad. Features that occur in a single sentence are left out: they only enlarge
 * the model.
 */
function fitTo(all: readonly Sample[]): Weights & { weights: Float32Array } {
  const set = withSharedFeatures(all)
  const size = CLASS_COUNT << FEATURE_BITS
  const weights = new Float32Array(size)
  const squares = new Float32Array(size).fill(1e-6)
  const biases = new Float32Array(CLASS_COUNT)
  const model = { fittedTo: trainingDigest(), biases, weights, scales: new Float32Array(CLASS_COUNT).fill(1) }
  const output = new Float32Array(CLASS_COUNT)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const { features, target } of shuffle([...set])) {
      predict(model, features, output)
      const weight = target === 0 ? HARMLESS_WEIGHT : 1
      for (let at = 0; at < CLASS_COUNT; at++) {
        const error = (output[at]! - (at === target ? 1 : 0)) * weight
        biases[at]! -= 0.02 * error
        for (let i = 0; i < features.indices.length; i++) {
          const index = features.indices[i]! * CLASS_COUNT + at
          const gradient = error * features.values[i]!
          squares[index]! += gradient * gradient
          weights[index]! -= (LEARNING_RATE * gradient) / Math.sqrt(squares[index]!)
        }
      }
    }
  }
  return model
}

function withSharedFeatures(set: readonly Sample[]): Sample[] {
  const counts = new Uint32Array(1 << FEATURE_BITS)
  for (const { features } of set) for (const index of features.indices) counts[index]!++
  return set.map((sample) => {
    const { indices, values } = sample.features
    const isShared = (_: number, at: number) => counts[indices[at]!]! > 1
    return { ...sample, features: { indices: indices.filter(isShared), values: values.filter(isShared) } }
  })
}

/** One byte per weight, scaled so that the largest of a class becomes 31: finer steps only enlarge the file. */
function quantized({ weights, ...model }: Weights): Weights & { weights: Int8Array } {
  const scales = new Float32Array(CLASS_COUNT)
  for (let i = 0; i < weights.length; i++) {
    const at = i % CLASS_COUNT
    scales[at] = Math.max(scales[at]!, Math.abs(weights[i]!) / MAX_LEVEL)
  }
  return {
    ...model,
    scales,
    weights: Int8Array.from(weights, (weight, i) => Math.round(weight / scales[i % CLASS_COUNT]!)),
  }
}

/** Recall of danger at thresholds that let through given numbers of harmless look-alikes. */
function crossValidate(): string {
  const scored: { sample: Sample; probability: number }[] = []
  const output = new Float32Array(CLASS_COUNT)
  for (let fold = 0; fold < FOLDS; fold++) {
    const model = quantized(fitTo(samples.filter((_, i) => i % FOLDS !== fold)))
    for (const sample of samples.filter((_, i) => i % FOLDS === fold)) {
      predict(model, sample.features, output)
      scored.push({ sample, probability: 1 - output[0]! })
    }
  }
  const share = (of: (sample: Sample) => boolean, threshold: number) => {
    const these = scored.filter(({ sample }) => of(sample))
    const above = these.filter(({ probability }) => probability >= threshold).length
    return `${((100 * above) / these.length).toFixed(1)} %`
  }
  const lookalikes = scored
    .filter(({ sample: { kind, style } }) => kind === 'harmless' && style === 'lookalike')
    .map(({ probability }) => probability)
    .sort((a, b) => b - a)
  const rows = RATES.map((rate) => {
    const threshold = lookalikes[Math.floor(rate * lookalikes.length)]!
    return [
      threshold.toFixed(3),
      share(({ kind, style }) => kind === 'harmless' && style === 'lookalike', threshold),
      share(({ kind, style }) => kind === 'harmless' && style !== 'lookalike', threshold),
      ...['plain', 'indirect', 'text'].map((wanted) =>
        share(({ kind, style }) => kind !== 'harmless' && style === wanted, threshold),
      ),
      share(({ kind }) => kind !== 'harmless', threshold),
    ].join(' | ')
  })
  const languages = [...new Set(samples.map(({ language }) => language))].map((wanted) =>
    [
      wanted,
      share(({ kind, language }) => kind === 'harmless' && language === wanted, POSSIBLE),
      share(({ kind, language }) => kind !== 'harmless' && language === wanted, POSSIBLE),
    ].join(' | '),
  )
  console.log(`By language at ${POSSIBLE}: harmless, danger\n${languages.join('\n')}`)
  const heads = ['threshold', 'look-alikes', 'other harmless', 'plain', 'indirect', 'text-speak', 'all danger']
  return [`| ${heads.join(' | ')} |`, `|${'--:|'.repeat(heads.length)}`, ...rows.map((row) => `| ${row} |`)].join('\n')
}

function shuffle<T>(list: T[]): T[] {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[list[at], list[other]] = [list[other]!, list[at]!]
  }
  return list
}

/** Mulberry32: deterministic across runs. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}
