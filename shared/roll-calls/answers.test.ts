import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerIn } from './answers.ts'

test.each([
  ['SAFE', 'safe'],
  [' safe! ', 'safe'],
  ["I'm safe", 'safe'],
  ['I’m safe.', 'safe'],
  ['بخير', 'safe'],
  ['أنا بخير', 'safe'],
  ['آمنة', 'safe'],
  ['HELP', 'need_help'],
  ['help we are on the roof', 'need_help'],
  ['please, we need help', 'need_help'],
  ['مساعدة', 'need_help'],
  ['أحتاجُ إلى مساعدة', 'need_help'],
  ['نحن في السطح أحتاج مساعدة', 'need_help'],
  ['AWAY', 'not_there'],
  ['Not there', 'not_there'],
  ['لست هناك', 'not_there'],
  ['not safe', null],
  ['safe for now but', null],
  ['helpful', null],
  ['STOP', null],
  ['', null],
])('%j is %s', (text, answer) => {
  expect(answerIn(text)).toBe(answer)
})

test('capitals, signs around a word and vowel signs change nothing; no text breaks it', () => {
  fc.assert(
    fc.property(fc.constantFrom('safe', 'help', 'away'), fc.stringMatching(/^[ .!?,-]{0,5}$/), (word, signs) => {
      expect(answerIn(signs + word.toUpperCase() + signs)).toBe(answerIn(word))
    }),
  )
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => void answerIn(text)))
})
