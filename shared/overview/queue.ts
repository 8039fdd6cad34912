import * as z from 'zod'
import { instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { MONITOR_CAUSES } from '#shared/notifications/status.ts'
import { PER_PAGE } from '#shared/table.ts'

/** People who wait for help or an answer. Only these are assigned to someone, and counted by country. */
export const CALL_KINDS = ['help', 'case', 'unclear', 'hand_over'] as const
export type CallKind = (typeof CALL_KINDS)[number]

/** Other open work: a row is one record, or all that one page lists. */
export const TASK_KINDS = [
  'burst',
  'roll_call',
  'alarm',
  'backup',
  'restore_test',
  'announcement',
  'discretion',
  'import',
  'withheld',
  'lower_levels',
  'source',
  'failed_messages',
  'accounts',
  'church_messages',
  'church_corrections',
  'churches_due',
  'questions',
  'facts',
  'names',
] as const
export type TaskKind = (typeof TASK_KINDS)[number]

/** What is read together, and may fail together. */
export const QUEUE_GROUPS = [
  'calls',
  'roll_calls',
  'delivery',
  'backup',
  'announcements',
  'discretion',
  'imports',
  'advisories',
  'accounts',
  'churches',
  'assistant',
] as const
export type QueueGroup = (typeof QUEUE_GROUPS)[number]

export const ALARM_CAUSES = [...MONITOR_CAUSES, 'no_mail_provider'] as const

export const QueueRow = z.object({
  kind: z.enum([...CALL_KINDS, ...TASK_KINDS]),
  id: z.string().nullable().describe('Of the roll call, case, announcement, import or source; null: several things'),
  user_id: z.uuid().nullable().describe('Who waits for help'),
  name: z.string().nullable().describe('Of the person, record or source; null: a visitor without a known name'),
  about: z.string().nullable().describe('Title of the roll call, reference of the case, or the first of several'),
  cause: z.enum(ALARM_CAUSES).nullable().describe('Of an alarm'),
  count: z.int().describe('How many things the row stands for'),
  figures: z.record(z.string(), z.int()).describe('Parts of the count, by name'),
  country_code: z.string().nullable(),
  time_zone: z.string().nullable().describe('Of the country; null where it has several times at present'),
  words: z.string().nullable().describe("Start of the person's latest message"),
  since: instant.nullable().describe('Null: unknown'),
  last_at: instant.nullable().describe('Latest message of the case'),
  is_danger: z.boolean().describe('Someone there may be in danger'),
  is_late: z.boolean().describe('It waits longer than its kind may'),
  owner_name: z.string().nullable().describe('Who handles it; null: nobody, empty: someone whose name is unknown'),
  requested_name: z.string().nullable().describe('Who was asked to help and has not answered'),
  is_mine: z.boolean().describe('The caller handles it, started it or was asked to help'),
  may_take: z.boolean().describe('The caller can take it now'),
})
export type QueueRow = z.infer<typeof QueueRow>

/** Rows on the overview before all are shown. */
export const QUEUE_SHOWN = 10

export const getQueue = endpoint({
  method: 'GET',
  path: '/admin-operations/queue',
  access: 'searchAdmin',
  summary: `Everything that waits for the caller, worst first, then longest waiting; ${QUEUE_SHOWN} rows, or all by page`,
  query: z.strictObject({
    owner: z.enum(['mine', 'none']).optional().describe('Only what the caller handles, or what nobody handles'),
    country: z
      .string()
      .regex(/^([A-Z]{2}|none)$/)
      .optional()
      .describe('Only people who wait in this country; none: without a known one'),
    show: z.literal('all').optional(),
    page: z.coerce.number().int().min(1).max(10_000).default(1).describe('Of all rows'),
  }),
  response: z.object({
    rows: z.array(QueueRow),
    total: z.int().describe('Of the chosen filter'),
    counts: z.object({ all: z.int(), mine: z.int(), unowned: z.int() }).describe('Of each filter'),
    countries: z
      .array(z.object({ country_code: z.string().nullable(), count: z.int(), is_danger: z.boolean() }))
      .describe('People who wait, by country; most first'),
    failed: z.array(z.enum(QUEUE_GROUPS)).describe('Groups that could not be read: their rows are missing'),
    page: z.int(),
    per_page: z.int(),
  }),
})

export const QUEUE_PER_PAGE = PER_PAGE
