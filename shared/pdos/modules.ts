import * as z from 'zod'
import { instant } from '#shared/common-schemas.ts'
import { crudEndpoints } from '#shared/crud.ts'
import { required, text } from '#shared/text.ts'

export const MODULE_STATUSES = ['draft', 'active', 'retired'] as const
/** The required modules together are the eight hours of a seminar (N-04). */
export const SEMINAR_MINUTES = 480

const MINUTES = `Enter the minutes, at most ${SEMINAR_MINUTES}`
const ORDER = 'Enter a whole number, at most 10000'

const fields = z.strictObject({
  code: text(20).regex(/^[A-Z0-9][A-Z0-9-]{1,19}$/, 'Use only capital letters, numbers and hyphens, such as SAFETY-1'),
  title_en: required(200),
  title_ar: required(200),
  description_en: text(4_000).optional(),
  description_ar: text(4_000).optional(),
  duration_minutes: z.int(MINUTES).min(1, MINUTES).max(SEMINAR_MINUTES, MINUTES),
  position: z.int(ORDER).min(0, ORDER).max(10_000, ORDER).optional().describe('Position in the course, lowest first'),
  material_links: z
    .array(text(1_000).regex(/^https:\/\/[^\s/]+\S*$/, 'Enter web addresses that start with https://'))
    .max(20)
    .optional()
    .describe('URLs that start with https://'),
  is_required: z.boolean().optional(),
  status: z.enum(MODULE_STATUSES, 'Choose from the list').optional(),
  effective_from: z.iso.date('Enter a valid date').nullable().optional().describe('Null: immediately'),
})

/** A module of the pre-departure orientation seminar (N-04). */
export const PdosModule = fields.required().extend({
  id: z.uuid(),
  version: z.int().describe('Counts the changes, so that a certificate names the module version'),
  updated_at: instant.describe('Send it back as `made_from` with a change'),
})
export type PdosModule = z.infer<typeof PdosModule>

export const modules = crudEndpoints({
  path: '/mfa/pdos-modules',
  one: 'module',
  many: 'modules',
  nouns: ['orientation module', 'orientation modules'],
  read: 'readPdosModules',
  manage: 'managePdosModules',
  record: PdosModule,
  fields,
  filters: { status: z.enum(MODULE_STATUSES).optional() },
  totals: { required_minutes: z.int().describe('Total of all active required modules') },
})
