import type { ImportField } from '#shared/churches/import-fields.ts'
import { fold } from '#shared/countries/fold.ts'
import type { Mapping } from '#shared/imports/model.ts'

/** Names of our fields in other systems (LOC-DATA-10, OpenStreetMap, spreadsheets), most reliable first. */
export const NAMES: Readonly<Partial<Record<ImportField, string[]>> & Record<string, string[]>> = {
  external_id: ['id', 'osm_id', 'ref', 'code', 'key', 'locale_id', 'unit_number'],
  name: ['locale_name', 'title', 'church', 'church_name', 'location', 'name_en'],
  common_name: ['short_name', 'alt_name', 'nickname', 'known_as'],
  local_name: ['native_name', 'name_local', 'official_name'],
  address_line1: [
    'address_line_1',
    'address_1',
    'address1',
    'street_address',
    'street',
    'addr_street',
    'address',
    'formatted_address',
    'full_address',
  ],
  address_line2: ['address_line_2', 'address_2', 'address2', 'addr_unit'],
  local_address: ['native_address', 'address_local'],
  city: ['town', 'municipality', 'city_name', 'locality', 'addr_city', 'addr_place'],
  state_province: ['state', 'province', 'region', 'addr_state', 'addr_province', 'state_code'],
  postal_code: ['zip', 'zipcode', 'zip_code', 'postcode', 'postalcode', 'addr_postcode'],
  country: ['country_name', 'nation', 'addr_country'],
  country_code: ['country_code_2_digit', 'iso2', 'iso_code', 'country_iso', 'country_code_3_digit', 'iso3'],
  latitude: ['lat', 'y', 'geo_lat'],
  longitude: ['lng', 'lon', 'long', 'x', 'geo_lng', 'geo_lon'],
  timezone: ['time_zone', 'tz', 'timezone_name'],
  phone: ['contact_phone', 'primary_phone', 'telephone', 'phone_number', 'tel', 'mobile'],
  email: ['contact_email', 'e_mail', 'mail', 'email_address'],
  website: ['url', 'web', 'homepage', 'contact_website', 'link'],
  online_url: ['conference_url', 'stream_url', 'online'],
  languages: ['language', 'lang'],
  locale_status: ['status'],
  is_public: ['public'],
  services: ['service_times', 'schedule', 'schedules', 'worship_times', 'meeting_times'],
  servants: ['servant', 'ministers', 'minister', 'pastor', 'contact_person'],
}

/**
 * The first word of the file name as id prefix, so that its ids differ from those of other sources; none for the
 * portal's own export.
 */
export function guessPrefix(fileName: string, mapping: Mapping): string {
  const fields = Object.values(mapping)
  if (fields.includes('id') || !fields.includes('external_id')) return ''
  const word = /[a-z][a-z0-9]*/.exec(fold(fileName))?.[0] ?? ''
  return word ? `${word.slice(0, 20)}:` : ''
}
