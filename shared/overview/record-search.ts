import * as z from 'zod'

/** Kinds of records besides users, in the order in which they are shown. */
export const RECORD_KINDS = [
  'cases',
  'churches',
  'advisories',
  'announcements',
  'roll_calls',
  'chapters',
  'pdos_modules',
  'faq',
  'facts',
  'knowledge',
] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Records of each kind in the results; the lists have all of them. */
export const MAX_FOUND_RECORDS = 5

export const FoundRecords = z.object({
  kind: z.enum(RECORD_KINDS),
  total: z.int().describe('All that match and that the caller may see'),
  rows: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      detail: z.string().nullable(),
      country_code: z.string().nullable(),
    }),
  ),
})
export type FoundRecords = z.infer<typeof FoundRecords>
