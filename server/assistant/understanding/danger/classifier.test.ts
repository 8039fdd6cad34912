import { expect, test } from 'vitest'
import { DANGERS } from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGE_CODES } from '#shared/assistant/languages.ts'
import { readUnseen } from '../../../../evaluate/danger/holdout.ts'
import { readTraining, trainingDigest } from '../../../../evaluate/danger/training.ts'
import { sharedUnderstanding } from '../../testing.ts'
import { createDangerClassifier, readWeights } from './classifier.ts'

const understand = sharedUnderstanding()
const interpret = (question: string) => understand(question, { now: new Date('2026-03-10T09:00:00Z') }).analysis
const isFound = (question: string) => {
  const { dangers, possible_danger, intent } = interpret(question)
  return dangers.length > 0 || possible_danger !== null || intent === 'emergency_support'
}

test('the model was fitted to the sentences in the repository', () => {
  expect(readWeights().fittedTo).toBe(trainingDigest())
})

test('the test questions are not among the training sentences', () => {
  const known = new Set(readTraining().map(({ text }) => text.toLowerCase()))
  // Short greetings may coincide.
  expect(readUnseen().filter(({ text }) => text.length > 8 && known.has(text.toLowerCase()))).toEqual([])
})

test.each(DANGERS)('nearly every message about %s is detected, also in held-out wording', (kind) => {
  const samples = readUnseen().filter((question) => question.kind === kind)
  expect(samples.filter(({ text }) => isFound(text)).length).toBeGreaterThanOrEqual(samples.length * 0.95)
})

test.each(ASSISTANT_LANGUAGE_CODES)('nearly every message about danger is detected in %s', (code) => {
  const samples = readUnseen().filter(
    ({ kind, language }) => language === code && (DANGERS as readonly string[]).includes(kind),
  )
  expect(samples.filter(({ text }) => isFound(text)).length).toBeGreaterThanOrEqual(samples.length * 0.95)
})

test('hardly any harmless message opens the panel', () => {
  const harmless = readUnseen().filter(({ kind }) => kind === 'harmless')
  const alarmed = harmless.filter(({ text }) => interpret(text).dangers.length > 0)
  expect(alarmed.length).toBeLessThanOrEqual(harmless.length * 0.02)
})

test.each([
  ['I am in danger', 'unspecified'],
  ['help me', 'unspecified'],
  ['there is gunfire in our street', 'conflict'],
  ['my husband is not breathing', 'medical'],
  ['heart attack, what number', 'medical'],
  ['the building is on fire and we are trapped', 'disaster'],
  ['my child is missing', 'missing'],
  ['a man is following me', 'violence'],
  ['flood water is in the house', 'disaster'],
  ['tulong nasa panganib ako', 'unspecified'],
  ['النجدة أنا في خطر', 'unspecified'],
  ['救命', 'unspecified'],
])('%s is detected', (question) => {
  expect(isFound(question)).toBe(true)
})

test.each([
  'hi',
  'thank you',
  'good morning po',
  'Is it safe in Japan?',
  'church in Dubai',
  'what time is worship',
  '🙂',
])('%s is no sign of danger', (question) => {
  expect(interpret(question)).toMatchObject({ dangers: [], possible_danger: null })
})

test('a message without letters has no score', () => {
  const classify = createDangerClassifier()
  expect(classify('')).toBeNull()
  expect(classify('... ? 12')).toBeNull()
})
