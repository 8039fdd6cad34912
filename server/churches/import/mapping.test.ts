import { describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { readWhole } from '#server/imports/files/testing.ts'
import { guessMapping as guess } from '#server/imports/headings.ts'
import { localeImportAdapter } from './adapter.ts'
import { guessPrefix } from './mapping.ts'
import { fixture } from './testing.ts'

const adapter = localeImportAdapter({ countries: createCountries })
const guessMapping = (columns: string[]) => guess(columns, adapter)

describe('columns are recognised by their names', () => {
  test('those of the list of meetinghouses', async () => {
    const { columns } = await readWhole(fixture('lds-meetinghouses-extract.csv'))
    const mapping = guessMapping(columns)
    expect(mapping).toEqual({
      id: 'external_id',
      name: 'name',
      address_line_1: 'address_line1',
      address_line_2: 'address_line2',
      city: 'city',
      state: 'state_province',
      zipcode: 'postal_code',
      country: 'country',
      country_code_2_digit: 'country_code',
      latitude: 'latitude',
      longitude: 'longitude',
      phone: 'phone',
    })
    expect(guessPrefix('LDS-meetinghouses 2022.csv', mapping)).toBe('lds:')
  })

  test('those of OpenStreetMap', async () => {
    const { columns } = await readWhole(fixture('osm-lviv-extract.geojson'))
    expect(guessMapping(columns)).toMatchObject({ 'addr:street': 'address_line1', 'addr:postcode': 'postal_code' })
  })

  test('those of other backends (LOC-DATA-10)', () => {
    expect(guessMapping(['locale_name', 'address_line_1', 'primary_phone', 'contact_email'])).toEqual({
      locale_name: 'name',
      address_line_1: 'address_line1',
      primary_phone: 'phone',
      contact_email: 'email',
    })
    expect(guessMapping(['contact_phone', 'Addr:City', 'LAT', 'Long'])).toEqual({
      contact_phone: 'phone',
      'Addr:City': 'city',
      LAT: 'latitude',
      Long: 'longitude',
    })
  })

  test('an own export: every column is its field, and ids get no prefix', () => {
    const columns = ['id', 'external_id', 'name', 'country', 'country_code', 'constructor']
    const mapping = guessMapping(columns)
    expect(mapping).toEqual({
      id: 'id',
      external_id: 'external_id',
      name: 'name',
      country: 'country',
      country_code: 'country_code',
    })
    expect(guessPrefix('locales-2026-05-01.csv', mapping)).toBe('')
  })
})
