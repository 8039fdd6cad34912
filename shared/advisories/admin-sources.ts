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
  next_attempt_at: instant.nullable().describe('Null where nothing is fetched by itself'),
  is_running: z.boolean(),
  pending_count: count.describe('Lower levels of it that are not believed yet'),
  last_run: FeedRun.nullable(),
  mapping: SourceMapping.nullable(),
  retired_at: instant.nullable().describe('Removed by an administrator; its history stays'),
  in_force: count.describe('Its advisories in force; removing the source withdraws them'),
  definition: z.string().describe('Stands for what the source is and how it is read; given back with a change of that'),
  made_from: z.string().describe('What the form shows, to be given back with a change'),
})
export type ManagedSource = z.infer<typeof ManagedSource>

export const listManagedSources = endpoint({
  ...manages,
  method: 'GET',
  path: '/admin/travel-advisories/sources',
  summary: 'Every source with its state, its settings and its last run',
  response: z.object({ sources: z.array(ManagedSource) }),
})

const SourceId = z.strictObject({ source: text(60) })

export const getManagedSource = endpoint({
  ...manages,
  method: 'GET',
  path: '/admin/travel-advisories/sources/{source}',
  summary: 'One source with its last runs; of the latest also what was refused and what did not resolve',
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
  summary: 'Switches a source on or off, and says how often it is asked and how short its list may be',
  params: SourceId,
  body: z.strictObject({
    made_from: text(60),
    is_enabled: z.boolean(),
    auto_notify: z.boolean().optional().describe('Whether its new advisories are announced'),
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
  proof: text(100).describe('From a preview of this reader, address and mapping'),
})
const hasMapping = ({ reader, mapping }: z.infer<typeof Reading>) => isMapped(reader) === (mapping !== null)
const MAPPING_NEEDED = { path: ['mapping'], error: 'Only the mapped readers take a mapping, and they need one' }

export const previewSource = endpoint({
  ...manages,
  method: 'POST',
  path: '/admin/travel-advisories/source-preview',
  summary: 'Reads a document as a source would be read, and shows what would be taken in; writes nothing',
  body: Reading.extend({
    document: z
      .string()
      .max(4_000_000, 'The document is larger than 4 MB')
      .optional()
      .describe('Read instead of the address'),
  }).refine(hasMapping, MAPPING_NEEDED),
  response: z.object({
    problem: z.string().nullable().describe('Why nothing can be taken in'),
    readers: z.array(z.enum(SOURCE_READERS)).describe('Where it cannot be read: the readers that would take it'),
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
    follow: count.describe('Pages that would be read as well'),
    proof: z.string().nullable().describe('Needed to save; null where it must not be saved like this'),
  }),
})

export const createSource = endpoint({
  ...manages,
  method: 'POST',
  path: '/admin/travel-advisories/sources',
  status: 201,
  summary: 'Adds a source; it is read with the next round',
  body: SourceDefinition.extend({
    id: z.string().regex(/^[a-z0-9-]{2,60}$/, 'Use 2 to 60 lower-case letters, numbers and hyphens'),
  }).refine(hasMapping, MAPPING_NEEDED),
  response: z.object({ source: ManagedSource }),
})

export const changeSource = endpoint({
  ...manages,
  method: 'PUT',
  path: '/admin/travel-advisories/sources/{source}',
  summary: 'Changes what a source is and how it is read',
  params: SourceId,
  body: SourceDefinition.extend({ definition: text(60) }).refine(hasMapping, MAPPING_NEEDED),
  response: z.object({ source: ManagedSource }),
})

export const removeSource = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/admin/travel-advisories/sources/{source}',
  summary: 'Removes a source: it is not read any more and its advisories are withdrawn; their history stays',
  params: SourceId,
  body: z.strictObject({
    in_force: z.int().min(0).describe('How many of its advisories were in force when you looked'),
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
  summary: 'Says which country a name means, from now on and for all advisories that carry it',
  body: z.strictObject({
    name: text(200).min(1, 'This field is required'),
    country: text(100).min(1, 'Choose a country').describe('ISO code or name'),
  }),
  response: z.object({ country_code: z.string(), resolved: count.describe('Advisories that found a country') }),
})

export const listAliases = endpoint({
  ...manages,
  method: 'GET',
  path: '/admin/travel-advisories/aliases',
  summary: 'The names that administrators have resolved',
  response: z.object({ aliases: z.array(CountryAlias) }),
})

export const removeAlias = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/admin/travel-advisories/aliases/{alias}',
  summary: 'Takes a name back; advisories that had their country by it lose it when their source is next read',
  params: z.strictObject({ alias: text(200) }),
  response: Removed,
})
