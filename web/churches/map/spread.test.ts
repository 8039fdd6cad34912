import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spread } from './spread.ts'

const coordinate = fc.integer({ min: 0, max: 60 })
const PIN = 30

test('no pin overlaps another, however close the churches are', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ x: coordinate, y: coordinate }), { maxLength: 20 }), (spots) => {
      const placed = spread(spots, PIN)
      for (const [i, a] of placed.entries())
        for (const b of placed.slice(i + 1))
          expect(Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))).toBeGreaterThanOrEqual(PIN - 0.001)
    }),
  )
})

test('pins that have room stay at their church', () => {
  const spots = [
    { x: 0, y: 0 },
    { x: 100, y: 0 },
    { x: 101, y: 0 },
  ]
  const placed = spread(spots, PIN)
  expect(placed.slice(0, 2)).toEqual(spots.slice(0, 2))
  expect(Math.hypot(placed[2]!.x - 101, placed[2]!.y)).toBeLessThan(2 * PIN)
})
