import * as z from 'zod'
import { TimeZone } from '#shared/accounts/time-zone.ts'
import { latitude, longitude } from '#shared/coordinates.ts'
import { required, text } from '#shared/text.ts'
import { DISCREET_MODES } from './discretion.ts'
import { normalizeFieldNames } from './field-aliases.ts'
import { LanguageTag } from './language-tag.ts'
import { TEXT_LENGTHS } from './lengths.ts'
import { SERVICE_TYPES } from './schedule.ts'

export const LOCALE_STATUSES = ['active', 'inactive', 'closed'] as const

/** Optional single-line text: null and whitespace are equivalent. */
export const line = (max: number) =>
  text(max)
    .nullable()
    .transform((value) => value || null)
    .optional()
export const Address = z
  .union([
    z
      .string()
      .trim()
      .max(500)
      .regex(/^https?:\/\/[^\s/]/i, 'Enter a web address that starts with https://'),
    z.literal('').transform(() => null),
    z.null(),
  ])
  .optional()
export const Day = z.union([z.iso.date('Enter a valid date'), z.literal('').transform(() => null), z.null()]).optional()
/** Two letters; empty if the country is unknown. 'NA' is Namibia. */
export const Country = z
  .union([
    z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, 'Choose a country'),
    z.literal('').transform(() => null),
    z.null(),
  ])
  .optional()

const fields = {
  external_id: line(120).describe("Id in another system, such as 'lds:12345'"),
  name: required(TEXT_LENGTHS.name).optional(),
  common_name: line(TEXT_LENGTHS.common_name),
  local_name: line(TEXT_LENGTHS.local_name).describe('Name in the local script'),
  local_address: line(TEXT_LENGTHS.local_address).describe('Address in the local script'),
  address_line1: line(TEXT_LENGTHS.address_line1),
  address_line2: line(TEXT_LENGTHS.address_line2),
  city: line(TEXT_LENGTHS.city),
  state_province: line(TEXT_LENGTHS.state_province),
  postal_code: line(TEXT_LENGTHS.postal_code),
  country_code: Country.describe("ISO 3166-1 alpha-2; 'NA' is Namibia, an empty field means none"),
  latitude: latitude.nullable().optional(),
  longitude: longitude.nullable().optional(),
  timezone: z
    .union([TimeZone, z.literal('').transform(() => null), z.null()])
    .optional()
    .describe('IANA name; if empty, derived from the coordinates'),
  phone: line(40).describe('With the country code, or in national format'),
  email: line(320),
  website: Address,
  online_url: Address,
  languages: z.array(LanguageTag).max(30).optional().describe('BCP 47'),
  has_physical_locale: z.boolean().optional(),
  general_contact_available: z.boolean().optional(),
  locale_status: z.enum(LOCALE_STATUSES).optional(),
  is_public: z.boolean().optional(),
  discreet_mode: z.enum(DISCREET_MODES).nullable().optional().describe('Null: the setting of the country'),
  closed_since: Day.describe('First day of a temporary closure'),
  closed_until: Day.describe('Last day, if known'),
  closed_reason: line(TEXT_LENGTHS.closed_reason),
  chapter_id: z.uuid('Choose a chapter').nullable().optional(),
}

/** Field names used by other backends (LOC-DATA-10). */
const theirs = {
  locale_name: required(TEXT_LENGTHS.name).optional(),
  address_line_1: line(TEXT_LENGTHS.address_line1),
  contact_phone: line(40),
  primary_phone: line(40),
  contact_email: line(320),
}

const Fields = z.strictObject(fields)
/** Locale fields in a request; omitted fields stay unchanged. */
export type LocaleFields = z.output<typeof Fields>

const spelled = <T extends object>(input: T) => normalizeFieldNames(input)

export const NewLocale = z
  .strictObject({
    ...fields,
    ...theirs,
    save_anyway: z.boolean().default(false).describe('Save even if the church may already exist'),
  })
  .transform(spelled)
  .refine(({ name }) => Boolean(name), { path: ['name'], error: 'This field is required' })

/** `updated_at` of the version being edited: if it changed since then, the request fails with 409. */
export const made_from = z.iso.datetime()

export const ChangedLocale = z.strictObject({ ...fields, ...theirs, made_from }).transform(spelled)

export const ServantEntry = z.strictObject({
  name: required(200),
  role: text(60)
    .default('local_servant')
    .transform((role) => role || 'local_servant'),
  phone: line(40),
  email: line(320),
  is_name_public: z.boolean().default(false).describe('The person agreed to be named in public'),
  is_contact_public: z
    .boolean()
    .default(false)
    .describe('The person agreed to publish the phone number or email address'),
  user_id: z.uuid().nullable().default(null).describe('Account of a local servant who maintains the record'),
  position: z.int().min(0).max(1000).optional(),
})
export type ServantEntry = z.output<typeof ServantEntry>

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time, such as 18:00')

export const ScheduleEntry = z.strictObject({
  day_of_week: z.int().min(0).max(6).nullable().default(null).describe('0 is Sunday; every week on this day'),
  recurrence: line(300).describe("Instead of a weekday: RFC 5545 without DTSTART, 'FREQ=MONTHLY;BYDAY=-1SA'"),
  starts_on: Day.describe('First day of the rule'),
  ends_on: Day,
  start_time: Clock,
  end_time: z
    .union([Clock, z.literal('').transform(() => null), z.null()])
    .optional()
    .describe('If before the start: on the next day'),
  service_type: z.enum(SERVICE_TYPES, 'Choose the type of service'),
  title: line(120),
  language: z.union([LanguageTag, z.literal('').transform(() => null), z.null()]).optional(),
  is_online: z.boolean().default(false),
  online_url: Address,
  note: line(300),
  position: z.int().min(0).max(1000).optional(),
})
export type ScheduleEntry = z.output<typeof ScheduleEntry>
