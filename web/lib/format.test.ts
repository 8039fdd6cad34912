import { describe, expect, test } from 'vitest'
import {
  clockText,
  formatClock,
  formatDay,
  formatMoment,
  formatNumber,
  formatRecent,
  formatRelative,
  formatShortDay,
} from './format.ts'

const INSTANT = '2026-11-21T16:28:40Z'

describe('dates', () => {
  test('are written out with the month in words and the time zone', () => {
    expect(formatMoment('en', INSTANT, 'UTC')).toBe('21 Nov 2026, 16:28 UTC')
    expect(formatMoment('ar', INSTANT, 'UTC')).toBe('21 نوفمبر 2026، 16:28 UTC')
    expect(formatMoment('en', INSTANT, 'Asia/Manila')).toBe('22 Nov 2026, 00:28 (Manila)')
    expect(formatMoment('en', INSTANT, 'America/Mexico_City')).toBe('21 Nov 2026, 10:28 (Mexico City)')
  })

  test('a date without a time is the same date everywhere', () => {
    expect(formatDay('en', '2026-09-14T00:00:00Z')).toBe('14 Sep 2026')
    expect(formatDay('en', '2026-09-14')).toBe('14 Sep 2026')
    expect(formatShortDay('ar', '2026-09-14T00:00:00Z')).toBe('14 سبتمبر')
  })

  test('recent dates omit the year', () => {
    expect(formatRecent('en', INSTANT, 'UTC', 2026)).toBe('21 Nov, 16:28 UTC')
    expect(formatRecent('en', INSTANT, 'UTC', 2027)).toBe('21 Nov 2026, 16:28 UTC')
  })

  test('midnight is 00:00, never 24:00', () => {
    expect(formatClock('en', '2026-11-21T16:00:00Z', 'Asia/Manila')).toBe('00:00')
  })

  test('Tagalog puts the month first and has 12 hours', () => {
    expect(formatMoment('tl', INSTANT, 'UTC')).toBe('Nob 21, 2026, 4:28 PM UTC')
    expect(formatRecent('tl', INSTANT, 'Asia/Manila', 2026)).toBe('Nob 22, 12:28 AM (Manila)')
    expect(formatDay('tl', '2026-09-14')).toBe('Set 14, 2026')
  })

  test.each([
    ['00:00', '12:00 AM'],
    ['00:05', '12:05 AM'],
    ['09:30', '9:30 AM'],
    ['11:59', '11:59 AM'],
    ['12:00', '12:00 PM'],
    ['13:00', '1:00 PM'],
    ['23:59', '11:59 PM'],
  ])('a time of day: %s', (clock, tagalog) => {
    expect(clockText('tl', clock)).toBe(tagalog)
    expect(clockText('en', clock)).toBe(clock)
    expect(clockText('ar', clock)).toBe(clock)
  })
})

describe('relative time', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  test.each([
    ['2026-11-21T11:59:40Z', 'now', 'الآن'],
    ['2026-11-21T12:00:30Z', 'now', 'الآن'],
    ['2026-11-21T11:48:00Z', '12 minutes ago', 'قبل 12 دقيقة'],
    ['2026-11-21T09:00:00Z', '3 hours ago', 'قبل 3 ساعات'],
    ['2026-11-20T11:00:00Z', 'yesterday', 'أمس'],
    ['2026-11-01T12:00:00Z', '20 days ago', 'قبل 20 يومًا'],
  ])('%s', (instant, english, arabic) => {
    expect(formatRelative('en', instant, now)).toBe(english)
    expect(formatRelative('ar', instant, now)).toBe(arabic)
  })
})

test('digits are 0-9 in both languages', () => {
  expect(formatNumber('en', 1234)).toBe('1,234')
  expect(formatNumber('ar', 1234)).toMatch(/^1.234$/)
})
