import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { TABLE_QUERY } from '#shared/table.ts'

/** One entry of the audit log. `before` and `after` contain only changed fields. */
export const AuditEntry = z.object({
  id: z.int(),
  at: z.string(),
  actor_id: z.uuid().nullable(),
  actor_name: z.string().nullable().describe('Null for the portal itself, or for an account that is gone'),
  actor_role: z.string(),
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  subject_name: z.string().nullable().describe('Of a person, while the account is there'),
  before: z.json(),
  after: z.json(),
  reason: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const Day = z.iso.date('Enter a valid date')

export const AuditFilters = z.strictObject({
  search: TABLE_QUERY.search.describe('Name or address of who did it, or the id of the subject'),
  action: z
    .string()
    .trim()
    .max(60)
    .regex(/^[\w.*-]*$/, 'An action is a word such as user.role')
    .default('')
    .describe('An action, or its beginning: user, user.role'),
  subject: z.string().trim().max(60).default('').describe('Kind of the subject, or kind and id: user or user:0b5f…'),
  since: Day.optional().describe('First day (UTC)'),
  until: Day.optional().describe('Last day (UTC)'),
  before_id: z.coerce.number().int().min(1).optional().describe('Older than this entry'),
  per_page: TABLE_QUERY.per_page,
})
export type AuditFilters = z.output<typeof AuditFilters>

export const readAuditLog = endpoint({
  method: 'GET',
  path: '/admin-operations/audit-log',
  access: 'readAudit',
  summary: 'Who changed what, the latest first; format=csv gives up to 10,000 entries as a table to save',
  query: AuditFilters.extend({ format: z.enum(['json', 'csv']).default('json') }),
  response: z.object({
    entries: z.array(AuditEntry),
    next: z.int().nullable().describe('before_id of the following page'),
    actions: z.array(z.string()).describe('Actions that occur'),
    subjects: z.array(z.string()).describe('Kinds of subjects that occur'),
  }),
})
