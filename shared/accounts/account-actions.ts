import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { TABLE_ANSWER, TABLE_QUERY } from '#shared/table.ts'
import { text } from '#shared/text.ts'
import { ACCOUNT_SIGNS, AccountFilter } from './users.ts'

/** Bulk actions on accounts. */
export const ACCOUNT_ACTIONS = ['verify', 'ask', 'refuse'] as const
export type AccountActionKind = (typeof ACCOUNT_ACTIONS)[number]

/** Result for each account. The first three mean success. */
export const ACCOUNT_ACTION_RESULTS = [
  'verified',
  'asked',
  'refused',
  'already_verified',
  'suspended',
  'bounced',
  'own',
] as const
export type AccountActionResult = (typeof ACCOUNT_ACTION_RESULTS)[number]

/** Maximum number of ids in one action, and of accounts that "all that match" may cover. */
export const MAX_ACTION_IDS = 500
export const MAX_ACTION_ACCOUNTS = 2_000

const Ids = z.strictObject({
  ids: z
    .array(z.uuid('The id of a user is a UUID'))
    .min(1, 'Choose at least one account.')
    .max(MAX_ACTION_IDS, `Choose at most ${MAX_ACTION_IDS} accounts.`),
})
const Selection = z.union([Ids, z.strictObject({ filter: AccountFilter })])
export type AccountSelection = z.output<typeof Selection>

const Summary = z.object({
  id: z.uuid(),
  kind: z.enum(ACCOUNT_ACTIONS),
  message: z.string().nullable().describe('The question, or the reason for the rejection'),
  created_at: z.string(),
  actor_name: z.string().nullable(),
  is_own: z.boolean(),
  results: z.partialRecord(z.enum(ACCOUNT_ACTION_RESULTS), z.int()),
  missing: z.int().describe('Ids the caller cannot see'),
  undone_at: z.string().nullable(),
  can_undo: z.boolean(),
})
export type AccountActionSummary = z.infer<typeof Summary>

const Item = z.object({
  user_id: z.uuid(),
  display_name: z.string().nullable().describe("Null if the user is no longer in the caller's scope"),
  country_code: z.string().nullable(),
  result: z.enum(ACCOUNT_ACTION_RESULTS),
  earlier_by: z.string().nullable().describe('Name of the user who had verified the account before'),
  undo_result: z.enum(['undone', 'changed_since']).nullable(),
})
export type AccountActionItem = z.infer<typeof Item>

export const previewAccountAction = endpoint({
  method: 'POST',
  path: '/accounts/actions/preview',
  access: 'verifyAccounts',
  summary: 'Counts the accounts an action would affect, by risk signal; changes nothing',
  body: z.strictObject({ kind: z.enum(ACCOUNT_ACTIONS), selection: Selection }),
  response: z.object({
    total: z.int().describe('Selected accounts: all matches, or the ids'),
    count: z.int().describe('Accounts that would be changed or asked'),
    bounced: z.int().describe('Pending accounts that stay unchanged because their email bounces'),
    others: z.int().describe('Selected accounts that are no longer pending'),
    missing: z.int(),
    signs: z.array(z.object({ sign: z.enum(ACCOUNT_SIGNS), count: z.int() })).describe('By the strongest risk signal'),
  }),
})

export const runAccountAction = endpoint({
  method: 'POST',
  path: '/accounts/actions',
  access: 'verifyAccounts',
  summary: 'Verifies, questions or rejects many new accounts at once. Each user is notified once. Idempotent',
  body: z
    .strictObject({
      request_key: z.uuid().describe('Chosen by the caller; the same key returns the first action again'),
      kind: z.enum(ACCOUNT_ACTIONS),
      message: text(500).default('').describe('The question, or the reason for the rejection; sent to the user'),
      selection: z.union([
        Ids,
        z.strictObject({
          filter: AccountFilter,
          count: z.int().min(0).describe('Number of matches the caller saw; rejected if it has changed'),
        }),
      ]),
    })
    .refine(({ kind, message }) => kind === 'verify' || message !== '', {
      path: ['message'],
      error: 'This field is required',
    }),
  response: Summary,
})

export const listAccountActions = endpoint({
  method: 'GET',
  path: '/accounts/actions',
  access: 'verifyAccounts',
  summary: 'Latest bulk actions: coordinators see their own, administrators see all',
  query: z.strictObject({ limit: z.coerce.number().int().min(1).max(20).default(5) }),
  response: z.object({ actions: z.array(Summary) }),
})

export const getAccountAction = endpoint({
  method: 'GET',
  path: '/accounts/actions/{id}',
  access: 'verifyAccounts',
  summary: 'A bulk action with the result for each account, unchanged accounts first',
  params: z.strictObject({ id: z.uuid() }),
  query: z.strictObject({ page: TABLE_QUERY.page, per_page: TABLE_QUERY.per_page }),
  response: z.object({ action: Summary, items: z.array(Item), ...TABLE_ANSWER }),
})

export const undoAccountAction = endpoint({
  method: 'POST',
  path: '/accounts/actions/{id}/undo',
  access: 'verifyAccounts',
  summary: 'Undoes a verification or rejection: sets the accounts back to pending unless they have changed since',
  params: z.strictObject({ id: z.uuid() }),
  response: z.object({ undone: z.int(), changed_since: z.int() }),
})
