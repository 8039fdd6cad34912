import { describe, expect, test } from 'vitest'
import type { FoundLocale } from '#shared/churches/endpoints.ts'
import '#web/lib/messages.server.ts'
import { type Row, rowOf } from './row.server.ts'

const locale: FoundLocale = {
  id: '0b0c7f0e-8b1e-4a55-9d5e-1f2a3b4c5d6e',
  source_type: 'locale',
  discreet_mode: 'exact',
  name: 'Sample Locale Shinjuku',
  common_name: null,
  local_name: null,
  local_address: null,
  address: '1-0-0 Nishi-Shinjuku',
  address_line1: '1-0-0 Nishi-Shinjuku',
  address_line2: null,
  city: 'Tokyo',
  state_province: 'Tokyo',
  postal_code: '160-0000',
  country: 'Japan',
  country_code: 'JP',
  latitude: 35.69,
  longitude: 139.7,
  phone: null,
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
  confirmed_at: '2026-11-01T00:00:00Z',
  confirmed_as: 'local_servant',
  servants: [{ name: null, role: 'local_servant', contact: null }],
  service_schedules: [],
  photos: [],
  distance_km: null,
}
const NOW = new Date('2026-11-21T12:00:00Z')
const row = (changes: Partial<FoundLocale> = {}, language: 'en' | 'ar' = 'en'): Row =>
  rowOf({ ...locale, ...changes }, [], { language, now: NOW, callFirstAfterDays: 120 })

test.each([
  [0.04, '0.1 km'],
  [4, '4.0 km'],
  [9.94, '9.9 km'],
  [9.96, '10 km'],
  [1234.5, '1,235 km'],
])('%d km is shown as %s', (km, text) => expect(row({ distance_km: km }).distance).toBe(text))

describe('a group that does not publish its address', () => {
  const group = { discreet_mode: 'approximate' as const, name: 'Group in Chiba', city: 'Chiba', address_line1: null }

  test("is named after its city in the user's language", () => {
    expect([row(group).name, row(group, 'ar').name]).toEqual(['Group in Chiba', 'مجموعة في Chiba'])
  })

  test('without a city is named after its country', () => {
    const contact = { ...group, discreet_mode: 'contact_only' as const, city: null, state_province: null }
    expect([row(contact).name, row(contact, 'ar').name]).toEqual(['Group in Japan', 'مجموعة في اليابان'])
  })

  test.each([
    [0.3, 'about 5 km'],
    [34.2, 'about 35 km'],
    [37.6, 'about 40 km'],
  ])('%d km away is rounded to five: %s', (km, text) => expect(row({ ...group, distance_km: km }).distance).toBe(text))

  test('has no directions', () => expect(row(group).directions).toBeNull())
})

test.each([
  [{ closed_since: '2026-11-01', closed_until: null }, 'Temporarily closed.'],
  [{ closed_since: '2026-11-01', closed_until: '2026-12-24' }, 'Closed until 24 Dec 2026.'],
  [{ closed_since: '2026-12-01', closed_until: '2026-12-24' }, 'Closed from 1 Dec 2026 until 24 Dec 2026.'],
  [{ closed_since: '2026-11-01', closed_until: '2026-11-20' }, ''],
  [{ closed_since: '2026-11-01', closed_until: null, closed_reason: 'Flood.' }, 'Temporarily closed. Flood.'],
])('a closure %j is shown as "%s"', (closure, text) => expect(row(closure).closed).toBe(text))

test('advises to call first if it was not confirmed recently, or ever', () => {
  expect(row().isUnsure).toBe(false)
  expect(row({ confirmed_at: '2026-07-01T00:00:00Z' }).isUnsure).toBe(true)
  expect(row({ confirmed_at: null }).isUnsure).toBe(true)
})

test('directions lead to its point, on the equator as well; without a point to its address', () => {
  expect(row().directions).toBe('https://www.openstreetmap.org/directions?route=%3B35.69%2C139.7')
  expect(row({ latitude: 0, longitude: 0 }).directions).toContain('%3B0%2C0')
  expect(row({ latitude: null, longitude: null }).directions).toContain('/search?query=1-0-0%20Nishi-Shinjuku')
})

test('the next service is in local time', () => {
  const schedule = {
    id: 'c0ffee00-8b1e-4a55-9d5e-1f2a3b4c5d6e',
    day: 'Sunday' as const,
    day_of_week: 0,
    recurrence: null,
    starts_on: null,
    ends_on: null,
    time: '10:00',
    end_time: null,
    service_type: 'worship_service' as const,
    title: null,
    language: null,
    is_online: false,
    online_url: null,
    note: null,
  }
  const moment = {
    schedule_id: schedule.id,
    starts_at: '2026-11-22T01:00:00Z',
    ends_at: '2026-11-22T03:00:00Z',
    in_progress: false,
  }
  const { next, weekly } = rowOf({ ...locale, service_schedules: [schedule] }, [moment], {
    language: 'ar',
    now: NOW,
    callFirstAfterDays: 120,
  })
  expect(next).toEqual({
    service: 'اجتماع عبادة',
    starts_at: moment.starts_at,
    in_progress: false,
    zone: 'Asia/Tokyo',
    place: 'Tokyo',
  })
  expect(weekly).toBe('الأحد 10:00 اجتماع عبادة')
})
