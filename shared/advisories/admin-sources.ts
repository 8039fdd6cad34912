import * as z from 'zod'
import { endpoint } from '../contract.ts'
import { instant, Removed } from '../parts.ts'
import { text } from '../text.ts'
import { AdvisorySource } from './endpoints.ts'

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

const whole = (least: number, most: number) =>
  z.int('Enter a whole number').min(least, `Must be at least ${least}`).max(most, `Must be at most ${most}`)

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

/** A name that an administrator has said the meaning of. */
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
