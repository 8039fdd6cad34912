import * as z from 'zod'
import { AuditEntry } from '#shared/audit/endpoints.ts'
import { ById, Deleted, instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { latitudeInAddress, longitudeInAddress } from '#shared/coordinates.ts'
import { text } from '#shared/text.ts'
import { DISCREET_MODES, PUBLIC_MODES } from './discretion.ts'
import { ChangedLocale, LOCALE_STATUSES, made_from, NewLocale } from './entry.ts'
import { line, manages } from './managed.ts'
import { ManagedPhoto } from './managed-photos.ts'
import { ManagedSchedule } from './managed-schedules.ts'
import { ManagedServant } from './managed-servants.ts'

/** Name, location and contact details of a locale: always stored, and public as far as its mode allows. */
const named = {
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
}

/** All stored fields of a locale. */
export const AdminLocale = z.object({
  id: z.uuid(),
  external_id: line,
  ...named,
  languages: z.array(z.string()),
  has_physical_locale: z.boolean(),
  general_contact_available: z.boolean(),
  locale_status: z.enum(LOCALE_STATUSES),
  is_public: z.boolean(),
  discreet_mode: z.enum(DISCREET_MODES).nullable(),
  country_mode: z.enum(DISCREET_MODES).nullable().describe('Setting of the country for all its locales'),
  located_in: line.describe('The country that contains its coordinates'),
  mode: z
    .enum(DISCREET_MODES)
    .describe('Visibility in effect: the stricter one if the coordinates are in another country'),
  closed_since: line,
  closed_until: line,
  closed_reason: line,
  chapter_id: z.uuid().nullable(),
  chapter_name: line,
  confirmed_at: instant.nullable(),
  confirmed_by: line.describe('Name of the user who confirmed it'),
  confirmed_as: line,
  created_at: instant,
  updated_at: instant.describe('Send it back as `made_from` with every change'),
})
export type AdminLocale = z.infer<typeof AdminLocale>

/** The current public view, read from the table built for it. */
export const PublicView = z.object({
  discreet_mode: z.enum(PUBLIC_MODES),
  ...named,
  closed_since: line,
  closed_until: line,
  closed_reason: line,
  chapter_name: line,
  servants: z.array(z.object({ name: line, role: z.string(), contact: line })),
  services: z.int(),
  photos: z.int(),
})
export type PublicView = z.infer<typeof PublicView>

const AdminLocaleDetail = z.object({
  locale: AdminLocale,
  servants: z.array(ManagedServant),
  schedules: z.array(ManagedSchedule),
  photos: z.array(ManagedPhoto),
  shown: PublicView.nullable().describe('Null: the public cannot see it'),
  previews: z.record(z.enum(DISCREET_MODES), PublicView.nullable()).describe('What the public would see in each mode'),
  history: z.array(AuditEntry),
})
export type AdminLocaleDetail = z.infer<typeof AdminLocaleDetail>

export const getManagedLocale = endpoint({
  ...manages,
  method: 'GET',
  path: '/locales/{id}',
  summary: 'One locale with servants, services, photos, public view and history',
  params: ById,
  response: AdminLocaleDetail,
})

const Written = z.object({ locale: AdminLocale })

export const createLocale = endpoint({
  ...manages,
  method: 'POST',
  path: '/locales',
  status: 201,
  summary: 'Creates a locale; 409 if it may already exist, unless saving anyway is requested',
  body: NewLocale,
  response: Written,
})

export const updateLocale = endpoint({
  ...manages,
  method: 'PUT',
  path: '/locales/{id}',
  summary: 'Changes the given fields; 409 if it has changed since it was read',
  params: ById,
  body: ChangedLocale,
  response: Written,
})

export const deleteLocale = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/locales/{id}',
  summary: 'Deletes a locale with its servants, services, photos and messages',
  params: ById,
  body: z.strictObject({ made_from, reason: text(500).default('') }),
  response: Deleted,
})

export const confirmLocale = endpoint({
  ...manages,
  method: 'POST',
  path: '/locales/{id}/confirm',
  summary: 'Confirms all details of the locale',
  params: ById,
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
  summary: 'Locales with the same name in the same city, or within 200 m',
  query: z.strictObject({
    name: text(200).default(''),
    city: text(120).default(''),
    country_code: text(2).default(''),
    latitude: latitudeInAddress.optional(),
    longitude: longitudeInAddress.optional(),
  }),
  response: z.object({ duplicates: z.array(Duplicate) }),
})
