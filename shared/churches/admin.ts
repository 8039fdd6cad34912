import * as z from 'zod'
import { AuditEntry } from '../audit/endpoints.ts'
import { endpoint } from '../contract.ts'
import { GivenFile } from '../files/given.ts'
import { sortBy, TABLE_ANSWER, TABLE_QUERY } from '../table.ts'
import { text } from '../text.ts'
import { latitudeInAddress, longitudeInAddress } from './coordinates.ts'
import { DISCREET_MODES, PUBLIC_MODES } from './discretion.ts'
import { ChangedLocale, LOCALE_STATUSES, made_from, NewLocale, ScheduleEntry, ServantEntry } from './entry.ts'
import { SERVICE_TYPES } from './schedule.ts'

const instant = z.string().describe('ISO 8601 instant, UTC')
const line = z.string().nullable()

/** A row of the list of all locales. */
export const ManagedLocale = z.object({
  id: z.uuid(),
  name: z.string(),
  city: line,
  state_province: line,
  country_code: line,
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  timezone: line,
  locale_status: z.enum(LOCALE_STATUSES),
  is_public: z.boolean(),
  mode: z.enum(DISCREET_MODES).describe('Its own, else that of its country'),
  has_own_mode: z.boolean(),
  confirmed_at: instant.nullable(),
  updated_at: instant,
})
export type ManagedLocale = z.infer<typeof ManagedLocale>

export const MISSING = ['coordinates', 'time_zone', 'country', 'confirmation'] as const
export const MANAGED_LOCALE_SORTS = ['name', 'city', 'country_code', 'confirmed_at', 'updated_at'] as const

export const ManagedLocaleQuery = z.strictObject({
  ...TABLE_QUERY,
  sort: sortBy(MANAGED_LOCALE_SORTS, 'name'),
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'Choose a country')
    .optional(),
  status: z.enum(LOCALE_STATUSES).optional(),
  public: z.enum(['yes', 'no']).optional().describe('Whether it is to be seen by the public'),
  mode: z.enum(DISCREET_MODES).optional(),
  missing: z.enum(MISSING).optional(),
  chapter: z.uuid().optional(),
})
export type ManagedLocaleQuery = z.output<typeof ManagedLocaleQuery>

const manages = { access: 'manageLocales' } as const
const LocaleId = z.strictObject({ id: z.uuid() })

export const listManagedLocales = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales',
  summary: 'All locales, also those that are private, hidden or closed',
  query: ManagedLocaleQuery,
  response: z.object({ ...TABLE_ANSWER, locales: z.array(ManagedLocale) }),
})

export const exportManagedLocales = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/export',
  summary: 'The same list, all pages and all fields of it, as a CSV file',
  query: ManagedLocaleQuery,
  response: z.any(),
})

/** Everything that is kept of a locale. */
export const LocaleInHand = z.object({
  id: z.uuid(),
  external_id: line,
  name: z.string(),
  common_name: line,
  local_name: line,
  local_address: line,
  address_line1: line,
  address_line2: line,
  city: line,
  state_province: line,
  postal_code: line,
  country_code: line,
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  timezone: line,
  phone: line,
  email: line,
  website: line,
  online_url: line,
  languages: z.array(z.string()),
  has_physical_locale: z.boolean(),
  general_contact_available: z.boolean(),
  locale_status: z.enum(LOCALE_STATUSES),
  is_public: z.boolean(),
  discreet_mode: z.enum(DISCREET_MODES).nullable(),
  country_mode: z.enum(DISCREET_MODES).nullable().describe('What its country has for all of its locales'),
  closed_since: line,
  closed_until: line,
  closed_reason: line,
  chapter_id: z.uuid().nullable(),
  chapter_name: line,
  confirmed_at: instant.nullable(),
  confirmed_by: line.describe('Name of who confirmed it'),
  confirmed_as: line,
  created_at: instant,
  updated_at: instant.describe('Goes with every change as `made_from`'),
})
export type LocaleInHand = z.infer<typeof LocaleInHand>

export const ManagedServant = z.object({
  id: z.uuid(),
  name: z.string(),
  role: z.string(),
  phone: line,
  email: line,
  is_name_public: z.boolean(),
  is_contact_public: z.boolean(),
  agreed_at: instant.nullable().describe('When the person agreed to what is public of her'),
  user_id: z.uuid().nullable(),
  user_name: line,
  position: z.int(),
})
export type ManagedServant = z.infer<typeof ManagedServant>

export const ManagedSchedule = z.object({
  id: z.uuid(),
  day_of_week: z.int().nullable(),
  recurrence: line,
  starts_on: line,
  ends_on: line,
  start_time: z.string(),
  end_time: line,
  service_type: z.enum(SERVICE_TYPES),
  title: line,
  language: line,
  is_online: z.boolean(),
  online_url: line,
  note: line,
  position: z.int(),
})
export type ManagedSchedule = z.infer<typeof ManagedSchedule>

export const ManagedPhoto = z.object({
  file_id: z.uuid(),
  url: z.string().describe('For those who are signed in'),
  description: z.string(),
  position: z.int(),
})
export type ManagedPhoto = z.infer<typeof ManagedPhoto>

/** What the public sees now, as it stands in the one table that is made for it. */
export const PublicView = z.object({
  discreet_mode: z.enum(PUBLIC_MODES),
  name: z.string(),
  common_name: line,
  local_name: line,
  local_address: line,
  address_line1: line,
  address_line2: line,
  city: line,
  state_province: line,
  postal_code: line,
  country_code: line,
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  timezone: line,
  phone: line,
  email: line,
  website: line,
  online_url: line,
  closed_since: line,
  closed_until: line,
  closed_reason: line,
  chapter_name: line,
  servants: z.array(z.object({ name: line, role: z.string(), contact: line })),
  services: z.int(),
  photos: z.int(),
})
export type PublicView = z.infer<typeof PublicView>

const WholeInHand = z.object({
  locale: LocaleInHand,
  servants: z.array(ManagedServant),
  schedules: z.array(ManagedSchedule),
  photos: z.array(ManagedPhoto),
  shown: PublicView.nullable().describe('Null: the public does not see it at all'),
  previews: z.record(z.enum(DISCREET_MODES), PublicView.nullable()).describe('What it would see in each mode'),
  history: z.array(AuditEntry),
})
export type WholeInHand = z.infer<typeof WholeInHand>

export const getManagedLocale = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/{id}',
  summary: 'One locale with its servants, services, photos, what the public sees of it, and what was done with it',
  params: LocaleId,
  response: WholeInHand,
})

const Written = z.object({ locale: LocaleInHand })

export const createLocale = endpoint({
  ...manages,
  method: 'POST',
  path: '/locales',
  status: 201,
  summary: 'Makes a locale; refused with 409 where it seems to be there already, unless it is to be saved anyway',
  body: NewLocale,
  response: Written,
})

export const updateLocale = endpoint({
  ...manages,
  method: 'PUT',
  path: '/locales/{id}',
  summary: 'Changes the fields that are given; refused with 409 when somebody changed it in the meantime',
  params: LocaleId,
  body: ChangedLocale,
  response: Written,
})

export const deleteLocale = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/locales/{id}',
  summary: 'Removes a locale with its servants, services, photos and what was written to it',
  params: LocaleId,
  body: z.strictObject({ made_from, reason: text(500).default('') }),
  response: z.object({ deleted: z.literal(true) }),
})

export const confirmLocale = endpoint({
  ...manages,
  method: 'POST',
  path: '/locales/{id}/confirm',
  summary: 'Says that everything about the locale is still so',
  params: LocaleId,
  response: Written,
})

export const Duplicate = z.object({
  id: z.uuid(),
  name: z.string(),
  city: line,
  address_line1: line,
  distance_km: z.number().nullable(),
  why: z.enum(['name', 'place']),
})
export type Duplicate = z.infer<typeof Duplicate>

export const listDuplicates = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/duplicates',
  summary: 'Locales of the same name in the same city, or within 200 m',
  query: z.strictObject({
    name: text(200).default(''),
    city: text(120).default(''),
    country_code: text(2).default(''),
    latitude: latitudeInAddress.optional(),
    longitude: longitudeInAddress.optional(),
  }),
  response: z.object({ duplicates: z.array(Duplicate) }),
})

const ServantId = z.strictObject({ id: z.uuid(), servant: z.uuid() })

export const listServants = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/{id}/servants',
  summary: 'The servants of a locale in their order, with what each agreed to',
  params: LocaleId,
  response: z.object({ servants: z.array(ManagedServant) }),
})

export const createServant = endpoint({
  ...manages,
  method: 'POST',
  path: '/locales/{id}/servants',
  status: 201,
  summary: 'Adds a servant',
  params: LocaleId,
  body: ServantEntry,
  response: z.object({ servant: ManagedServant }),
})

export const updateServant = endpoint({
  ...manages,
  method: 'PUT',
  path: '/locales/{id}/servants/{servant}',
  summary: 'Puts this in place of what was known of a servant',
  params: ServantId,
  body: ServantEntry,
  response: z.object({ servant: ManagedServant }),
})

export const deleteServant = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/locales/{id}/servants/{servant}',
  summary: 'Takes a servant off the list',
  params: ServantId,
  response: z.object({ deleted: z.literal(true) }),
})

const ScheduleId = z.strictObject({ id: z.uuid(), schedule: z.uuid() })

export const listSchedules = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/{id}/schedules',
  summary: 'The services of a locale in their order',
  params: LocaleId,
  response: z.object({ schedules: z.array(ManagedSchedule) }),
})

export const createSchedule = endpoint({
  ...manages,
  method: 'POST',
  path: '/locales/{id}/schedules',
  status: 201,
  summary: 'Adds a service: every week on a day, or by a rule',
  params: LocaleId,
  body: ScheduleEntry,
  response: z.object({ schedule: ManagedSchedule }),
})

export const updateSchedule = endpoint({
  ...manages,
  method: 'PUT',
  path: '/locales/{id}/schedules/{schedule}',
  summary: 'Puts this in place of what was known of a service',
  params: ScheduleId,
  body: ScheduleEntry,
  response: z.object({ schedule: ManagedSchedule }),
})

export const deleteSchedule = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/locales/{id}/schedules/{schedule}',
  summary: 'Takes a service off the list',
  params: ScheduleId,
  response: z.object({ deleted: z.literal(true) }),
})

const PhotoId = z.strictObject({ id: z.uuid(), file: z.uuid() })

export const addPhoto = endpoint({
  ...manages,
  method: 'POST',
  path: '/locales/{id}/photos',
  status: 201,
  takesFile: true,
  summary: 'Adds a photo: JPEG or PNG, drawn anew without what the camera wrote into it',
  params: LocaleId,
  query: z.strictObject({ description: text(300).default('') }),
  body: GivenFile,
  response: z.object({ photo: ManagedPhoto }),
})

export const updatePhoto = endpoint({
  ...manages,
  method: 'PUT',
  path: '/locales/{id}/photos/{file}',
  summary: 'Describes a photo, or gives it another place in the order',
  params: PhotoId,
  body: z.strictObject({ description: text(300).optional(), position: z.int().min(0).max(1000).optional() }),
  response: z.object({ photo: ManagedPhoto }),
})

export const deletePhoto = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/locales/{id}/photos/{file}',
  summary: 'Removes a photo and its file',
  params: PhotoId,
  response: z.object({ deleted: z.literal(true) }),
})

export const getPublicPhoto = endpoint({
  method: 'GET',
  path: '/public/locales/{id}/photos/{file}',
  access: 'anyone',
  summary: 'A photo of a public locale, while it is public',
  params: PhotoId,
  response: z.any().describe('The picture itself'),
})

export const CountryDiscretion = z.object({
  country_code: z.string(),
  discreet_mode: z.enum(DISCREET_MODES),
  reason: z.string(),
  updated_at: instant,
  updated_by: line.describe('Name of who set it'),
})
export type CountryDiscretion = z.infer<typeof CountryDiscretion>

export const getDiscretion = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/discretion',
  summary: 'Countries whose locales are told of discreetly, and how many locales each country has',
  response: z.object({
    discretion: z.array(CountryDiscretion),
    countries: z.array(
      z.object({
        country_code: z.string(),
        locales: z.int(),
        own_mode: z.int().describe('Those that have a mode of their own, which the country leaves alone'),
      }),
    ),
  }),
})

export const setDiscretion = endpoint({
  ...manages,
  method: 'PUT',
  path: '/locales/discretion',
  summary: 'Says how much is told of the locales of a country; null is everything again',
  body: z.strictObject({
    country_code: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, 'Choose a country'),
    discreet_mode: z.enum(DISCREET_MODES, 'Choose how much is told').nullable(),
    reason: text(500).default(''),
  }),
  response: z.object({ locales: z.int().describe('How many locales are told of in this way now') }),
})

export const listServantAccounts = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/servant-accounts',
  summary: 'Accounts of local servants, by name or address',
  query: z.strictObject({ search: text(200).default('') }),
  response: z.object({
    accounts: z.array(z.object({ id: z.uuid(), display_name: z.string(), email: z.string() })),
  }),
})
