import * as z from 'zod'
import { ById, Deleted, instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { sortBy, TABLE_ANSWER, TABLE_QUERY } from '#shared/table.ts'
import { text } from '#shared/text.ts'
import { AdvisoryText } from './advisory-text.ts'
import { Readers } from './announcements.ts'
import { Advisory, AdvisoryChange, AdvisoryVersion } from './endpoints.ts'
import { AdvisoryEntry } from './entry.ts'
import { ADVISORY_TYPES, SEVERITIES } from './severity.ts'

/** Publication state derived from the advisory's own fields. 'unreal' is an exercise or test of its source. */
export const STANDINGS = ['in_force', 'missing', 'draft', 'expired', 'withdrawn', 'ended', 'unreal'] as const
export type PublicationState = (typeof STANDINGS)[number]

/**
 * Why an advisory in force is missing from the public list. 'duplicate': duplicate of another feed of the same authority.
 */
const REMOVALS = ['test', 'system', 'source', 'duplicate'] as const

export const ManagedAdvisory = z.object({
  id: z.uuid(),
  title: z.string(),
  language: z.string(),
  severity_level: z.enum(SEVERITIES),
  advisory_type: z.string(),
  is_urgent: z.boolean(),
  source_id: z.string(),
  source_name: z.string(),
  country_codes: z.array(z.string()),
  country_count: z.number().int(),
  standing: z.enum(STANDINGS),
  removal: z.enum(REMOVALS).nullable(),
  is_written_here: z.boolean().describe('Written by administrators; otherwise read from its source'),
  version: z.number().int(),
  last_updated: instant,
  date_precision: z.enum(['day', 'minute']),
  expiry_date: instant.nullable(),
  updated_at: instant,
})
export type ManagedAdvisory = z.infer<typeof ManagedAdvisory>

const MANAGED_SORTS = ['title', 'severity', 'source', 'last_updated', 'updated_at', 'expiry_date'] as const

export const ManagedQuery = z.strictObject({
  ...TABLE_QUERY,
  sort: sortBy(MANAGED_SORTS, '-last_updated'),
  severity_level: z.enum(SEVERITIES).optional(),
  type: z.enum(ADVISORY_TYPES).optional(),
  source: text(60).optional(),
  status: z.enum([...STANDINGS, 'not_shown', 'pending_level']).optional(),
})
export type ManagedQuery = z.output<typeof ManagedQuery>

const manages = { access: 'manageAdvisories' } as const
/** Version the caller has seen: if the advisory changed since then, the request fails with 409. */
const made_from = z.iso.datetime().describe('`updated_at` of the advisory when the form was loaded')
const reason = text(500).default('')

export const listManagedAdvisories = endpoint({
  ...manages,
  method: 'GET',
  path: '/admin/travel-advisories',
  summary: 'All advisories with their publication state, including those that are not public',
  query: ManagedQuery,
  response: z.object({ ...TABLE_ANSWER, advisories: z.array(ManagedAdvisory) }),
})

export const exportManagedAdvisories = endpoint({
  ...manages,
  method: 'GET',
  path: '/admin/travel-advisories/export',
  summary: 'The same list, all pages, as CSV',
  query: ManagedQuery,
  response: z.any(),
})

/** Audit log of manual changes, newest first. */
export const HistoryEntry = z.object({
  id: z.number().int(),
  at: instant,
  actor: z.string().nullable(),
  action: z.string(),
  reason: z.string().nullable(),
  changes: z.array(AdvisoryChange),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

export const AdminAdvisory = Advisory.extend({
  status: z.string(),
  standing: z.enum(STANDINGS),
  removal: z.enum(REMOVALS).nullable(),
  withdrawn_at: instant.nullable(),
  is_written_here: z.boolean(),
})
export type AdminAdvisory = z.infer<typeof AdminAdvisory>

const AdminAdvisoryDetail = z.object({
  advisory: AdminAdvisory,
  text: AdvisoryText,
  versions: z.array(AdvisoryVersion),
  history: z.array(HistoryEntry),
})

export const getManagedAdvisory = endpoint({
  ...manages,
  method: 'GET',
  path: '/admin/travel-advisories/{id}',
  summary: 'One advisory with its versions and the actions of administrators',
  params: ById,
  response: AdminAdvisoryDetail,
})

const Written = z.object({ advisory: AdminAdvisory })

export const createAdvisory = endpoint({
  ...manages,
  method: 'POST',
  path: '/travel-advisories',
  also: ['/admin/travel-advisories'],
  status: 201,
  summary: 'Creates an advisory for a source without a feed; a draft is not public',
  body: AdvisoryEntry.safeExtend({
    is_draft: z.boolean().default(false),
    key: z.uuid().optional().describe('Idempotency key: a repeated request does not create a second advisory'),
  }),
  response: Written,
})

export const updateAdvisory = endpoint({
  ...manages,
  method: 'PUT',
  path: '/travel-advisories/{id}',
  also: ['/admin/travel-advisories/{id}'],
  summary: 'Changes an advisory written by administrators; can also publish a draft',
  params: ById,
  body: AdvisoryEntry.safeExtend({ made_from, is_draft: z.boolean().default(false) }),
  response: Written,
})

export const switchAdvisory = endpoint({
  ...manages,
  method: 'PATCH',
  path: '/travel-advisories/{id}',
  also: ['/admin/travel-advisories/{id}'],
  summary: 'Removes any advisory from the list or restores it, marks it as urgent, or announces it',
  params: ById,
  body: z
    .strictObject({
      made_from,
      is_active: z.boolean().optional(),
      is_urgent: z.boolean().optional(),
      auto_notify: z.boolean().optional(),
      reason,
    })
    .refine(({ is_active, reason }) => is_active !== false || reason !== '', {
      path: ['reason'],
      error: 'This field is required',
    }),
  response: Written,
})

export const duplicateAdvisory = endpoint({
  ...manages,
  method: 'POST',
  path: '/travel-advisories/{id}/duplicate',
  also: ['/admin/travel-advisories/{id}/duplicate'],
  status: 201,
  summary: 'Creates a draft with the same text from an advisory written by administrators',
  params: ById,
  response: Written,
})

export const deleteAdvisory = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/travel-advisories/{id}',
  also: ['/admin/travel-advisories/{id}'],
  summary: 'Deletes an advisory written by administrators, with its versions; those of a feed are only deactivated',
  params: ById,
  body: z.strictObject({ made_from, reason }),
  response: Deleted,
})

export const acceptLevel = endpoint({
  ...manages,
  method: 'POST',
  path: '/admin/travel-advisories/{id}/accept-level',
  summary: 'Accepts the lower level shown by the source',
  params: ById,
  body: z.strictObject({ made_from, reason }),
  response: Written,
})

export const acceptLevelsOfSource = endpoint({
  ...manages,
  method: 'POST',
  path: '/admin/travel-advisories/sources/{source}/accept-levels',
  summary: 'Accepts all pending lower levels of a source',
  params: z.strictObject({ source: text(60) }),
  body: z.strictObject({ count: z.number().int().min(1).describe('Number the caller saw'), reason }),
  response: z.object({ accepted: z.number().int() }),
})

export const previewAdvisory = endpoint({
  ...manages,
  method: 'POST',
  path: '/admin/travel-advisories/preview',
  summary: 'Preview of the public advisory; writes nothing',
  body: AdvisoryEntry.safeExtend({ id: z.uuid().optional().describe('The advisory it would replace') }),
  response: z.object({
    advisory: Advisory,
    text: AdvisoryText,
    changes: z.array(AdvisoryChange),
    removal: z.enum(REMOVALS).nullable(),
    readers: Readers.describe('Subscribers whom it covers; they are notified if it is announced'),
  }),
})
