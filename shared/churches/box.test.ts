import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Box, boxAround } from './box.ts'

test('50 km is 0.4505 degrees of latitude, and more of longitude away from the equator', () => {
  const box = boxAround({ latitude: 0, longitude: 20 }, 50)
  expect(box.north).toBeCloseTo(0.4505, 4)
  expect(box.south).toBeCloseTo(-0.4505, 4)
  expect(box.east - 20).toBeCloseTo(0.4505, 3)
  const manila = boxAround({ latitude: 14.6, longitude: 121 }, 50)
  expect(manila.east - 121).toBeGreaterThan(0.4505)
})

test('crosses the 180th meridian, and covers all longitudes at the poles', () => {
  expect(boxAround({ latitude: -17, longitude: 179.9 }, 50)).toMatchObject({
    west: expect.closeTo(179.43, 2),
    east: expect.closeTo(-179.63, 2),
  })
  expect(boxAround({ latitude: 89.9, longitude: 0 }, 50)).toMatchObject({ north: 90, west: -180, east: 180 })
})

const contains = ({ south, north, west, east }: Box, lat: number, lng: number) =>
  lat >= south && lat <= north && (west <= east ? lng >= west && lng <= east : lng >= west || lng <= east)

test('every point within the radius lies within the box', () => {
  const rad = Math.PI / 180
  fc.assert(
    fc.property(
      fc.double({ min: -89.9, max: 89.9, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: 1, max: 3000, noNaN: true }),
      fc.double({ min: 0, max: 360, noNaN: true }),
      (lat, lng, radius, bearing) => {
        // A degree is 111.19 km on the 6371 km sphere and 111 km in the rule, so no point within the radius is left
        // out.
        const arc = (radius * 0.995) / 6371
        const [f, b] = [lat * rad, bearing * rad]
        const to = Math.asin(Math.sin(f) * Math.cos(arc) + Math.cos(f) * Math.sin(arc) * Math.cos(b))
        const aside = Math.atan2(Math.sin(b) * Math.sin(arc) * Math.cos(f), Math.cos(arc) - Math.sin(f) * Math.sin(to))
        const there = ((lng + aside / rad + 540) % 360) - 180
        expect(contains(boxAround({ latitude: lat, longitude: lng }, radius), to / rad, there)).toBe(true)
      },
    ),
  )
})
