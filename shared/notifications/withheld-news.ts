import * as z from 'zod'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'

/** Updates of a source that were not sent because too much changed at once. */
export const WithheldNews = z.object({
  id: z.uuid(),
  advisory_id: z.uuid(),
  title: z.string(),
  language: z.string(),
  severity_level: z.enum(SEVERITIES),
  reason: z.enum(['new', 'escalated', 'instruction_changed', 'withdrawn']),
  priority: z.enum(['low', 'medium', 'high', 'urgent']),
  withheld_at: instant,
})
export type WithheldNews = z.infer<typeof WithheldNews>

const DECISIONS = ['released', 'dropped'] as const
export type WithheldDecision = (typeof DECISIONS)[number]

const ofSource = {
  access: 'manageAdvisories',
  path: '/admin/travel-advisories/sources/{source}/withheld-news',
  params: z.strictObject({ source: text(60) }),
} as const

export const listWithheldNews = endpoint({
  ...ofSource,
  method: 'GET',
  summary: 'News of a source waiting for an administrator to release or discard it',
  response: z.object({ news: z.array(WithheldNews) }),
})

export const decideWithheldNews = endpoint({
  ...ofSource,
  method: 'POST',
  summary: 'Releases or discards withheld news; obsolete news is discarded',
  body: z.strictObject({
    ids: z.array(z.uuid()).min(1, 'Choose at least one.').max(1_000),
    decision: z.enum(DECISIONS),
  }),
  response: z.object({ released: z.number().int(), dropped: z.number().int() }),
})
