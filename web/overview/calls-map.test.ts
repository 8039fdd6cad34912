import { expect, test } from 'vitest'
import countries from '#shared/countries/countries.json' with { type: 'json' }
import { callsMap, middleOf } from './calls-map.server.ts'

const at = (country_code: string | null, count = 1, is_danger = false) => ({
  ...{ country_code, count, is_danger },
  name: country_code,
})

test('nearly every country has a place on the map', () => {
  const missing = countries.filter(({ code }) => !middleOf(code)).map(({ code }) => code)
  expect(missing.length).toBeLessThan(5)
  const [x, y] = middleOf('SA')!
  expect(x).toBeGreaterThan(middleOf('EG')![0])
  expect(y).toBeGreaterThan(middleOf('TR')![1])
})

test('without a known country there is no map', () => {
  expect(callsMap([])).toBeNull()
  expect(callsMap([at(null), at('XX')])).toBeNull()
})

test('markers keep their numbers, lie in the picture and do not cover each other', () => {
  for (const codes of [['SA'], ['SA', 'KW', 'QA', 'BH', 'AE', 'OM'], ['US', 'NZ', 'SA', 'KW', 'QA', 'JP', 'BR']]) {
    const map = callsMap(codes.map((code, index) => at(code, index + 1, code === 'KW')))!
    const [left, top, width, height] = map.viewBox.split(' ').map(Number) as [number, number, number, number]
    expect(map.markers.map(({ country_code, count }) => [country_code, count])).toEqual(
      codes.map((code, index) => [code, index + 1]),
    )
    for (const { x, y } of map.markers) {
      expect(x).toBeGreaterThanOrEqual(left)
      expect(x).toBeLessThanOrEqual(left + width)
      expect(y).toBeGreaterThanOrEqual(top)
      expect(y).toBeLessThanOrEqual(top + height)
    }
    for (const [index, one] of map.markers.entries())
      for (const other of map.markers.slice(index + 1))
        expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(map.radius * 1.8)
  }
})
