import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SERVICE_TYPES } from '#shared/churches/schedule.ts'
import { readServants, writeServants } from './servants.ts'
import { type ImportedService, readServices, writeServices } from './services.ts'

const SUNDAY = { day_of_week: 0, start_time: '09:00', end_time: null, service_type: 'worship_service' }
/** Day, start and end of each parsed service. */
const times = (text: string) =>
  readServices(text)?.map(({ day_of_week, start_time, end_time }) => [day_of_week, start_time, end_time])

describe('services in a cell are read in common spellings', () => {
  test.each([
    ['Sun 09:00', [[0, '09:00', null]]],
    [
      'Sunday 9:00-11:30; Wednesday 7 pm',
      [
        [0, '09:00', '11:30'],
        [3, '19:00', null],
      ],
    ],
    [
      'Su 10:00,18:00; We 19:00',
      [
        [0, '10:00', null],
        [0, '18:00', null],
        [3, '19:00', null],
      ],
    ],
    [
      'Mo-We 06:30',
      [
        [1, '06:30', null],
        [2, '06:30', null],
        [3, '06:30', null],
      ],
    ],
    [
      'Fr-Su 18:00',
      [
        [5, '18:00', null],
        [6, '18:00', null],
        [0, '18:00', null],
      ],
    ],
    [
      'Wed and Sat 19h30',
      [
        [3, '19:30', null],
        [6, '19:30', null],
      ],
    ],
    ['Sat 8:00 PM - 10:00 PM', [[6, '20:00', '22:00']]],
    ['Thu 12 am', [[4, '00:00', null]]],
    [
      'Linggo 09:00 | Huwebes 18:00',
      [
        [0, '09:00', null],
        [4, '18:00', null],
      ],
    ],
    ['الأحد 09:00', [[0, '09:00', null]]],
    ['domingo 9:00', [[0, '09:00', null]]],
    ['日曜日 10:00', [[0, '10:00', null]]],
    ['Sat 22:00-02:00', [[6, '22:00', '02:00']]],
  ])('%s', (text, expected) => expect(times(text)).toEqual(expected))

  test('with its kind, its language, its title and where it is online', () => {
    expect(readServices('Sun 09:00 prayer_meeting (tl) "Morning prayer" online https://live.example/1')).toEqual([
      {
        ...SUNDAY,
        recurrence: null,
        starts_on: null,
        ends_on: null,
        service_type: 'prayer_meeting',
        title: 'Morning prayer',
        language: 'fil',
        is_online: true,
        online_url: 'https://live.example/1',
        note: null,
      },
    ])
    expect(readServices('Sun 09:00 Worship')).toMatchObject([{ ...SUNDAY, title: 'Worship' }])
    expect(readServices('[FREQ=MONTHLY;BYDAY=-1SA] 18:00 thanksgiving from 2026-01-03')).toMatchObject([
      {
        day_of_week: null,
        recurrence: 'FREQ=MONTHLY;BYDAY=-1SA',
        starts_on: '2026-01-03',
        service_type: 'thanksgiving',
      },
    ])
  })
})

test.each([
  ['no time', 'Sunday'],
  ['no day', '09:00'],
  ['an hour that is not', 'Sun 25:00'],
  ['a minute that is not', 'Sun 09:75'],
  ['thirteen in the afternoon', 'Sun 13 pm'],
  ['an end that is a slip, 23 hours later', 'Sun 10:00-09:00'],
  ['an end as early as the start', 'Sun 10:00-10:00'],
  ['one good and one that is not understood: no half of a list is taken', 'Sun 09:00; by appointment'],
  ['a rule that never comes', '[FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2] 18:00 from 2026-01-03'],
  ['a formula', '=1+1'],
  ['something long', `Sun 09:00 ${'a'.repeat(500)}`],
  ['very many', 'Sun 09:00;'.repeat(200)],
])('not understood: %s', (_, text) => expect(readServices(text)).toBeUndefined())

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([h, m]) => [h, m].map((n) => String(n).padStart(2, '0')).join(':'))
const line = (maxLength: number) =>
  fc
    .stringMatching(/^[\p{L}\p{N} .,:;|'()-]+$/u, { maxLength })
    .map((text) => text.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
const service: fc.Arbitrary<ImportedService> = fc.record({
  day_of_week: fc.integer({ min: 0, max: 6 }),
  recurrence: fc.constant(null),
  starts_on: fc.constantFrom(null, '2026-02-01'),
  ends_on: fc.constantFrom(null, '2027-02-01'),
  start_time: clock,
  end_time: fc.constant(null),
  service_type: fc.constantFrom(...SERVICE_TYPES),
  title: fc.option(line(60)),
  language: fc.constantFrom(null, 'fil', 'pt-BR'),
  is_online: fc.boolean(),
  online_url: fc.constant(null),
  note: fc.option(line(60)),
})

test('serialised services are parsed back unchanged', () => {
  fc.assert(
    fc.property(fc.array(service, { minLength: 1, maxLength: 8 }), (services) => {
      expect(readServices(writeServices(services))).toEqual(services)
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => void readServices(text)))
})

describe('servants of a cell', () => {
  test('number and address are recognised by their form; the rest is the role', () => {
    expect(readServants('Ben Reyes, local_servant, 0917 555 0101, ben@example.org | Ana Cruz', 'PH')).toEqual([
      { name: 'Ben Reyes', role: 'local_servant', phone: '+639175550101', email: 'ben@example.org' },
      { name: 'Ana Cruz', role: null, phone: null, email: null },
    ])
    expect(readServants('Ben Reyes, ben@example.org', null)).toMatchObject([{ role: null, email: 'ben@example.org' }])
  })

  test.each(['+63 917 555 0101', 'ben@example.org', 'Ben, a role, another role', 'Ben | ben', '| ;', 'x'.repeat(300)])(
    'not understood: %s',
    (text) => expect(readServants(text, 'PH')).toBeUndefined(),
  )

  test('serialised servants are parsed back unchanged', () => {
    const servant = fc.record({
      name: fc.constantFrom('Ben Reyes', 'أنا كروز', '佐藤 花'),
      role: fc.constantFrom('local_servant', 'Deacon of music'),
      phone: fc.constantFrom(null, '+639175550101'),
      email: fc.constantFrom(null, 'ben@example.org'),
    })
    fc.assert(
      fc.property(fc.uniqueArray(servant, { minLength: 1, selector: ({ name }) => name }), (servants) => {
        expect(readServants(writeServants(servants), 'PH')).toEqual(servants)
      }),
    )
    fc.assert(fc.property(fc.string(), (text) => void readServants(text, 'PH')))
  })
})
