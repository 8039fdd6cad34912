import { expect, test } from 'vitest'
import { createCountries } from './reference.ts'
import { mainZoneOf, userZone } from './user-zone.ts'

const nobody = { time_zone: null, country_code: null }

test.each([
  [{ time_zone: 'Asia/Dubai', country_code: 'SA' }, 'Asia/Dubai'],
  [{ time_zone: null, country_code: 'SA' }, 'Asia/Riyadh'],
  [{ time_zone: null, country_code: 'US' }, 'America/New_York'],
  [{ time_zone: null, country_code: 'CN' }, 'Asia/Shanghai'],
  [{ time_zone: null, country_code: 'XX', phone: '+966501234567' }, 'Asia/Riyadh'],
  [{ time_zone: 'Mars/Olympus', country_code: 'QA' }, 'Asia/Qatar'],
  [{ time_zone: '', country_code: 'JP', phone: '+639171234567' }, 'Asia/Tokyo'],
  [{ ...nobody, phone: '+639171234567' }, 'Asia/Manila'],
  [{ ...nobody, phone: 'no number' }, 'Asia/Kuwait'],
  [nobody, 'Asia/Kuwait'],
  // A user who chose UTC gets UTC.
  [{ time_zone: 'UTC', country_code: 'SA' }, 'UTC'],
])('%j is in zone %s', (location, zone) => {
  expect(userZone(location, 'Asia/Kuwait')).toBe(zone)
})

test('every inhabited country has a main zone that the runtime supports, and none has UTC', () => {
  for (const { code, timeZones } of createCountries().all()) {
    expect(mainZoneOf(code), code).toBe(timeZones[0])
    if (timeZones[0])
      expect(new Intl.DateTimeFormat('en', { timeZone: timeZones[0] }).resolvedOptions().timeZone).not.toMatch(
        /^(Etc\/)?(UTC|GMT)$/,
      )
  }
})
