import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { schedule } from '#server/testing/schedules.ts'
import type { ServiceSchedule } from '#shared/churches/schedule.ts'
import { checkRecurrence, daysOfRule, tidyRecurrence } from './recurrence.ts'
import { isClosed, momentsOf, type ServiceFields } from './services.ts'

/** With clock changes at midnight, by half an hour, over the date line, and without any. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Apia',
  'Asia/Riyadh',
  'Asia/Kathmandu',
  'UTC',
]
const RULE_DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

const locale = (schedules: ServiceSchedule[], values: Partial<ServiceFields> = {}): ServiceFields => ({
  timezone: 'Europe/Berlin',
  closed_since: null,
  closed_until: null,
  schedules,
  ...values,
})
const starts = (served: ServiceFields, from: string, to: string) =>
  momentsOf(served, new Date(from), new Date(to)).map(({ starts_at }) => starts_at)

const zone = fc.constantFrom(...ZONES)
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '30', '59'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`)
const instant = fc.date({ min: new Date('2015-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
const weekday = fc.integer({ min: 0, max: 6 })

test('every service of a weekday is on that weekday at that local time, one each week', () => {
  fc.assert(
    fc.property(zone, weekday, time, instant, (timezone, day_of_week, at, from) => {
      const to = new Date(from.valueOf() + 60 * 86_400_000)
      const moments = momentsOf(locale([schedule({ day_of_week, time: at })], { timezone }), from, to)
      const days = moments.map(({ starts_at }) => {
        const wall = Temporal.Instant.from(starts_at).toZonedDateTimeISO(timezone)
        const meant = wall.toPlainDate().toPlainDateTime(at)
        const isSkipped = !meant.toZonedDateTime(timezone).toPlainDateTime().equals(meant)
        if (!isSkipped) expect(wall.toPlainTime().toString().slice(0, 5)).toBe(at)
        if (!isSkipped) expect(wall.dayOfWeek % 7).toBe(day_of_week)
        return wall
      })
      expect(moments.length).toBeGreaterThanOrEqual(8)
      for (const [at, day] of days.slice(1).entries())
        expect(days[at]!.toPlainDate().until(day.toPlainDate()).days).toBeGreaterThanOrEqual(6)
    }),
    { numRuns: 300 },
  )
})

test('a weekday and an equivalent rule give the same instants', () => {
  fc.assert(
    fc.property(zone, weekday, time, time, instant, (timezone, day_of_week, at, end_time, from) => {
      const to = new Date(from.valueOf() + 400 * 86_400_000)
      const starts_on = '2014-03-05'
      const byDay = schedule({ day_of_week, time: at, end_time, starts_on })
      const byRule = { ...schedule({ recurrence: `FREQ=WEEKLY;BYDAY=${RULE_DAYS[day_of_week]}` }), id: byDay.id }
      const rule = { ...byRule, time: at, end_time, starts_on }
      expect(momentsOf(locale([rule], { timezone }), from, to)).toEqual(
        momentsOf(locale([byDay], { timezone }), from, to),
      )
    }),
    { numRuns: 60 },
  )
})

test('a time window split in two gives the same services as the whole', () => {
  fc.assert(
    fc.property(
      zone,
      weekday,
      time,
      time,
      instant,
      fc.integer({ min: 1, max: 59 }),
      (timezone, day, at, end, from, cut) => {
        const served = locale([schedule({ day_of_week: day, time: at, end_time: end })], { timezone })
        const middle = new Date(from.valueOf() + cut * 86_400_000)
        const to = new Date(from.valueOf() + 60 * 86_400_000)
        const both = [...momentsOf(served, from, middle), ...momentsOf(served, middle, to)].map((m) => m.starts_at)
        expect([...new Set(both)]).toEqual(momentsOf(served, from, to).map((m) => m.starts_at))
      },
    ),
    { numRuns: 200 },
  )
})

test('a time the clock skips is shifted forward, and of a repeated time the first counts', () => {
  const early = locale([schedule({ time: '02:30' })])
  expect(starts(early, '2026-03-28T00:00Z', '2026-03-30T00:00Z')).toEqual(['2026-03-29T01:30:00.000Z'])
  expect(starts(early, '2026-10-24T00:00Z', '2026-10-26T00:00Z')).toEqual(['2026-10-25T00:30:00.000Z'])
  const after = locale([schedule({ time: '10:00' })])
  expect(starts(after, '2026-03-22T00:00Z', '2026-03-30T00:00Z')).toEqual([
    '2026-03-22T09:00:00.000Z',
    '2026-03-29T08:00:00.000Z',
  ])
})

test('an end before the start is on the next day, and without an end a service is two hours long', () => {
  const night = schedule({ day_of_week: 6, time: '22:00', end_time: '01:00' })
  const open = schedule({ day_of_week: 6, time: '22:00' })
  const [first, second] = [night, open].map(
    (row) => momentsOf(locale([row]), new Date('2026-11-21T00:00Z'), new Date('2026-11-23T00:00Z'))[0]!.ends_at,
  )
  expect(first).toBe('2026-11-22T00:00:00.000Z')
  expect(second).toBe('2026-11-21T23:00:00.000Z')
})

test('a service that began yesterday and is still going on is included', () => {
  const night = locale([schedule({ day_of_week: 6, time: '22:00', end_time: '06:00' })])
  const during = momentsOf(night, new Date('2026-11-22T04:00Z'), new Date('2026-11-23T00:00Z'))
  expect(during).toMatchObject([{ starts_at: '2026-11-21T21:00:00.000Z', in_progress: true }])
  expect(momentsOf(night, new Date('2026-11-22T05:00Z'), new Date('2026-11-23T00:00Z'))).toEqual([])
})

test('services begin and end with their days, and are left out while the locale is closed', () => {
  const sundays = schedule({ starts_on: '2026-11-08', ends_on: '2026-11-29' })
  expect(starts(locale([sundays]), '2026-10-01T00:00Z', '2027-01-01T00:00Z')).toHaveLength(4)
  const closed = locale([sundays], { closed_since: '2026-11-09', closed_until: '2026-11-22' })
  expect(starts(closed, '2026-10-01T00:00Z', '2027-01-01T00:00Z')).toEqual([
    '2026-11-08T09:00:00.000Z',
    '2026-11-29T09:00:00.000Z',
  ])
  expect(isClosed({ closed_since: '2026-11-09', closed_until: null }, '2050-01-01')).toBe(true)
  expect(isClosed({ closed_since: null, closed_until: '2026-11-09' }, '2026-11-10')).toBe(false)
})

test('without a time zone, or with an invalid rule in the table, there are no instants', () => {
  const sundays = schedule()
  expect(starts(locale([sundays], { timezone: null }), '2026-11-01T00:00Z', '2026-12-01T00:00Z')).toEqual([])
  expect(starts(locale([sundays], { timezone: 'Mars/Olympus' }), '2026-11-01T00:00Z', '2026-12-01T00:00Z')).toEqual([])
  const broken = schedule({ recurrence: 'FREQ=NEVER', starts_on: '2026-01-01' })
  expect(starts(locale([broken, sundays]), '2026-11-02T00:00Z', '2026-11-09T00:00Z')).toHaveLength(1)
})

test('the last Saturday of the month, every other week, and on the fifth day of it', () => {
  const days = (recurrence: string, starts_on: string) =>
    starts(
      locale([schedule({ recurrence, starts_on })], { timezone: 'UTC' }),
      '2026-10-01T00:00Z',
      '2027-01-01T00:00Z',
    ).map((at) => at.slice(0, 10))
  expect(days('FREQ=MONTHLY;BYDAY=-1SA', '2020-01-01')).toEqual(['2026-10-31', '2026-11-28', '2026-12-26'])
  expect(days('FREQ=MONTHLY;BYMONTHDAY=5', '2026-11-01')).toEqual(['2026-11-05', '2026-12-05'])
  expect(days('FREQ=WEEKLY;INTERVAL=2;BYDAY=WE;COUNT=3', '2026-11-02')).toEqual([
    '2026-11-04',
    '2026-11-18',
    '2026-12-02',
  ])
})

test('a rule is accepted in common spellings, and rejected with a hint', () => {
  expect(tidyRecurrence(' rrule:freq=monthly; byday=-1sa; ')).toBe('FREQ=MONTHLY;BYDAY=-1SA')
  for (const rule of [
    'FREQ=WEEKLY',
    'FREQ=MONTHLY;BYDAY=1SU,3SU',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=DAILY;COUNT=7',
  ])
    expect(checkRecurrence(rule, '2026-01-01'), rule).toBeNull()
  for (const [rule, problem] of [
    ['', /Enter a rule/],
    ['WEEKLY', /Enter a rule/],
    ['FREQ=HOURLY', /daily, weekly/],
    ['FREQ=SECONDLY;COUNT=1', /daily, weekly/],
    ['FREQ=WEEKLY;BYHOUR=1', /time in its own field/],
    ['FREQ=WEEKLY;UNTIL=20270101', /last day in its own field/],
    ['FREQ=WEEKLY;INTERVAL=0', /interval/],
    ['FREQ=WEEKLY;INTERVAL=99999', /interval/],
    ['FREQ=WEEKLY;COUNT=100000', /count/],
    ['FREQ=WEEKLY;BYDAY=XX', /Enter a rule/],
    ['FREQ=WEEKLY;BYDAY=2MO', /Enter a rule/],
    ['FREQ=WEEKLY;FREQ=DAILY', /Enter a rule/],
    ['FREQ=WEEKLY\nDTSTART:20260101', /Enter a rule/],
    ['FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30', /No date matches/],
    ['FREQ=WEEKLY;RSCALE=HEBREW', /Enter a rule/],
  ] as const)
    expect(checkRecurrence(rule, '2026-01-01'), rule).toMatch(problem)
  for (const day of [null, '', '2026-02-30', '01.02.2026', '0001-01-01'])
    expect(checkRecurrence('FREQ=WEEKLY', day)).toMatch(/first day/)
})

test('every accepted rule expands quickly', () => {
  const part = fc.constantFrom(
    'BYDAY=MO',
    'BYDAY=-1SU',
    'BYMONTH=2',
    'BYMONTHDAY=31',
    'BYSETPOS=-1',
    'BYYEARDAY=366',
    'BYWEEKNO=53',
    'COUNT=400',
    'INTERVAL=400',
  )
  const frequency = fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY')
  fc.assert(
    fc.property(frequency, fc.uniqueArray(part, { maxLength: 4 }), (freq, parts) => {
      const rule = [`FREQ=${freq}`, ...parts].join(';')
      const before = process.cpuUsage()
      if (checkRecurrence(rule, '1950-01-01') === null)
        daysOfRule(rule, '1950-01-01', Temporal.PlainDate.from('2026-11-01'), Temporal.PlainDate.from('2026-12-31'))
      expect(process.cpuUsage(before).user / 1_000, rule).toBeLessThan(1_000)
    }),
    { numRuns: 60 },
  )
})
