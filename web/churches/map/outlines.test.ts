import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createClusters, type MapPoint, seenFrom } from './clusters.ts'
import { outlinesOf } from './outlines.ts'

const { land, cut, lines } = outlinesOf(
  JSON.parse(readFileSync(new URL('../../../public/maps/outlines.json', import.meta.url), 'utf8')),
)

test('no edge of the outlines runs across the map', () => {
  for (const line of [...land.flat(), ...cut.flat(), ...lines])
    for (let i = 1; i < line.length; i++) {
      const wide = Math.abs(line[i]![1] - line[i - 1]![1])
      // The southern edge of Antarctica runs along the pole.
      if (line[i]![0] !== -90) expect(wide).toBeLessThan(40)
    }
})

test('land at the 180th meridian is on both sides of it, without an edge along it', () => {
  const isOn = (lng: number) =>
    land.concat(cut).some(([ring]) => ring!.some(([lat, at]) => lat > 60 && Math.abs(at - lng) < 2))
  expect([175, 185, -175, -185].map(isOn)).toEqual([true, true, true, true])
  for (const line of lines)
    for (let i = 1; i < line.length; i++)
      expect(Math.abs(line[i]![1]) === 180 && Math.abs(line[i - 1]![1]) === 180).toBe(false)
})

test('a place is shown at the nearest longitude', () => {
  expect(seenFrom(179, -179)).toBe(181)
  expect(seenFrom(-179, 179)).toBe(-181)
  expect(seenFrom(0, 0)).toBe(0)
})

test('every church is on the map, except the numbered ones', () => {
  const points: MapPoint[] = Array.from({ length: 500 }, (_, i) => [
    `${i}`,
    (i % 170) - 85,
    ((i * 7) % 360) - 180,
    0,
    'x',
  ])
  const found = createClusters(points, new Set(['3', '4'])).getClusters([-180, -90, 180, 90], 2)
  const count = found.reduce((sum, { properties }) => sum + ('cluster' in properties ? properties.point_count : 1), 0)
  expect(count).toBe(498)
})
