import * as z from 'zod'
import { ById, CountryCodes, instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { latitudeInAddress, longitudeInAddress, radiusInAddress } from '#shared/coordinates.ts'
import { LANGUAGES } from '#shared/language.ts'
import { text } from '#shared/text.ts'
import { PUBLIC_MODES } from './discretion.ts'
import { ServiceMoment, ServiceSchedule } from './schedule.ts'

const day = z.string().describe('YYYY-MM-DD')

export const PublicServant = z.object({
  name: z.string().nullable().describe('Null: the person did not agree to be named'),
  role: z.string(),
  contact: z.string().nullable().describe('Phone number or email address, if the person agreed'),
})
export type PublicServant = z.infer<typeof PublicServant>

/** Public view of a locale (000 §3 l.73): fields that its mode withholds are null or empty. */
export const Locale = z.object({
  id: z.uuid(),
  source_type: z.literal('locale'),
  discreet_mode: z.enum(PUBLIC_MODES),
  name: z.string(),
  common_name: z.string().nullable(),
  local_name: z.string().nullable(),
  local_address: z.string().nullable().describe('Address in the local script'),
  address: z.string().nullable().describe('Same as address_line1'),
  address_line1: z.string().nullable(),
  address_line2: z.string().nullable(),
  city: z.string().nullable(),
  state_province: z.string().nullable(),
  postal_code: z.string().nullable(),
  country: z.string().describe("English name, or 'Unknown'"),
  country_code: z.string().nullable().describe('ISO 3166-1 alpha-2'),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  website: z.string().nullable(),
  online_url: z.string().nullable(),
  has_physical_locale: z.boolean(),
  general_contact_available: z.boolean(),
  locale_status: z.literal('active'),
  languages: z.array(z.string()).describe('BCP 47'),
  timezone: z.string().nullable().describe('IANA time zone of the services'),
  closed_since: day.nullable(),
  closed_until: day.nullable(),
  closed_reason: z.string().nullable(),
  chapter_name: z.string().nullable(),
  confirmed_at: instant.nullable().describe('When someone of the locale last confirmed the details'),
  confirmed_as: z.string().nullable().describe('Role of that person'),
  servants: z.array(PublicServant),
  service_schedules: z.array(ServiceSchedule),
  photos: z.array(z.object({ url: z.string(), description: z.string() })),
})
export type Locale = z.infer<typeof Locale>

/** A locale in a search result. */
export const FoundLocale = Locale.extend({
  distance_km: z
    .number()
    .nullable()
    .describe('From the search point; for an approximate locale, to the centre of its area'),
})
export type FoundLocale = z.infer<typeof FoundLocale>

// In a separate file, so that the browser can import them without Zod.
export { DEFAULT_RADIUS_KM, RADII_KM } from './radius.ts'

/** Number of results if none lies within the radius. */
export const NEAREST_WITHOUT_RADIUS = 5

export const City = z.object({
  id: z.number().int(),
  name: z.string(),
  country_code: z.string(),
  state_province: z.string().nullable(),
  latitude: z.number(),
  longitude: z.number(),
})
export type City = z.infer<typeof City>

export const LocaleFilters = z.strictObject({
  search: text(10_000)
    .optional()
    .describe('Every word must match in name, common name, city, state or province, or address; any script'),
  country: text(100).optional().describe('ISO code, name or alias; otherwise part of a name'),
  countries: CountryCodes.optional().describe('ISO codes separated by commas: locales in any of them'),
  city: text(120).optional().describe('Part of the name'),
  state_province: text(120).optional().describe('Part of the name'),
  language: text(35).optional().describe('Language of services or people, BCP 47'),
  has_physical_building: z.stringbool().optional(),
  online: z.stringbool().optional().describe('Has online services'),
  near: text(200)
    .optional()
    .describe('City, address or church: searches near a city, otherwise in the text; lat and lng take precedence'),
  lat: latitudeInAddress.optional(),
  lng: longitudeInAddress.optional(),
  radius: radiusInAddress.optional().describe('Kilometres; needs a point'),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
})
export type LocaleFilters = z.infer<typeof LocaleFilters>

export const LocaleList = z.object({
  locales: z.array(FoundLocale),
  total: z.number().int(),
  corrected_search: z.string().nullable().describe('The search had no match; these results are for this spelling'),
  place: City.nullable().describe('The place found for `near`'),
  places: z.array(City).describe('Other places of the same name'),
  guesses: z.array(City).describe('`near` has no match; cities of a similar name. Ask the user, do not assume'),
  is_nearest: z.boolean().describe('Nothing within the radius: these are the nearest'),
})
export type LocaleList = z.infer<typeof LocaleList>

export const listLocales = endpoint({
  method: 'GET',
  path: '/public/locales',
  also: ['/functions/church-locator'],
  access: 'anyone',
  summary: 'Public, active locales by text, country, state, city, or distance from a point or place',
  query: LocaleFilters,
  response: LocaleList,
})

export const getLocale = endpoint({
  method: 'GET',
  path: '/public/locales/{id}',
  access: 'anyone',
  summary: 'One public, active locale, or null',
  params: ById,
  response: z.object({ locale: Locale.nullable() }),
})

export const countLocales = endpoint({
  method: 'GET',
  path: '/public/locales/countries',
  access: 'anyone',
  summary: 'Number of public locales per country',
  response: z.object({
    countries: z.array(
      z.object({
        country: z.string(),
        country_code: z.string().nullable(),
        locale_count: z.number().int(),
        active_count: z.number().int(),
        states: z.array(z.string()).describe('States and provinces with locales'),
      }),
    ),
    languages: z
      .array(z.string())
      .describe('Languages of the locales that publish their address, BCP 47 without region'),
  }),
})

/** Map data: one row per locale that has a point. */
export const localePoints = endpoint({
  method: 'GET',
  path: '/public/locales/points',
  access: 'anyone',
  summary: 'All public locales for a map: id, latitude, longitude, 1 if only the area is known, name',
  response: z.object({
    points: z.array(z.tuple([z.string(), z.number(), z.number(), z.union([z.literal(0), z.literal(1)]), z.string()])),
  }),
})

export const localeServices = endpoint({
  method: 'GET',
  path: '/public/locales/services',
  access: 'anyone',
  summary: 'Next services of some locales, starting with one in progress',
  query: z.strictObject({
    ids: z
      .string()
      .transform((list) => list.split(','))
      .pipe(z.array(z.uuid()).min(1).max(100))
      .describe('Ids separated by commas'),
    days: z.coerce.number().int().min(1).max(60).default(14).describe('How far ahead'),
  }),
  response: z.object({ services: z.record(z.string(), z.array(ServiceMoment)) }),
})

export const CityLabel = z.object({ name: z.string(), latitude: z.number(), longitude: z.number() })
export type CityLabel = z.infer<typeof CityLabel>

export const labelCities = endpoint({
  method: 'GET',
  path: '/public/cities/labels',
  access: 'anyone',
  summary:
    'Names of the largest cities in a part of the world, for a map; if west is greater than east it crosses 180°',
  query: z.strictObject({
    south: latitudeInAddress,
    north: latitudeInAddress,
    west: longitudeInAddress,
    east: longitudeInAddress,
    language: z.enum(LANGUAGES).default('en'),
    limit: z.coerce.number().int().min(1).max(100).default(40),
  }),
  response: z.object({ labels: z.array(CityLabel) }),
})

export const searchCities = endpoint({
  method: 'GET',
  path: '/public/cities',
  access: 'anyone',
  summary: 'Places that start with this text, largest first',
  query: z.strictObject({
    search: text(200).pipe(z.string().min(1, 'Give at least one letter.')),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'Give the two-letter ISO code.')
      .optional(),
    limit: z.coerce.number().int().min(1).max(50).default(8),
  }),
  response: z.object({ cities: z.array(City) }),
})
