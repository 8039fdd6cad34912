import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { TABLE_QUERY } from '#shared/table.ts'

/** One entry of the audit log. `before` and `after` contain only changed fields. */
export const AuditEntry = z.object({
  id: z.int(),
  at: z.string(),
  actor_id: z.uuid().nullable(),
  actor_name: z.string().nullable().describe('Null for the portal itself, or for a deleted account'),
  actor_role: z.string().describe('At the time; "service" for the portal itself'),
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  subject_name: z.string().nullable().describe('Name of the record, while it exists'),
  names: z
    .record(z.string(), z.string())
    .describe('Names by id of the users and chapters in the entry, while they exist'),
  before: z.json(),
  after: z.json(),
  reason: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const Day = z.iso.date('Enter a valid date')

export const AuditFilters = z.strictObject({
  search: TABLE_QUERY.search.describe('Name or email address of the actor or of the user it is about, or an id'),
  action: z
    .string()
    .trim()
    .max(60)
    .regex(/^[\w.*-]*$/, 'An action is a word such as user.role')
    .default('')
    .describe('An action or its prefix: user, user.role'),
  subject: z.string().trim().max(60).default('').describe('Kind of subject, or kind and id: user or user:0b5f…'),
  since: Day.optional().describe('First day, in the caller’s time zone or the portal’s'),
  until: Day.optional().describe('Last day, likewise'),
  before_id: z.coerce.number().int().min(1).optional().describe('Entries before this id'),
  per_page: TABLE_QUERY.per_page,
})
export type AuditFilters = z.output<typeof AuditFilters>

export const readAuditLog = endpoint({
  method: 'GET',
  path: '/admin-operations/audit-log',
  access: 'readAudit',
  summary: 'Who changed what, newest first; format=csv exports up to 10,000 entries',
  query: AuditFilters.extend({ format: z.enum(['json', 'csv']).default('json') }),
  response: z.object({
    entries: z.array(AuditEntry),
    next: z.int().nullable().describe('before_id for the next page'),
    actions: z.array(z.string()).describe('Actions in the log'),
    subjects: z.array(z.string()).describe('Kinds of subjects in the log'),
  }),
})
