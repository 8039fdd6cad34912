import * as z from 'zod'
import { instant, Removed } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'
import { AdvisorySource } from './endpoints.ts'
import { isMapped, SOURCE_READERS, SourceMapping } from './mapping.ts'
import { ADVISORY_TYPES, SEVERITIES } from './severity.ts'

const manages = { access: 'manageAdvisories' } as const
const count = z.number().int()

export const FeedRun = z.object({
  id: z.uuid(),
  started_at: instant,
  finished_at: instant.nullable(),
  cause: z.enum(['schedule', 'manual', 'file', 'sample']),
  status: z.enum(['running', 'ok', 'unchanged', 'failed', 'refused']),
  fetched: count,
  added: count,
  updated: count,
  unchanged: count,
  missing: count,
  unresolved_count: count,
  refused_count: count,
  error: z.string().nullable(),
})
export type FeedRun = z.infer<typeof FeedRun>

export const ManagedSource = AdvisorySource.extend({
  reader: z.string(),
  minimum_items: count,
  auto_notify: z.boolean(),
  next_attempt_at: instant.nullable().describe('Null if nothing is fetched automatically'),
  is_running: z.boolean(),
  pending_count: count.describe('Lower levels that are not accepted yet'),
  last_run: FeedRun.nullable(),
  mapping: SourceMapping.nullable(),
  retired_at: instant.nullable().describe('Removed by an administrator; its history is kept'),
  in_force: count.describe('Number of its advisories in force; they are withdrawn when the source is removed'),
  definition: z.string().describe('Version of the definition of the source; send it back when you change it'),
  made_from: z.string().describe('Values of the form; send them back with a change'),
})
export type ManagedSource = z.infer<typeof ManagedSource>

export const listManagedSources = endpoint({
  ...manages,
  method: 'GET',
  path: '/admin/travel-advisories/sources',
  summary: 'All sources with status, settings and last run',
  response: z.object({ sources: z.array(ManagedSource) }),
})

const SourceId = z.strictObject({ source: text(60) })

export const getManagedSource = endpoint({
  ...manages,
  method: 'GET',
  path: '/admin/travel-advisories/sources/{source}',
  summary: 'One source with its last runs; for the latest run also rejected entries and unresolved names',
  params: SourceId,
  response: z.object({
    source: ManagedSource,
    runs: z.array(FeedRun),
    refused: z.array(z.object({ item: z.string(), reason: z.string() })),
    unresolved: z.array(z.object({ item: z.string(), name: z.string() })),
  }),
})

const whole = (least: number, max: number) =>
  z.int('Enter a whole number').min(least, `Must be at least ${least}`).max(max, `Must be at most ${max}`)

export const updateSource = endpoint({
  ...manages,
  method: 'PATCH',
  path: '/admin/travel-advisories/sources/{source}',
  summary: 'Turns a source on or off, and sets its interval and minimum number of entries',
  params: SourceId,
  body: z.strictObject({
    made_from: text(60),
    is_enabled: z.boolean(),
    auto_notify: z.boolean().optional().describe('Whether new advisories are announced'),
    interval_seconds: whole(60, 86_400),
    minimum_items: whole(0, 100_000),
  }),
  response: z.object({ source: ManagedSource }),
})

const webAddress = text(500).regex(/^https:\/\/[^\s/]+\S*$/, 'Enter a web address that starts with https://')

/** Determines which document is read, and how. A preview uses exactly these fields. */
const Reading = z.strictObject({
  reader: z.enum(SOURCE_READERS),
  url: webAddress,
  homepage: webAddress,
  mapping: SourceMapping.nullable(),
  minimum_items: whole(0, 100_000),
})
export type SourceReading = z.infer<typeof Reading>

const SourceDefinition = Reading.extend({
  name: text(100).min(1, 'Enter a name'),
  organization: text(200).min(1, 'Enter the organisation'),
  country_code: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Choose a country')
    .nullable(),
  language: SourceMapping.shape.language,
  licence: text(500).min(1, 'Enter the terms of use for its texts'),
  licence_url: webAddress.nullable(),
  interval_seconds: whole(60, 86_400),
  auto_notify: z.boolean(),
  proof: text(100).describe('From a preview with the same reader, URL and mapping'),
})
const hasMapping = ({ reader, mapping }: z.infer<typeof Reading>) => isMapped(reader) === (mapping !== null)
const MAPPING_NEEDED = { path: ['mapping'], error: 'Only the mapped readers take a mapping, and they need one' }

export const previewSource = endpoint({
  ...manages,
  method: 'POST',
  path: '/admin/travel-advisories/source-preview',
  summary: 'Reads a document as a source would and shows what would be imported; writes nothing',
  body: Reading.extend({
    document: z
      .string()
      .max(4_000_000, 'The document is larger than 4 MB')
      .optional()
      .describe('Document to read instead of the URL'),
  }).refine(hasMapping, MAPPING_NEEDED),
  response: z.object({
    problem: z.string().nullable().describe('Why nothing can be imported'),
    readers: z.array(z.enum(SOURCE_READERS)).describe('If the document cannot be read: readers that accept it'),
    total: count,
    entries: z.array(
      z.object({
        title: z.string(),
        countries: z.array(z.string()),
        unresolved: z.array(z.string()),
        severity_level: z.enum(SEVERITIES),
        advisory_type: z.enum(ADVISORY_TYPES),
        wording: z.string(),
        description: z.string(),
        source_url: z.string(),
        last_updated: instant,
        date_precision: z.enum(['day', 'minute']),
      }),
    ),
    refused_total: count,
    refused: z.array(z.object({ item: z.string(), reason: z.string() })),
    unresolved: z.array(z.string()),
    levels: z.array(z.object({ value: z.string(), count, severity: z.enum(SEVERITIES).nullable() })),
    follow: count.describe('Linked pages that would be read too'),
    proof: z.string().nullable().describe('Required to save; null if the source cannot be saved like this'),
  }),
})

export const createSource = endpoint({
  ...manages,
  method: 'POST',
  path: '/admin/travel-advisories/sources',
  status: 201,
  summary: 'Adds a source; it is read in the next run',
  body: SourceDefinition.extend({
    id: z.string().regex(/^[a-z0-9-]{2,60}$/, 'Use 2 to 60 lower-case letters, numbers and hyphens'),
  }).refine(hasMapping, MAPPING_NEEDED),
  response: z.object({ source: ManagedSource }),
})

export const changeSource = endpoint({
  ...manages,
  method: 'PUT',
  path: '/admin/travel-advisories/sources/{source}',
  summary: 'Changes the definition of a source',
  params: SourceId,
  body: SourceDefinition.extend({ definition: text(60) }).refine(hasMapping, MAPPING_NEEDED),
  response: z.object({ source: ManagedSource }),
})

export const removeSource = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/admin/travel-advisories/sources/{source}',
  summary: 'Removes a source: it is no longer read and its advisories are withdrawn; their history is kept',
  params: SourceId,
  body: z.strictObject({
    in_force: z.int().min(0).describe('Number of its advisories in force that you saw'),
    reason: text(500).min(1, 'Enter a reason'),
  }),
  response: z.object({ removed: z.literal(true), withdrawn: count }),
})

/** A country name that an administrator mapped to a code. */
export const CountryAlias = z.object({ alias: z.string(), country_code: z.string(), created_at: instant })
export type CountryAlias = z.infer<typeof CountryAlias>

export const resolveName = endpoint({
  ...manages,
  method: 'POST',
  path: '/admin/travel-advisories/unresolved',
  summary: 'Maps a name to a country, for existing and future advisories',
  body: z.strictObject({
    name: text(200).min(1, 'This field is required'),
    country: text(100).min(1, 'Choose a country').describe('ISO code or name'),
  }),
  response: z.object({ country_code: z.string(), resolved: count.describe('Number of advisories that got a country') }),
})

export const listAliases = endpoint({
  ...manages,
  method: 'GET',
  path: '/admin/travel-advisories/aliases',
  summary: 'Names resolved by administrators',
  response: z.object({ aliases: z.array(CountryAlias) }),
})

export const removeAlias = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/admin/travel-advisories/aliases/{alias}',
  summary: 'Removes a name mapping; affected advisories lose the country when their source is next read',
  params: z.strictObject({ alias: text(200) }),
  response: Removed,
})
