import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { ZONES } from '#shared/notifications/testing.ts'
import { contains, type Hours, nextSendTime } from './quiet-hours.ts'

const WINDOW: Hours = { from: '08:00', until: '22:00' }
const at = (wall: string, zone: string) =>
  new Date(Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds)
const clock = (moment: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment.valueOf()).toZonedDateTimeISO(zone)

test.each([
  ['2026-03-02T07:59', '2026-03-02T08:00'],
  ['2026-03-02T08:00', null],
  ['2026-03-02T21:59', null],
  ['2026-03-02T22:01', '2026-03-03T08:00'],
  ['2026-03-02T02:00', '2026-03-02T08:00'],
])('a text message at %s in the reader’s zone is sent at %s', (wall, opens) => {
  const zone = 'Asia/Riyadh'
  expect(nextSendTime(at(wall, zone), zone, { open: WINDOW })).toEqual(opens && at(opens, zone))
})

test('the user’s own hours apply within the window, and alone if the two leave no time', () => {
  const zone = 'Asia/Manila'
  const quiet = { from: '07:00', until: '12:00' }
  expect(nextSendTime(at('2026-05-04T23:00', zone), zone, { open: WINDOW, quiet })).toEqual(
    at('2026-05-05T12:00', zone),
  )
  const works = { from: '07:30', until: '22:30' }
  expect(nextSendTime(at('2026-05-04T09:00', zone), zone, { open: WINDOW, quiet: works })).toEqual(
    at('2026-05-04T22:30', zone),
  )
  expect(nextSendTime(at('2026-05-04T23:00', zone), zone, { open: WINDOW, quiet: works })).toBeNull()
})

test('quiet hours whose end is skipped by the clock change end at the change', () => {
  const zone = 'Europe/Berlin'
  const quiet = { from: '23:00', until: '02:30' }
  const jump = new Date('2026-03-29T01:00:00Z')
  expect(nextSendTime(at('2026-03-29T01:00', zone), zone, { quiet })).toEqual(jump)
  expect(nextSendTime(at('2026-03-29T01:00', zone), zone, { quiet: { from: '23:00', until: '02:00' } })).toEqual(jump)
})

test('if an hour is repeated, its second occurrence is quiet too', () => {
  const zone = 'Europe/Berlin'
  const quiet = { from: '23:00', until: '02:30' }
  // The second 02:10.
  expect(nextSendTime(new Date('2026-10-25T01:10:00Z'), zone, { quiet })).toEqual(new Date('2026-10-25T01:30:00Z'))
})

test('over a year, in every zone, nothing is sent in quiet hours and nothing waits forever', () => {
  const time = fc.nat(24 * 12 - 1).map((n) => `${two(Math.floor(n / 12))}:${two((n % 12) * 5)}`)
  const hours = fc.record({ from: time, until: time }).filter(({ from, until }) => from !== until)
  const minute = fc.nat(366 * 24 * 60).map((n) => new Date(Date.UTC(2027, 11, 31) + n * 60_000))
  const open = fc.option(fc.constant(WINDOW), { nil: undefined })
  fc.assert(
    fc.property(
      minute,
      fc.constantFrom(...ZONES),
      open,
      fc.option(hours, { nil: undefined }),
      (now, zone, open, quiet) => {
        const leaves = nextSendTime(now, zone, { open, quiet }) ?? now
        const wall = clock(leaves, zone).toPlainTime()
        expect(quiet && contains(quiet, wall)).not.toBe(true)
        const isInWindow = !open || contains(open, wall)
        if (!isInWindow) expect(leavesNoHour(open!, quiet!)).toBe(true)
        const waited = (leaves.valueOf() - now.valueOf()) / 3_600_000
        expect(waited).toBeGreaterThanOrEqual(0)
        // A user who leaves only one hour free may lose it for a day to the clock change.
        expect(waited).toBeLessThanOrEqual(hoursOpen(open, quiet) > 3 ? 25 : 50)
      },
    ),
    { numRuns: 1_500 },
  )
})

test('every hour around clock changes: a waiting message is sent at the first instant outside quiet hours', () => {
  const quiet = { from: '21:30', until: '06:15' }
  for (const zone of ZONES)
    for (const first of weeksOf(zone)) {
      let due: Date | null = null
      for (let moment = first; moment < first + 7 * DAY; moment += HOUR) {
        const now = new Date(moment)
        const opens = nextSendTime(now, zone, { open: WINDOW, quiet })
        if (opens && due && due > now) expect(opens).toEqual(due)
        if (!opens && due) expect(due.valueOf()).toBeGreaterThan(moment - HOUR)
        due = opens
      }
    }
})

const HOUR = 3_600_000
const DAY = 24 * HOUR
const YEAR = 2028

/** Begin of an ordinary week, and of a week around each clock change of a year. */
function weeksOf(zone: string): number[] {
  const weeks = [Date.UTC(YEAR, 0, 10)]
  let change = clock(new Date(Date.UTC(YEAR, 0, 1)), zone).getTimeZoneTransition('next')
  while (change && change.year === YEAR) {
    weeks.push(Math.floor(change.epochMilliseconds / HOUR) * HOUR - 3 * DAY)
    change = change.getTimeZoneTransition('next')
  }
  return weeks
}

const two = (n: number) => String(n).padStart(2, '0')
const ALL_DAY = Array.from({ length: 24 * 12 }, (_, n) => Temporal.PlainTime.from('00:00').add({ minutes: n * 5 }))
const hoursOpen = (open?: Hours, quiet?: Hours) =>
  ALL_DAY.filter((time) => (!open || contains(open, time)) && !(quiet && contains(quiet, time))).length / 12
const leavesNoHour = (open: Hours, quiet: Hours) => hoursOpen(open, quiet) <= 3
