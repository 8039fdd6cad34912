import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { latitudeInAddress, longitudeInAddress, radiusInAddress } from '#shared/coordinates.ts'
import { text } from '#shared/text.ts'
import { DEFAULT_RADIUS_KM, type FoundLocale, PublicServant } from './endpoints.ts'
import type { PublicChapter } from './public-chapters.ts'

/** A church as the assistant and the panels show it (LOC-DATA-12): a locale, or a chapter. */
export const Church = z.object({
  id: z.uuid(),
  source_type: z.enum(['locale', 'chapter']),
  name: z.string(),
  address: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  country: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  distance_km: z.number().nullable(),
  serviceSchedules: z.array(
    z.object({
      day: z.string().nullable().describe('Null if a rule is given'),
      time: z.string().describe('HH:MM, local time'),
      type: z.string(),
    }),
  ),
  servants: z.array(PublicServant).describe('Servants who agreed to be named'),
})
export type Church = z.infer<typeof Church>

export const listChurches = endpoint({
  method: 'GET',
  path: '/public/churches',
  access: 'anyone',
  summary: 'Locales and chapters by text or near a point; tolerates typing errors',
  query: z.strictObject({
    search: text(10_000).optional(),
    country: text(100).optional().describe('ISO code, name or alias; otherwise part of a name'),
    lat: latitudeInAddress.optional(),
    lng: longitudeInAddress.optional(),
    radius: radiusInAddress.default(DEFAULT_RADIUS_KM).describe('Kilometres; needs a point'),
    limit: z.coerce.number().int().min(1).max(50).default(10),
  }),
  response: z.object({
    churches: z.array(Church),
    corrected_search: z.string().nullable().describe('The search had no match; these results are for this spelling'),
    is_nearest: z.boolean().describe('Nothing within the radius: these are the nearest'),
  }),
})

export function churchOfLocale(locale: FoundLocale): Church {
  return {
    id: locale.id,
    source_type: 'locale',
    name: locale.name,
    address: locale.address,
    city: locale.city,
    state: locale.state_province,
    country: locale.country,
    phone: locale.phone,
    email: locale.email,
    latitude: locale.latitude,
    longitude: locale.longitude,
    distance_km: locale.distance_km,
    serviceSchedules: locale.service_schedules.map(({ day, time, service_type }) => ({
      day,
      time,
      type: service_type,
    })),
    servants: locale.servants.filter(({ name }) => name !== null),
  }
}

export function churchOfChapter(chapter: PublicChapter): Church {
  return {
    id: chapter.id,
    source_type: 'chapter',
    name: chapter.chapter_name,
    address: null,
    city: chapter.city,
    state: chapter.state_province,
    country: chapter.country,
    phone: null,
    email: null,
    latitude: chapter.latitude,
    longitude: chapter.longitude,
    distance_km: chapter.distance_km,
    serviceSchedules: [],
    servants: [],
  }
}
