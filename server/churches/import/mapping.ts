import { IMPORT_FIELDS, type ImportField } from '#shared/churches/import-fields.ts'
import { fold } from '#shared/countries/fold.ts'

/** Names of our fields in other systems (LOC-DATA-10, OpenStreetMap, spreadsheets), most reliable first. */
const NAMES: Partial<Record<ImportField, string[]>> = {
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

/** The likely field of each column: each field once, from the column with the most reliable name. */
export function guessMapping(columns: readonly string[]): Record<string, ImportField> {
  const byKey = new Map<string, string>()
  for (const column of columns.toReversed()) byKey.set(keyOf(column), column)
  const mapping: Record<string, ImportField> = {}
  // An export of the portal: its own ids are ours, those of others are stored beside them.
  const isOwn = byKey.has('id') && byKey.has('external_id') && byKey.has('name')
  for (const field of IMPORT_FIELDS) {
    if (field === 'id' && !isOwn) continue
    const names = [field, ...(NAMES[field] ?? [])].filter(
      (name) => !(isOwn && field === 'external_id' && name === 'id'),
    )
    const column = names.map((name) => byKey.get(name)).find((found) => found !== undefined && !(found in mapping))
    if (column !== undefined) mapping[column] = field
  }
  return mapping
}

/** Treats "addr:street", "Address Line 1" and "address_line_1" alike. */
const keyOf = (column: string) =>
  fold(column)
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')

/**
 * The first word of the file name as id prefix, so that its ids differ from those of other sources; none for the
 * portal's own export.
 */
export function guessPrefix(fileName: string, mapping: Record<string, ImportField>): string {
  const fields = Object.values(mapping)
  if (fields.includes('id') || !fields.includes('external_id')) return ''
  const word = /[a-z][a-z0-9]*/.exec(fold(fileName))?.[0] ?? ''
  return word ? `${word.slice(0, 20)}:` : ''
}
