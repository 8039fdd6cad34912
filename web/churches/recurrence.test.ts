import { expect, test } from 'vitest'
import '#web/lib/messages.server.ts'
import { translator } from '#web/lib/i18n.tsx'
import { describeRecurrence } from './recurrence.server.ts'

const describeRule = (language: 'en' | 'ar', recurrence: string | null, more = {}) =>
  describeRecurrence(translator(language, 'localePhrases'), language, {
    day_of_week: null,
    recurrence,
    starts_on: '2026-01-01',
    ends_on: null,
    ...more,
  })

test.each([
  ['FREQ=WEEKLY;BYDAY=SU', 'every Sunday', 'كل أحد'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SA', 'every 2 weeks on Saturday', 'كل أسبوعين يوم السبت'],
  ['FREQ=WEEKLY;INTERVAL=3;BYDAY=SA', 'every 3 weeks on Saturday', 'كل 3 أسابيع يوم السبت'],
  ['FREQ=WEEKLY;BYDAY=WE,SA', 'every Wednesday and Saturday', 'كل أربعاء وسبت'],
  ['FREQ=MONTHLY;BYDAY=1SU', 'every first Sunday of the month', 'أول أحد من كل شهر'],
  ['FREQ=MONTHLY;BYDAY=-1SA', 'every last Saturday of the month', 'آخر سبت من كل شهر'],
  ['FREQ=MONTHLY;BYDAY=2SU,4SU', 'every second Sunday and fourth Sunday of the month', null],
  ['FREQ=MONTHLY;BYMONTHDAY=15', 'on day 15 of every month', 'يوم 15 من كل شهر'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', 'on the last day of every month', 'آخر يوم من كل شهر'],
  ['FREQ=DAILY', 'every day', 'كل يوم'],
  ['FREQ=YEARLY', 'once a year', 'مرة في السنة'],
  ['RRULE:FREQ=WEEKLY;BYDAY=FR', 'every Friday', 'كل جمعة'],
])('%s becomes "%s"', (rule, english, arabic) => {
  expect(describeRule('en', rule)).toBe(english)
  if (arabic) expect(describeRule('ar', rule)).toBe(arabic)
})

test.each([
  'FREQ=MONTHLY;BYDAY=SU',
  'FREQ=MONTHLY;INTERVAL=2;BYDAY=1SU',
  'FREQ=WEEKLY;BYHOUR=3;BYDAY=SU',
  'nonsense',
  '',
])('%s is shown by its dates', (rule) => expect(describeRule('en', rule)).toBeNull())

test('includes the end date', () => {
  expect(describeRule('en', 'FREQ=DAILY', { ends_on: '2026-12-24' })).toBe('every day, until 24 Dec 2026')
})
