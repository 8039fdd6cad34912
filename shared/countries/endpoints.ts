import * as z from 'zod'
import {
  Advisory,
  AdvisorySource,
  AdvisoryVersion,
  hasReadSources,
  TimelineEvent,
} from '#shared/advisories/endpoints.ts'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'

export const CountryEntry = z.object({
  code: z.string(),
  name: z.string(),
  fullName: z.string(),
  names: z.object({ ar: z.string(), tl: z.string().optional() }),
  localNames: z.array(z.string()),
  region: z.string(),
  subregion: z.string(),
  flag: z.string(),
  capital: z.string(),
  languages: z.array(z.string()),
  currency: z.object({ code: z.string(), name: z.string() }).nullable(),
  timeZones: z.array(z.string()),
  coordinates: z.object({ latitude: z.number(), longitude: z.number() }),
  aliases: z.array(z.string()),
})

const CountryWithLevel = CountryEntry.extend({
  severity_level: z
    .enum(SEVERITIES)
    .nullable()
    .describe('Most serious advisory in force; null does not mean that it is safe'),
  advisory_count: z.number().int(),
})
export type CountryWithLevel = z.infer<typeof CountryWithLevel>

export const searchCountries = endpoint({
  method: 'GET',
  path: '/public/countries',
  access: 'anyone',
  summary: 'Countries by name, alias, code or local name in any script; all of them without a search',
  query: z.strictObject({
    search: text(100).optional(),
    limit: z.coerce.number().int().min(1).max(300).default(20),
  }),
  response: z.object({
    countries: z.array(CountryWithLevel),
    total: z.number().int(),
    is_guess: z.boolean().describe('No exact match; these have a similar spelling. Ask the user, do not assume'),
    has_read_sources: hasReadSources,
  }),
})

/** What one source says about one country. */
export const SourceOnCountry = z.object({ source: AdvisorySource, advisories: z.array(Advisory) })
export type SourceOnCountry = z.infer<typeof SourceOnCountry>

export const getCountry = endpoint({
  method: 'GET',
  path: '/public/countries/{code}',
  access: 'anyone',
  summary: 'What the portal knows about one country: each source in its own wording, changes and freshness',
  params: z.strictObject({ code: z.string().regex(/^[A-Za-z]{2}$/, 'Give the two-letter ISO code.') }),
  query: z.strictObject({
    events: z.coerce.number().int().min(1).max(1000).default(30).describe('How many events of the timeline'),
  }),
  response: z.object({
    country: CountryEntry,
    has_read_sources: hasReadSources,
    highest: z.enum(SEVERITIES).nullable(),
    sources: z.array(SourceOnCountry),
    changes: z.array(AdvisoryVersion.extend({ advisory_id: z.uuid(), source_organization: z.string() })),
    timeline: z
      .array(TimelineEvent)
      .describe('New, changed and ended advisories, newest first; includes those no longer in force'),
    timeline_total: z.number().int(),
    timeline_since: instant.nullable().describe('The oldest event; null without any'),
  }),
})
