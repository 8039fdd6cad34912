import { expect, test } from 'vitest'
import { similarNames } from './suggestions.ts'

const names = ['Mali', 'Mauritania', 'Germany', 'Japan', 'Saudi Arabia', 'السعودية'].map((name, i) => ({
  code: String(i),
  name,
}))

test.each([
  ['Maly', 'Mali'],
  ['Germny', 'Germany'],
  ['Saudi arabi', 'Saudi Arabia'],
  ['السعوديه', 'السعودية'],
  ['japn', 'Japan'],
])('%s is near %s', (text, name) => expect(similarNames(text, names)[0]?.name).toBe(name))

test.each(['', 'x', 'zzzz', 'q'.repeat(300)])('%s is near nothing', (input) =>
  expect(similarNames(input, names)).toEqual([]),
)
