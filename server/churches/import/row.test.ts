import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import type { ImportField } from '#shared/churches/import-fields.ts'
import { ImportMapping } from '#shared/churches/imports.ts'
import { createRowReader } from './row.ts'

const countries = createCountries()

/** Reads one row whose columns are named like their fields. */
function read(cells: Partial<Record<ImportField, string>>, how: object = {}) {
  const columns = Object.keys(cells) as ImportField[]
  const mapping = ImportMapping.parse({ mapping: Object.fromEntries(columns.map((c) => [c, c])), ...how })
  return createRowReader(columns, mapping, countries)(Object.values(cells) as string[])
}
const codes = (row: ReturnType<typeof read>) => row.problems.map(({ code }) => code)

describe('NA is Namibia or nothing', () => {
  test('beside the name Namibia it is Namibia', () => {
    expect(read({ name: 'Windhoek', country: 'Namibia', country_code: 'NA' }).values.country_code).toBe('NA')
    expect(read({ name: 'Windhoek', country: 'Namibia' }).values.country_code).toBe('NA')
  })

  test('beside the name of another country it is missing, and the name counts', () => {
    const row = read({ name: 'Basseterre', country: 'ST KITTS', country_code: 'NA' })
    expect(row).toMatchObject({ values: { country_code: 'KN' }, problems: [] })
    expect(read({ name: 'Niš', country: 'REPUBLIC OF SERBIA', country_code: 'NA' }).values.country_code).toBe('RS')
  })

  test('alone it is missing, unless the file is declared to use it', () => {
    expect(codes(read({ name: 'A', country_code: 'NA' }))).toEqual(['no_country'])
    expect(read({ name: 'A', country_code: 'NA' }, { options: { missing_words: ['-'] } }).values.country_code).toBe(
      'NA',
    )
    expect(codes(read({ name: 'A', country: 'NA', country_code: 'NA' }))).toEqual(['no_country'])
  })

  test('in every other column it is missing', () => {
    const { values, empty } = read({ name: 'A', country: 'Fiji', city: 'NA', phone: 'N/A', address_line1: '-' })
    expect(values).toEqual({ name: 'A', country_code: 'FJ' })
    expect(empty).toEqual(['city', 'phone', 'address_line1'])
  })
})

describe('countries', () => {
  test('are resolved by names, aliases and codes', () => {
    for (const [input, code] of [
      ['Türkiye', 'TR'],
      ['Burma', 'MM'],
      ['UAE', 'AE'],
      ['DE', 'DE'],
      ['Филиппины', undefined],
    ] as const)
      if (code) expect(read({ name: 'A', country: input }).values.country_code, input).toBe(code)
    expect(read({ name: 'A', country: '', country_code: 'ph' }).values.country_code).toBe('PH')
  })

  test('an unknown one is an error with its name; a code that helps is used', () => {
    expect(read({ name: 'A', country: 'BRITISH VIRGIN ISL', country_code: 'NA' }).problems).toEqual([
      { code: 'country_unknown', value: 'BRITISH VIRGIN ISL' },
    ])
    expect(read({ name: 'A', country: 'Atlantis', country_code: 'GR' }).values.country_code).toBe('GR')
  })

  test('where name and code differ the name counts, with a problem', () => {
    const row = read({ name: 'A', country: 'Japan', country_code: 'KR' })
    expect(row.values.country_code).toBe('JP')
    expect(codes(row)).toEqual(['country_differs'])
  })

  test('a default applies to rows without one', () => {
    expect(read({ name: 'A' }, { options: { default_country: 'UA' } })).toMatchObject({
      values: { country_code: 'UA' },
      problems: [],
    })
  })
})

describe('points', () => {
  test.each([
    ['0', '9.45', { latitude: 0, longitude: 9.45 }],
    ['-0.0', '-180', { latitude: 0, longitude: -180 }],
    ['14,5547', ' 121,0244 ', { latitude: 14.5547, longitude: 121.0244 }],
    ['90', '180', { latitude: 90, longitude: 180 }],
  ])('%s and %s', (latitude, longitude, point) => {
    expect(read({ name: 'A', country: 'Fiji', latitude, longitude })).toMatchObject({ values: point, problems: [] })
  })

  test.each([
    ['0', '0', 'zero_point'],
    ['0.0', '-0', 'zero_point'],
    ['91', '0', 'out_of_range'],
    ['5', '-180.1', 'out_of_range'],
    ['north', '5', 'not_a_number'],
    ['NaN', '5', 'not_a_number'],
    ['1e999', '5', 'out_of_range'],
    ['', '5', 'half_point'],
  ])('%s and %s: %s', (latitude, longitude, code) => {
    const row = read({ name: 'A', country: 'Fiji', latitude, longitude })
    expect(codes(row)).toEqual([code])
    expect(row.values).not.toHaveProperty('latitude')
  })
})

describe('telephones', () => {
  test.each([
    ['1 785-272-6939', 'US', '+1 785 272 6939', []],
    ['(02) 8926 8751', 'PH', '+63 2 8926 8751', []],
    ['0917 123 4567', 'PH', '+63 917 123 4567', []],
    ['+81 3-1234-5678', 'PH', '+81 3 1234 5678', []],
    ['ask at the gate', 'PH', 'ask at the gate', ['phone_unverified']],
    ['0917 123 4567', '', '0917 123 4567', ['phone_unverified', 'no_country']],
  ])('%s in %s', (phone, country_code, expected, problems) => {
    const row = read({ name: 'A', phone, country_code })
    expect(row.values.phone).toBe(expected)
    expect(codes(row).sort()).toEqual(problems.sort())
  })
})

test('a lost character rejects the row', () => {
  expect(read({ name: 'Elias Pi\uFFFDa', country: 'Fiji' }).problems).toEqual([
    { code: 'lost_letter', field: 'name', value: 'Elias Pi\uFFFDa' },
  ])
})

test('formulas are plain text', () => {
  for (const name of ["=cmd|' /C calc'!A0", '@SUM(1+9)', '+1', '-2', '=HYPERLINK("https://evil.example")'])
    expect(read({ name, country: 'Fiji' })).toMatchObject({ values: { name }, problems: [] })
})

test('cities in capitals stay so, or are converted to title case if that option is set', () => {
  const city = (text: string, title_case_cities = false) =>
    read({ name: 'A', city: text }, { options: { title_case_cities } }).values.city
  expect(city('PRAIRIE GROVE')).toBe('PRAIRIE GROVE')
  expect(city('PRAIRIE GROVE', true)).toBe('Prairie Grove')
  expect(city("L'ÎLE-PERROT", true)).toBe("L'Île-Perrot")
  expect(city('東京都', true)).toBe('東京都')
  expect(city('McKinney', true)).toBe('McKinney')
})

test('an invalid value is left out with a problem; a name that is too long or missing rejects the row', () => {
  const row = read({
    name: 'A',
    country: 'Fiji',
    website: 'javascript:alert(1)',
    email: 'nobody',
    languages: 'en; ceb, pt-br',
    is_public: 'perhaps',
    locale_status: 'Inactive',
    timezone: 'Nowhere/Land',
    closed_since: '2026-02-30',
    postal_code: '9 na. Avenida 1-79 Zona 1',
  })
  expect(row.values).toEqual({
    name: 'A',
    country_code: 'FJ',
    languages: ['en', 'ceb', 'pt-BR'],
    locale_status: 'inactive',
  })
  expect(row.problems.map(({ code, field }) => `${field} ${code}`)).toEqual([
    'website not_understood',
    'email not_understood',
    'is_public not_understood',
    'timezone not_understood',
    'closed_since not_understood',
    'postal_code too_long',
  ])
  expect(codes(read({ name: 'x'.repeat(201), country: 'Fiji' }))).toEqual(['name_too_long'])
  expect(codes(read({ name: ' \u200b ', country: 'Fiji' }))).toEqual(['no_name'])
  expect(read({ name: 'A', website: 'www.church.example/x' }).values.website).toBe('https://www.church.example/x')
})

test('for any cells, a row is understood or refused, and fits the table', () => {
  const cells = fc.record({
    name: fc.string({ unit: 'binary', maxLength: 250 }),
    country: fc.oneof(fc.constantFrom('Fiji', 'NA', ''), fc.string({ unit: 'binary' })),
    country_code: fc.string({ unit: 'binary', maxLength: 4 }),
    latitude: fc.oneof(fc.double().map(String), fc.string({ unit: 'binary' })),
    longitude: fc.oneof(fc.double().map(String), fc.string({ unit: 'binary' })),
    phone: fc.string({ unit: 'binary', maxLength: 60 }),
    website: fc.oneof(fc.webUrl(), fc.string({ unit: 'binary' })),
    languages: fc.string({ unit: 'binary' }),
    postal_code: fc.string({ unit: 'binary', maxLength: 40 }),
    closed_since: fc.oneof(fc.date().map(String), fc.string({ unit: 'binary' })),
  })
  fc.assert(
    fc.property(cells, (input) => {
      const { values } = read(input)
      const text = (name: string) => String(values[name] ?? '')
      expect(text('phone').length).toBeLessThanOrEqual(40)
      expect(text('postal_code').length).toBeLessThanOrEqual(20)
      expect(text('website')).toMatch(/^(https?:\/\/|$)/)
      expect(text('country_code')).toMatch(/^([A-Z]{2})?$/)
      const { latitude, longitude } = values as { latitude?: number; longitude?: number }
      expect((latitude === undefined) === (longitude === undefined)).toBe(true)
      if (latitude !== undefined) expect(Math.abs(latitude) <= 90 && Math.abs(longitude!) <= 180).toBe(true)
      expect(latitude === 0 && longitude === 0).toBe(false)
    }),
    { numRuns: 500 },
  )
})
