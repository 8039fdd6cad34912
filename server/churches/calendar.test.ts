import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { schedule } from '#server/testing/schedules.ts'
import type { Locale } from '#shared/churches/endpoints.ts'
import { calendarOf } from './calendar.ts'
import { churchOf, meetingsOf } from './open-feeds.ts'
import { momentsOf } from './services.ts'
import { timeZoneComponent } from './zones.ts'

const NOW = new Date('2026-11-21T12:00Z')
const DEPS = { publicUrl: 'https://portal.example', now: NOW, today: '2026-11-21', titleOf: () => 'Worship Service' }

function locale(values: Partial<Locale> = {}): Locale {
  return {
    id: randomUUID(),
    source_type: 'locale',
    discreet_mode: 'exact',
    name: 'Locale of Shinjuku; Tokyo, "west"',
    common_name: null,
    local_name: '新宿教会',
    local_address: null,
    address: '1-0-0 Nishi-Shinjuku',
    address_line1: '1-0-0 Nishi-Shinjuku',
    address_line2: null,
    city: 'Tokyo',
    state_province: 'Tokyo-to',
    postal_code: '160-0023',
    country: 'Japan',
    country_code: 'JP',
    latitude: 35.6897,
    longitude: 139.6922,
    phone: '+81 3 1111',
    email: null,
    website: null,
    online_url: null,
    has_physical_locale: true,
    general_contact_available: false,
    locale_status: 'active',
    languages: ['ja', 'en'],
    timezone: 'Asia/Tokyo',
    closed_since: null,
    closed_until: null,
    closed_reason: null,
    chapter_name: null,
    confirmed_at: '2026-11-03T08:00:00.000Z',
    confirmed_as: 'local_servant',
    servants: [],
    service_schedules: [],
    photos: [],
    ...values,
  }
}

/** Unfolds content lines. */
const linesOf = (text: string) => text.replace(/\r\n[ \t]/g, '').split('\r\n')
const fieldOf = (lines: string[], name: string) =>
  lines.find((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`))

/** The start times of the events, computed from the calendar alone. */
function startsIn(text: string, from: Date, to: Date): string[] {
  const events = text.split('BEGIN:VEVENT').slice(1).map(linesOf)
  return events
    .flatMap((lines) => {
      const [start, rule, exceptions] = ['DTSTART', 'RRULE', 'EXDATE'].map((name) => fieldOf(lines, name))
      const zone = /TZID=([^:]+)/.exec(start!)![1]!
      const counted = new RRuleTemporal({ rruleString: `${start}\n${rule}` }).between(from, to, true)
      const left = new Set(
        lines.filter((line) => line.startsWith('EXDATE')).map((line) => line.slice(line.lastIndexOf(':') + 1)),
      )
      expect(exceptions === undefined || exceptions.includes(`TZID=${zone}`)).toBe(true)
      return counted
        .filter(
          (moment) => !left.has(moment.toPlainDateTime().toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')),
        )
        .map((moment) => new Date(moment.epochMilliseconds).toISOString())
    })
    .sort()
}

test('the calendar has the same services as the page, across clock changes, end dates and closures', () => {
  const day = fc.constantFrom(null, '2026-11-15', '2026-12-31', '2027-04-05')
  const kind = fc.constantFrom(
    {},
    { day_of_week: 3 },
    { recurrence: 'FREQ=MONTHLY;BYDAY=-1SA', starts_on: '2020-01-01' },
    { recurrence: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,WE', starts_on: '2026-10-02' },
    { recurrence: 'FREQ=WEEKLY;BYDAY=FR;COUNT=20', starts_on: '2026-10-01' },
    { recurrence: 'FREQ=MONTHLY;BYMONTHDAY=31', starts_on: '2026-01-31' },
    { recurrence: 'FREQ=DAILY;INTERVAL=3', starts_on: '2026-11-01' },
  )
  const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Lord_Howe', 'Asia/Riyadh')
  fc.assert(
    fc.property(
      zone,
      fc.array(fc.tuple(kind, fc.constantFrom('10:00', '19:30'), day), { minLength: 1, maxLength: 3 }),
      fc.constantFrom([null, null], ['2026-12-01', null], ['2026-11-25', '2027-01-10'], [null, '2026-12-03']),
      (timezone, kinds, [closed_since, closed_until]) => {
        const service_schedules = kinds.map(([values, time, ends_on]) => schedule({ ...values, time, ends_on }))
        const place = locale({ timezone, service_schedules, closed_since: closed_since!, closed_until: closed_until! })
        const [from, to] = [NOW, new Date('2027-11-21T12:00Z')]
        const expected = momentsOf({ ...place, schedules: service_schedules }, from, to)
          .map(({ starts_at }) => starts_at)
          .filter((at) => at >= from.toISOString())
        expect(startsIn(calendarOf(place, DEPS), from, to)).toEqual(expected.sort())
      },
    ),
    { numRuns: 60 },
  )
})

test('the VTIMEZONE matches the local clock', () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Asia/Tokyo',
    'Asia/Kathmandu',
  ]
  for (const zone of zones) {
    const lines = timeZoneComponent(zone, NOW).split('\r\n')
    const changes: { at: string; to: string }[] = []
    let times: string[] = []
    for (const line of lines) {
      if (/^(DTSTART|RDATE):/.test(line)) times.push(line.split(':')[1]!)
      if (line.startsWith('TZOFFSETTO:')) {
        changes.push(...times.map((at) => ({ at, to: line.slice('TZOFFSETTO:'.length) })))
        times = []
      }
    }
    changes.sort((a, b) => (a.at < b.at ? -1 : 1))
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2025-02-01'), max: new Date('2034-12-01'), noInvalidDate: true }),
        (moment) => {
          const wall = Temporal.Instant.fromEpochMilliseconds(moment.valueOf()).toZonedDateTimeISO(zone)
          const stamp = wall.toPlainDateTime().toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')
          const isNearChange = changes.some(
            ({ at }) => Math.abs(Date.parse(isoOf(at)) - Date.parse(isoOf(stamp))) < 7_200_000,
          )
          fc.pre(!isNearChange)
          expect(changes.findLast(({ at }) => at <= stamp)!.to, `${zone} ${stamp}`).toBe(wall.offset.replace(':', ''))
        },
      ),
      { numRuns: 200 },
    )
  }
})
const isoOf = (stamp: string) => stamp.replace(/^(....)(..)(..)T(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z')

test('an event has summary, place, end date and link; its id is stable', () => {
  const service = schedule({
    title: 'Thanksgiving, with; signs',
    end_time: '09:00',
    time: '22:00',
    note: 'Upstairs\nRing',
  })
  const place = locale({ service_schedules: [service] })
  const text = calendarOf(place, DEPS)
  const lines = linesOf(text)
  expect(lines).toContain(`UID:${service.id}@portal.example`)
  expect(lines).toContain('SUMMARY:Thanksgiving\\, with\\; signs · Locale of Shinjuku\\; Tokyo\\, "west"')
  expect(lines).toContain('RRULE:FREQ=WEEKLY;BYDAY=SU')
  expect(lines).toContain('DTSTART;TZID=Asia/Tokyo:20261025T220000')
  expect(lines).toContain('DTEND;TZID=Asia/Tokyo:20261026T090000')
  expect(fieldOf(lines, 'URL')).toContain(`/church-locator/${place.id}`)
  expect(fieldOf(lines, 'LOCATION')).toContain('1-0-0 Nishi-Shinjuku')
  expect(lines).toContain('GEO:35.6897;139.6922')
  expect(lines).toContain('DTSTAMP:20261121T120000Z')
  expect(lines).toContain('BEGIN:VTIMEZONE')
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(text).not.toMatch(/[^\r]\n/)
})

test('without a time zone the times are floating, and without services the calendar is empty', () => {
  const floating = linesOf(calendarOf(locale({ timezone: null, service_schedules: [schedule()] }), DEPS))
  expect(fieldOf(floating, 'DTSTART')).toBe('DTSTART:20261025T100000')
  expect(floating.join('\n')).not.toMatch(/TZID|VTIMEZONE/)
  expect(calendarOf(locale(), DEPS)).not.toContain('VEVENT')
  const over = schedule({ ends_on: '2026-01-01' })
  expect(calendarOf(locale({ service_schedules: [over] }), DEPS)).not.toContain('VEVENT')
  const closed = locale({ service_schedules: [schedule()], closed_since: '2026-01-01' })
  expect(calendarOf(closed, DEPS)).not.toContain('VEVENT')
})

/** The types of the Meeting Guide specification (code4recovery/spec, schema/meeting.schema.json). */
const Meeting = z.strictObject({
  name: z.string().min(1).max(255),
  slug: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[\w-]+$/),
  day: z.int().min(0).max(6).optional(),
  time: z
    .string()
    .regex(/^([01]?[0-9]|2[0-3]):[0-5][0-9]$/)
    .optional(),
  end_time: z
    .string()
    .regex(/^([01]?[0-9]|2[0-3]):[0-5][0-9]$/)
    .optional(),
  timezone: z.string().optional(),
  types: z.array(z.enum(['TC', 'ONL'])),
  location: z.string(),
  group: z.string(),
  notes: z.string().optional(),
  address: z.string().optional(),
  formatted_address: z.string(),
  city: z.string().optional(),
  state: z.string().optional(),
  postal_code: z.string().optional(),
  country: z.string().optional(),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
  approximate: z.enum(['yes', 'no']),
  conference_url: z.url().optional(),
  updated: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
    .optional(),
  url: z.url(),
  feedback_url: z.url(),
})

test('the Meeting Guide feed has one meeting per weekly service, in the shape of its specification', () => {
  const weekly = schedule({ day_of_week: 6, time: '23:00' })
  const online = schedule({ is_online: true, end_time: '12:00' })
  const monthly = schedule({ recurrence: 'FREQ=MONTHLY;BYDAY=1SU', starts_on: '2026-01-01' })
  const [over, later] = [schedule({ ends_on: '2026-11-20' }), schedule({ starts_on: '2026-11-22' })]
  const place = locale({
    service_schedules: [weekly, online, monthly, over, later],
    online_url: 'https://meet.example/x',
  })
  const meetings = meetingsOf(place, DEPS)
  for (const meeting of meetings) expect(Meeting.safeParse(meeting).error?.issues).toBeUndefined()
  expect(meetings).toMatchObject([
    {
      slug: weekly.id,
      day: 6,
      time: '23:00',
      end_time: '01:00',
      timezone: 'Asia/Tokyo',
      approximate: 'no',
      country: 'JP',
    },
    { slug: online.id, day: 0, end_time: '12:00', types: ['ONL'], conference_url: 'https://meet.example/x' },
  ])
})

test('a discreet locale, or one without known times, is one entry without a time', () => {
  const area = { discreet_mode: 'approximate', address_line1: null, address: null, timezone: null } as const
  const [meeting, ...others] = meetingsOf(locale({ ...area, latitude: 35.7, longitude: 139.7 }), DEPS)
  expect(others).toEqual([])
  expect(Meeting.safeParse(meeting).error?.issues).toBeUndefined()
  expect(meeting).toMatchObject({ approximate: 'yes', latitude: 35.7 })
  expect(meeting).not.toHaveProperty('day')
  const closed = meetingsOf(locale({ closed_since: '2026-01-01', service_schedules: [schedule()] }), DEPS)
  expect(closed).toMatchObject([{ types: ['TC'] }])
})

test('for schema.org a locale is a Church with its services as repeated events', () => {
  const church = churchOf(locale({ service_schedules: [schedule({ end_time: '12:00' })] }), DEPS)
  expect(church).toMatchObject({
    '@type': 'Church',
    address: { '@type': 'PostalAddress', addressCountry: 'JP', postalCode: '160-0023' },
    geo: { latitude: 35.6897 },
    event: [
      { eventSchedule: { byDay: 'https://schema.org/Sunday', startTime: '10:00', scheduleTimezone: 'Asia/Tokyo' } },
    ],
  })
  expect(JSON.stringify(church)).not.toContain('null')
})
