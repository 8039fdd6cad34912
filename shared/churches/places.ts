import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'

/** Number of cities in the list that supports searching near a city. */
export const CITY_COUNT = 135_233

/** A Google place near the search location. It is not one of our locales. */
export const FoundPlace = z.object({
  id: z.string().describe("Google's id"),
  name: z.string(),
  address: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  phone: z.string().nullable(),
  website: z.string().nullable(),
  url: z.string().nullable().describe('URL on Google Maps'),
})
export type FoundPlace = z.infer<typeof FoundPlace>

export const searchGooglePlaces = endpoint({
  method: 'POST',
  path: '/google-places-search',
  also: ['/functions/google-places-search'],
  access: 'anyone',
  summary: 'Churches from Google Places; empty without an API key',
  body: z.strictObject({
    query: text(200).pipe(z.string().min(1, 'Give at least one letter.')),
    type: z
      .string()
      .regex(/^[a-z_]{1,50}$/, 'Give a type as Google names it.')
      .default('church'),
    limit: z.int().min(1).max(20).default(10),
  }),
  response: z.object({ places: z.array(FoundPlace) }),
})
