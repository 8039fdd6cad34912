import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { lastDigest } from './digest.ts'
import { ZONES } from './testing.ts'

const HOUR = 3_600_000
const minute = fc.nat(366 * 24 * 60).map((n) => new Date(Date.UTC(2027, 11, 31) + n * 60_000))

test('over a year, in every zone, digests are due at eight in the morning and nothing is left out', () => {
  fc.assert(
    fc.property(minute, fc.constantFrom(...ZONES), fc.constantFrom('daily', 'weekly'), (now, zone, digest) => {
      const last = lastDigest(now, zone, digest)
      const wall = Temporal.Instant.fromEpochMilliseconds(last.valueOf()).toZonedDateTimeISO(zone)
      expect([wall.hour, wall.minute]).toEqual([8, 0])
      if (digest === 'weekly') expect(wall.dayOfWeek).toBe(1)
      const ago = now.valueOf() - last.valueOf()
      expect(ago).toBeGreaterThanOrEqual(0)
      expect(ago).toBeLessThanOrEqual((digest === 'weekly' ? 7 * 24 : 24) * HOUR + HOUR)
      // A message deferred now is due at the next digest, which comes later.
      const next = lastDigest(new Date(now.valueOf() + (digest === 'weekly' ? 8 * 24 : 25) * HOUR), zone, digest)
      expect(next.valueOf()).toBeGreaterThan(now.valueOf())
    }),
    { numRuns: 500 },
  )
})

test('a weekly digest is due on Monday, the first one after its messages', () => {
  const last = (now: string) => lastDigest(new Date(now), 'Asia/Manila', 'weekly').toISOString()
  // Monday 2 March 2026, 08:00 in Manila is midnight UTC.
  expect(last('2026-03-02T00:00:00Z')).toBe('2026-03-02T00:00:00.000Z')
  expect(last('2026-03-01T23:59:00Z')).toBe('2026-02-23T00:00:00.000Z')
  expect(last('2026-03-08T20:00:00Z')).toBe('2026-03-02T00:00:00.000Z')
})
