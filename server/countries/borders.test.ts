import { borders } from '@rapideditor/country-coder'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countryAt, isPlausible } from './borders.ts'
import { createCountries } from './reference.ts'

const countries = createCountries()

const POINTS: Record<string, [number, number][]> = {
  XK: [[42.66, 21.16]],
  GU: [[13.47, 144.79]],
  PR: [[18.46, -66.1]],
  HK: [[22.3, 114.17]],
  MO: [[22.19, 113.54]],
  TW: [[25.03, 121.5]],
  PS: [[31.9, 35.2]],
  SA: [
    [24.7, 46.7],
    [21.5, 38.9],
  ],
  CY: [
    [34.7, 33.05],
    [35.28, 33.36],
  ],
  ES: [
    [28.1, -15.4],
    [35.89, -5.3],
  ],
  SH: [
    [-7.95, -14.4],
    [-37.1, -12.3],
  ],
  GG: [[49.43, -2.36]],
  FR: [[10.3, -109.2]],
  RE: [[-20.9, 55.5]],
  AX: [[60.1, 19.9]],
  FJ: [
    [-16.8, 180],
    [-16.8, -180],
  ],
  GB: [[52, -1.5]],
}

test('a point lies in a country or territory of the reference', () => {
  for (const [code, points] of Object.entries(POINTS))
    for (const [latitude, longitude] of points)
      expect([code, latitude, longitude, countryAt(latitude, longitude)]).toEqual([code, latitude, longitude, code])
  expect(countryAt(10, -40)).toBeNull()
  expect(countryAt(90, 0)).toBeNull()
})

test('every code in the border data is in the reference', () => {
  const unknown = borders.features.flatMap(({ geometry, properties }) => {
    if (geometry?.type !== 'MultiPolygon') return []
    return geometry.coordinates.flatMap(([ring]) => {
      const [longitude, latitude] = ring![0] as [number, number]
      const code = countryAt(latitude, longitude)
      return code === null || countries.find(code) ? [] : [[properties.nameEn, code]]
    })
  })
  expect(unknown).toEqual([])
})

test('every point on earth lies in a country of the reference, or in none', () => {
  const degrees = (max: number) => fc.double({ min: -max, max: max, noNaN: true })
  fc.assert(
    fc.property(degrees(90), degrees(180), (latitude, longitude) => {
      const code = countryAt(latitude, longitude)
      expect(code === null || countries.find(code)?.code === code).toBe(true)
      if (code) expect(isPlausible(code, latitude, longitude)).toBe(true)
    }),
    { numRuns: 3_000 },
  )
})

test('a country is plausible near its border, for its territories, and where its claim is disputed', () => {
  const cases: [string, number, number, boolean][] = [
    ['JP', 24.7, 46.7, false],
    // The causeway between Bahrain and Saudi Arabia; Basel, a few streets from Germany and France.
    ['SA', 26.2, 50.35, true],
    ['DE', 47.57, 7.59, true],
    ['FR', 47.57, 7.59, true],
    ['IT', 47.57, 7.59, false],
    ['US', 18.46, -66.1, true],
    ['CN', 22.3, 114.17, true],
    ['UA', 44.95, 34.1, true],
    ['EH', 27.15, -13.2, true],
    ['JP', 10, -40, true],
    ['KE', -89.99, 20, false],
  ]
  for (const [code, latitude, longitude, is] of cases)
    expect([code, latitude, longitude, isPlausible(code, latitude, longitude)]).toEqual([code, latitude, longitude, is])
})
