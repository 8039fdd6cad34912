import { expect, test } from 'vitest'
import { SCROLL } from './scroll.ts'

test('moves as the specification says', () => {
  expect(SCROLL).toEqual({ delayMs: 100, offsetPx: 80, durationMs: 400 })
})
