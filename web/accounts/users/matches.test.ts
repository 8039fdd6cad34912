import { expect, test } from 'vitest'
import { exactMatch, matches } from './matches.ts'

const named = (...names: [string, string][]) => names.map(([value, label]) => ({ value, label }))
const COUNTRIES = named(
  ['GN', 'Guinea'],
  ['GW', 'Guinea-Bissau'],
  ['PG', 'Papua New Guinea'],
  ['CI', 'Côte d’Ivoire'],
  ['SA', 'Saudi Arabia'],
  ['EG', 'مصر'],
  ['BH', 'البحرين'],
  ['AE', 'الإمارات العربية المتحدة'],
)

test.each([
  ['guinea', ['GN', 'GW', 'PG']],
  ['GUI', ['GN', 'GW', 'PG']],
  ['cote d', ['CI']],
  ['arab', ['SA']],
  ['udi', ['SA']],
  ['sa', ['SA', 'GW']],
  ['الامارات', ['AE']],
  ['بحر', ['BH']],
  ['zz', []],
  ['.*', []],
])('%s finds %j', (text, codes) => {
  expect(matches(COUNTRIES, text).map(({ value }) => value)).toEqual(codes)
})

test('an empty text matches everything, in its order', () => {
  expect(matches(COUNTRIES, '  ')).toEqual(COUNTRIES)
})

test('a whole name or code matches one place, a part of it none', () => {
  expect(exactMatch(COUNTRIES, ' guinea ')?.value).toBe('GN')
  expect(exactMatch(COUNTRIES, 'gw')?.value).toBe('GW')
  expect(exactMatch(COUNTRIES, 'مِصر')?.value).toBe('EG')
  for (const text of ['gui', '', 'arabia']) expect(exactMatch(COUNTRIES, text)).toBeUndefined()
  // Two chapters may share a name.
  expect(exactMatch(named(['1', 'Tokyo'], ['2', 'Tokyo']), 'tokyo')).toBeUndefined()
})
