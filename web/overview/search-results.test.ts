import { expect, test } from 'vitest'
import { nearest } from './search-results.server.ts'

const NAMES = ['Qatar', 'Japan', 'Oman', 'Iran', 'Iraq', 'قطر']

test.each([
  ['quatar', 'Qatar'],
  ['japn', 'Japan'],
  ['omn', 'Oman'],
  ['قطز', 'قطر'],
  ['zzz', null],
  ['x', null],
  ['x'.repeat(200), null],
])('%s is nearest to %s', (search, name) => {
  expect(nearest(search, NAMES)).toBe(name)
})
