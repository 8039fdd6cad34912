/** Locale fields that a file can contain, in export order. */
export const IMPORT_FIELDS = [
  'id',
  'external_id',
  'name',
  'common_name',
  'local_name',
  'address_line1',
  'address_line2',
  'local_address',
  'city',
  'state_province',
  'postal_code',
  'country',
  'country_code',
  'latitude',
  'longitude',
  'timezone',
  'phone',
  'email',
  'website',
  'online_url',
  'languages',
  'has_physical_locale',
  'general_contact_available',
  'locale_status',
  'is_public',
  'discreet_mode',
  'closed_since',
  'closed_until',
  'closed_reason',
  'chapter_id',
  'services',
  'servants',
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** Lists in a single cell that are stored in separate tables. */
export const LIST_FIELDS = ['services', 'servants'] as const satisfies readonly ImportField[]
export type ListField = (typeof LIST_FIELDS)[number]

/** Visibility of new locales if the file does not state it. */
export const NEW_LOCALES = ['unpublished', 'to_be_confirmed'] as const
