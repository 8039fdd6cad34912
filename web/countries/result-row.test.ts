import { expect, test } from 'vitest'
import type { SearchResult } from '#shared/countries/search.ts'
import { translator } from '#web/lib/i18n.tsx'
import '#web/lib/messages.server.ts'
import { addressOf } from './result-address.ts'
import { markedIn, rowOf } from './result-row.ts'

const QATAR = { code: 'QA', name: 'Qatar', names: { ar: 'قطر' } }
const CITY: SearchResult = {
  ...{ kind: 'city', id: 7, name: 'Doha', state_province: null, country: QATAR },
  ...{ latitude: 25.28545, longitude: 51.53096, severity_level: 'warning' },
}
const CHURCH: SearchResult = {
  ...{ kind: 'church', id: 'x', name: 'Sample Locale Doha', city: 'Doha', country: QATAR },
  next: { starts_at: '2026-11-25T16:00:00.000Z', in_progress: false, timezone: 'Asia/Qatar' },
}
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '')

test('a city leads to the churches near its point, since others have its name', () => {
  expect(addressOf(CITY)).toBe('/church-locator?near=Doha&lat=25.285&lon=51.531')
  const row = rowOf(CITY, translator('ar', 'search'), 'ar')
  expect([row.name, plain(row.place), row.text, row.level]).toEqual(['Doha', 'قطر', 'مدينة', 'warning'])
})

test('a church names its next service in its own time, or where it is', () => {
  expect(rowOf(CHURCH, translator('en', 'search'), 'en').text).toBe('Next: Wed 25 Nov, 19:00 in Doha')
  expect(plain(rowOf({ ...CHURCH, next: null }, translator('en', 'search'), 'en').text)).toBe('Church, Doha, Qatar')
})

test('a country is named in the language of the reader', () => {
  const country: SearchResult = { kind: 'country', country: QATAR, severity_level: null }
  expect(rowOf(country, translator('ar', 'search'), 'ar')).toMatchObject({ to: '/countries/QA', name: 'قطر' })
})

test('what was searched is marked in a name, in any case, and nothing in other spellings', () => {
  expect(markedIn('Sample Locale Doha', ' doh ')).toEqual(['Sample Locale ', 'Doh', 'a'])
  expect(markedIn('Doha', 'dhoa')).toEqual(['Doha', '', ''])
  expect(markedIn('Doha', '.*')).toEqual(['Doha', '', ''])
})
