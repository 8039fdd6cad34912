import { expect, test } from 'vitest'
import { SCROLL } from './scroll.ts'

test('scrolls as specified', () => {
  expect(SCROLL).toEqual({ delayMs: 100, offsetPx: 80, durationMs: 400 })
})
