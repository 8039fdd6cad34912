import { expect, test } from 'vitest'
import { inTime } from './duration.ts'

const translate = (key: string, parameters?: object) => `${Object.values(parameters ?? {})[0]} ${key}`

test.each([
  [0, '0 seconds'],
  [0.31, '0.4 seconds'],
  [1, '1 seconds'],
  [12.1, '13 seconds'],
  [119.5, '120 seconds'],
  [121, '3 minutes'],
  [7_199, '120 minutes'],
  [7_201, '2.1 hours'],
])('%d seconds are never rounded down', (seconds, text) => {
  expect(inTime(translate as never, seconds, String)).toBe(text)
})
