import * as z from 'zod'
import { ById, CountryCodes, instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { LANGUAGES } from '#shared/language.ts'
import { text } from '#shared/text.ts'
import { SOURCE_READINGS } from './freshness.ts'
import { SEVERITIES } from './severity.ts'
import { TIMELINE_KINDS } from './timeline.ts'

/** Included in every response that may be empty. */
export const hasReadSources = z
  .boolean()
  .describe('False until a source has been read: an empty list then means that nothing is known yet')

/** Changes between two versions of an advisory, one entry per field, worded in the reader's language. */
export const AdvisoryChange = z.object({
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type AdvisoryChange = z.infer<typeof AdvisoryChange>

export const AdvisoryVersion = z.object({
  version: z.number().int(),
  recorded_at: instant,
  last_updated: instant,
  date_precision: z.enum(['day', 'minute']),
  severity_level: z.enum(SEVERITIES),
  title: z.string(),
  original_wording: z.string(),
  description: z.string(),
  changes: z.array(AdvisoryChange),
})
export type AdvisoryVersion = z.infer<typeof AdvisoryVersion>

export const Advisory = z.object({
  id: z.uuid(),
  title: z.string(),
  description: z.string(),
  detailed_information: z.string().nullable().describe('Sanitised HTML'),
  severity_level: z.enum(SEVERITIES),
  advisory_type: z.string(),
  affected_countries: z
    .array(z.string())
    .describe('Names in English, in the order of country_codes, followed by unresolved names'),
  country_codes: z.array(z.string()).describe('ISO 3166-1 alpha-2'),
  unresolved_countries: z.array(z.string()).describe('Names from the source that match no country'),
  affected_regions: z.array(z.string()),
  affected_cities: z.array(z.string()),
  recommendations: z.array(z.string()),
  source_id: z.string(),
  source_organization: z.string(),
  source_url: z.string(),
  language: z.string().describe('Language of the text, BCP 47'),
  original_level: z.string().nullable(),
  original_wording: z.string(),
  national_alert_level: z.number().int().min(1).max(4).nullable(),
  effective_date: instant.nullable(),
  expiry_date: instant.nullable(),
  last_updated: instant.describe('Time of change according to the source'),
  date_precision: z.enum(['day', 'minute']).describe('day: the source gives no time'),
  version: z.number().int(),
  changed_at: instant
    .nullable()
    .describe('When the portal recorded the latest change; null if there is only one version'),
  created_at: instant,
  updated_at: instant,
  missing_since: instant.nullable().describe('Missing from the source since then'),
  captured_on: z
    .string()
    .nullable()
    .describe('Date of the copy this was read from; null if read from the source itself'),
  pending_severity_level: z
    .enum(SEVERITIES)
    .nullable()
    .describe('Lower level shown by the source but not accepted yet; severity_level stays in force'),
  pending_wording: z.string().nullable(),
  pending_since: instant.nullable(),
  pending_reason: z
    .enum(['no_text', 'two_levels', 'same_date', 'mass'])
    .nullable()
    .describe('mass: the source lowered very many levels at once; only an administrator can accept it'),
  is_active: z.boolean(),
  is_urgent: z.boolean(),
  urgent_by_portal: z.boolean().describe('Marked as urgent by the portal, not by its source'),
  auto_notify: z.boolean(),
  acknowledgment_count: z.number().int(),
  last_acknowledged_at: instant.nullable(),
})
export type Advisory = z.infer<typeof Advisory>

export const TimelineEvent = z.object({
  id: z.string().describe('Stable within the advisory'),
  kind: z.enum(TIMELINE_KINDS),
  advisory_id: z.uuid(),
  source_id: z.string(),
  source_organization: z.string(),
  title: z.string(),
  language: z.string(),
  at: instant,
  date_precision: z.enum(['day', 'minute']),
  recorded_at: instant,
  before: z.enum(SEVERITIES).nullable(),
  after: z.enum(SEVERITIES).nullable(),
  wording: z.string(),
  captured_on: z.string().nullable(),
  changes: z.array(AdvisoryChange),
})

const SOURCE_STATES = ['confirmed', 'not_confirmed', 'captured', 'manual', 'off'] as const

export const AdvisorySource = z.object({
  id: z.string(),
  name: z.string(),
  organization: z.string(),
  authority: z.string().describe('Shared by all feeds of one authority'),
  country_code: z.string().nullable(),
  homepage: z.string(),
  url: z.string().nullable(),
  language: z.string(),
  licence: z.string(),
  licence_url: z.string().nullable(),
  interval_seconds: z.number().int(),
  is_enabled: z.boolean(),
  last_attempt_at: instant.nullable(),
  last_success_at: instant.nullable(),
  last_change_at: instant.nullable(),
  item_count: z.number().int(),
  error: z.string().nullable(),
  captured_on: z.string().nullable(),
  state: z.enum(SOURCE_STATES),
  reading: z
    .enum(SOURCE_READINGS)
    .describe('not_read, failed: never read, so nothing is known; copy: a dated copy, not re-checked'),
  not_confirmed_since: instant.nullable(),
})
export type AdvisorySource = z.infer<typeof AdvisorySource>

const SeverityList = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.array(z.enum(SEVERITIES)).max(SEVERITIES.length))
  .describe(`One of ${SEVERITIES.join(', ')}, or several separated by commas`)

export const AdvisoryFilters = z.strictObject({
  search: text(200).optional().describe('Search in title, description and country; every word must match'),
  country: text(100).optional().describe('ISO code, name or alias'),
  countries: CountryCodes.optional().describe('ISO codes separated by commas: advisories for any of them'),
  severity_level: SeverityList.optional(),
  advisory_type: text(40).optional(),
  source: text(60).optional(),
  urgent: z.stringbool().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
})
export type AdvisoryFilters = z.infer<typeof AdvisoryFilters>

export const listAdvisories = endpoint({
  method: 'GET',
  path: '/public/travel-advisories',
  also: ['/travel-advisories'],
  access: 'anyone',
  summary: 'Advisories in force: urgent first, then by severity, then newest first',
  query: AdvisoryFilters,
  response: z.object({
    advisories: z.array(Advisory),
    total: z.number().int().describe('Number of matching advisories, before limit and offset'),
    limit: z.number().int(),
    offset: z.number().int(),
    has_read_sources: hasReadSources,
  }),
})

export const getAdvisory = endpoint({
  method: 'GET',
  path: '/travel-advisories/{id}',
  also: ['/public/travel-advisories/{id}'],
  access: 'anyone',
  summary: 'One advisory with its versions, even if it is no longer in force',
  params: ById,
  response: z.object({ advisory: Advisory, versions: z.array(AdvisoryVersion), related: z.array(Advisory) }),
})

export const AdvisoryStatistics = z.object({
  total: z.number().int(),
  active: z.number().int(),
  urgent: z.number().int(),
  by_severity: z.record(z.enum(SEVERITIES), z.number().int()),
  by_type: z.record(z.string(), z.number().int()),
  by_country: z.record(z.string(), z.number().int()),
  last_updated: instant.nullable(),
  has_read_sources: hasReadSources,
})
export type AdvisoryStatistics = z.infer<typeof AdvisoryStatistics>

export const getAdvisoryStatistics = endpoint({
  method: 'GET',
  path: '/public/travel-advisories/statistics',
  access: 'anyone',
  summary: 'Counts of advisories in force',
  response: AdvisoryStatistics,
})

const CountryLevel = z.object({
  code: z.string(),
  severity_level: z.enum(SEVERITIES),
  is_confirmed: z.boolean().describe('Whether a source of this level is confirmed now'),
})
export type CountryLevel = z.infer<typeof CountryLevel>

export const listCountryLevels = endpoint({
  method: 'GET',
  path: '/public/travel-advisories/levels',
  access: 'anyone',
  summary: 'Countries with an advisory in force and the most serious level of each; a country not listed may be unsafe',
  response: z.object({ countries: z.array(CountryLevel), has_read_sources: hasReadSources }),
})

export const listAdvisorySources = endpoint({
  method: 'GET',
  path: '/public/travel-advisories/sources',
  access: 'anyone',
  summary: 'All sources: when each was last reached and last changed, and whether it is confirmed now',
  response: z.object({ sources: z.array(AdvisorySource) }),
})

/** Ticker items, already cleaned, ordered and truncated, so that the bar needs no rules of its own. */
export const TickerItem = z.object({
  id: z.uuid(),
  severity_level: z.enum(SEVERITIES),
  is_urgent: z.boolean(),
  text: z.string(),
  language: z.string().describe('Language of the text, BCP 47'),
  country_codes: z.array(z.string()),
  confirmed: z.boolean(),
})
export type TickerItem = z.infer<typeof TickerItem>

export const getTicker = endpoint({
  method: 'GET',
  path: '/public/ticker',
  access: 'anyone',
  summary: 'Latest advisories for the ticker, and the sources that are not confirmed',
  query: z.strictObject({
    limit: z.coerce.number().int().min(1).max(50).default(24),
    lng: z.enum(LANGUAGES).default('en').describe('Language of the standard phrases of sources'),
  }),
  response: z.object({
    items: z.array(TickerItem),
    not_confirmed: z.array(z.string()),
    has_read_sources: hasReadSources,
  }),
})

export const FetchStats = z.object({
  total_fetched: z.number().int(),
  saved_to_database: z.number().int(),
  added: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  missing: z.number().int().describe('No longer listed by the source; kept and marked'),
  unresolved: z.array(z.object({ item: z.string(), name: z.string() })),
  refused: z.array(z.object({ item: z.string(), reason: z.string() })),
})
export type FetchStats = z.infer<typeof FetchStats>

export const refreshAdvisories = endpoint({
  method: 'POST',
  path: '/travel-advisories/refresh',
  access: 'anyone',
  summary: 'Reads the advisories again, bypassing all caches; sources are fetched by schedule',
  response: z.object({ fetchStats: FetchStats, last_refreshed: instant }),
})

export const fetchFeeds = endpoint({
  method: 'POST',
  path: '/functions/travel-advisories-fetch',
  also: ['/travel-advisories/fetch'],
  access: 'manageAdvisories',
  summary: 'Fetches the sources now',
  body: z.strictObject({ source: text(60).optional() }).default({}),
  response: z.object({
    stats: FetchStats.extend({ advisories_fetched: z.number().int(), advisories_saved: z.number().int() }),
    runs: z.array(
      z.object({
        source: z.string(),
        status: z.enum(['ok', 'unchanged', 'failed', 'refused', 'skipped']),
        error: z.string().nullable(),
        fetchStats: FetchStats,
      }),
    ),
  }),
})

export const listUnresolvedNames = endpoint({
  method: 'GET',
  path: '/admin/travel-advisories/unresolved',
  access: 'manageAdvisories',
  summary: 'Country names from sources that match no country, with their advisories',
  response: z.object({
    names: z.array(
      z.object({
        name: z.string(),
        source_id: z.string(),
        advisory_ids: z.array(z.uuid()),
        suggestions: z.array(z.object({ code: z.string(), name: z.string() })).describe('Countries it may stand for'),
      }),
    ),
  }),
})

export const acknowledgeAdvisory = endpoint({
  method: 'POST',
  path: '/travel-advisories/{id}/acknowledge',
  access: 'signedIn',
  summary: 'Acknowledges this version of the advisory; counted once per user',
  params: ById,
  response: z.object({ acknowledged_at: instant }),
})
