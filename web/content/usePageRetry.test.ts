import { expect, test } from 'vitest'
import { mayPass } from './usePageRetry.ts'

const answer = (status: number) => ({ status, statusText: '', internal: false, data: null })

test.each([
  [new TypeError('Failed to fetch'), true],
  [new Error('Request timed out'), true],
  [answer(502), true],
  [answer(503), true],
  [answer(504), true],
  [answer(500), false],
  [answer(404), false],
  [answer(422), false],
  [new Error('x is undefined'), false],
  // A new version is not reached by asking for the files of the old one.
  [new TypeError('Failed to fetch dynamically imported module: /assets/x.js'), false],
  [null, false],
  ['text', false],
])('%o may pass: %s', (error, expected) => {
  expect(mayPass(error)).toBe(expected)
})
