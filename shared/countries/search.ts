import * as z from 'zod'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'

const CountryName = z.object({
  code: z.string(),
  name: z.string(),
  names: z.object({ ar: z.string(), tl: z.string().optional() }),
})
const level = z
  .enum(SEVERITIES)
  .nullable()
  .describe('Most serious advisory in force for the country; null does not mean that it is safe')

/** A country, a city or a church. Of churches only those that publish their address. */
export const SearchResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('country'), country: CountryName, severity_level: level }),
  z.object({
    kind: z.literal('city'),
    id: z.number().int(),
    name: z.string(),
    state_province: z.string().nullable(),
    country: CountryName.nullable(),
    latitude: z.number(),
    longitude: z.number(),
    severity_level: level,
  }),
  z.object({
    kind: z.literal('church'),
    id: z.uuid(),
    name: z.string(),
    city: z.string().nullable(),
    country: CountryName.nullable(),
    next: z
      .object({ starts_at: z.string().describe('ISO 8601 instant'), in_progress: z.boolean(), timezone: z.string() })
      .nullable()
      .describe('The next service; null: none known within two weeks'),
  }),
])
export type SearchResult = z.infer<typeof SearchResult>

/** Results of one kind. */
export const MAX_RESULTS = 20

export const searchEverything = endpoint({
  method: 'GET',
  path: '/public/search',
  access: 'anyone',
  summary: 'Countries, cities and churches by name, the likeliest first',
  query: z.strictObject({
    search: text(100).pipe(z.string().min(1, 'Give at least one letter.')),
    limit: z.coerce.number().int().min(1).max(MAX_RESULTS).default(5).describe('Results of each kind'),
  }),
  response: z.object({
    results: z.array(SearchResult),
    is_guess: z.boolean().describe('No match; these have a similar spelling. Ask the user, do not assume'),
    churches_total: z.number().int().describe('Matching churches that publish their address'),
  }),
})
