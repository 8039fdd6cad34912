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
  message: z.string().nullable().describe('The question, or the reason of the refusal'),
  created_at: z.string(),
  actor_name: z.string().nullable(),
  is_own: z.boolean(),
  results: z.partialRecord(z.enum(ACCOUNT_ACTION_RESULTS), z.int()),
  missing: z.int().describe('Ids that are not there for the caller'),
  undone_at: z.string().nullable(),
  can_undo: z.boolean(),
})
export type AccountActionSummary = z.infer<typeof Summary>

const Item = z.object({
  user_id: z.uuid(),
  display_name: z.string().nullable().describe('Null where the person is no longer in the scope of the caller'),
  country_code: z.string().nullable(),
  result: z.enum(ACCOUNT_ACTION_RESULTS),
  earlier_by: z.string().nullable().describe('Name of who had verified the account before'),
  undo_result: z.enum(['undone', 'changed_since']).nullable(),
})
export type AccountActionItem = z.infer<typeof Item>

export const previewAccountAction = endpoint({
  method: 'POST',
  path: '/accounts/actions/preview',
  access: 'verifyAccounts',
  summary: 'Counts what an action would be about, by what the portal knows of each account; changes nothing',
  body: z.strictObject({ kind: z.enum(ACCOUNT_ACTIONS), selection: Selection }),
  response: z.object({
    total: z.int().describe('Accounts that were chosen: all that match, or the ids'),
    count: z.int().describe('Accounts that would be changed or asked'),
    bounced: z.int().describe('Accounts that wait and stay as they are, since their email comes back'),
    others: z.int().describe('Chosen accounts that do not wait any more'),
    missing: z.int(),
    signs: z.array(z.object({ sign: z.enum(ACCOUNT_SIGNS), count: z.int() })).describe('By the weightiest sign'),
  }),
})

export const runAccountAction = endpoint({
  method: 'POST',
  path: '/accounts/actions',
  access: 'verifyAccounts',
  summary:
    'Verifies, asks or refuses many new accounts at once; each person is told once, and a request sent twice acts once',
  body: z
    .strictObject({
      request_key: z.uuid().describe('Made by the caller; the same key again answers with the first action'),
      kind: z.enum(ACCOUNT_ACTIONS),
      message: text(500)
        .default('')
        .describe('The question, or the reason of the refusal; both are sent to the person'),
      selection: z.union([
        Ids,
        z.strictObject({
          filter: AccountFilter,
          count: z.int().min(0).describe('How many matched when the caller looked; refused when it differs'),
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
  summary: 'The latest bulk actions: to coordinators their own, to administrators all',
  query: z.strictObject({ limit: z.coerce.number().int().min(1).max(20).default(5) }),
  response: z.object({ actions: z.array(Summary) }),
})

export const getAccountAction = endpoint({
  method: 'GET',
  path: '/accounts/actions/{id}',
  access: 'verifyAccounts',
  summary: 'A bulk action with the result of each account, those that were not changed first',
  params: z.strictObject({ id: z.uuid() }),
  query: z.strictObject({ page: TABLE_QUERY.page, per_page: TABLE_QUERY.per_page }),
  response: z.object({ action: Summary, items: z.array(Item), ...TABLE_ANSWER }),
})

export const undoAccountAction = endpoint({
  method: 'POST',
  path: '/accounts/actions/{id}/undo',
  access: 'verifyAccounts',
  summary: 'Lets the accounts of a verification or refusal wait again, where nobody changed them since',
  params: z.strictObject({ id: z.uuid() }),
  response: z.object({ undone: z.int(), changed_since: z.int() }),
})
