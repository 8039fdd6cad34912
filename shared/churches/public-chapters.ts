import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { latitudeInAddress, longitudeInAddress, radiusInAddress } from '#shared/coordinates.ts'
import { text } from '#shared/text.ts'
import { DEFAULT_RADIUS_KM } from './endpoints.ts'

/** Public view of a chapter: by city, to a tenth of a degree, and without its contact. */
export const PublicChapter = z.object({
  id: z.uuid(),
  chapter_name: z.string(),
  city: z.string().nullable(),
  state_province: z.string().nullable(),
  country: z.string().describe("English name, or 'Unknown'"),
  country_code: z.string().nullable(),
  languages_available: z.array(z.string()),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  distance_km: z.number().nullable().describe('From the search point'),
})
export type PublicChapter = z.infer<typeof PublicChapter>

export const ChapterFilters = z.strictObject({
  search: text(10_000).optional().describe('Every word must match in the name, city, or state or province'),
  country: text(100).optional().describe('ISO code, name or alias; otherwise part of a name'),
  lat: latitudeInAddress.optional(),
  lng: longitudeInAddress.optional(),
  radius: radiusInAddress.default(DEFAULT_RADIUS_KM).describe('Kilometres; needs a point'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type ChapterFilters = z.infer<typeof ChapterFilters>

export const listPublicChapters = endpoint({
  method: 'GET',
  path: '/public/chapters',
  access: 'anyone',
  summary: 'Chapters by text, country, or distance from a point',
  query: ChapterFilters,
  response: z.object({ chapters: z.array(PublicChapter) }),
})
