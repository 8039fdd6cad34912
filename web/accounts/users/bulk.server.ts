import { randomUUID } from 'node:crypto'
import {
  ACCOUNT_ACTIONS,
  type AccountActionKind,
  type AccountSelection,
  previewAccountAction,
  runAccountAction,
} from '#shared/accounts/account-actions.ts'
import { AccountFilter } from '#shared/accounts/users.ts'
import { tableQuery } from '#shared/table.ts'
import type { Submission } from '#web/lib/form-action.server.ts'
import { attempt, type CallEndpoint, type FormError } from '#web/lib/visitor.ts'
import { tabOf } from './tab.ts'

type Preview = (typeof previewAccountAction)['~']['output']

/** A bulk action to be confirmed, or rejected. */
export interface Bulk {
  kind: AccountActionKind
  ids: string[]
  /** All matches of the URL's filters, instead of the ticked rows of the page. */
  isAll: boolean
  message: string
  /** Idempotency key of the form. */
  requestKey: string
  preview: Preview | undefined
  error: FormError | undefined
}

/** Filters from the URL, as the list parses them. */
export function filterOf(params: URLSearchParams): AccountFilter {
  return AccountFilter.parse({ ...tableQuery(AccountFilter, params), tab: tabOf(params) })
}

/**
 * Counts the accounts of a bulk action and asks for confirmation; once confirmed, runs it and redirects to the results.
 */
export async function actOnAccounts(call: CallEndpoint, { context, request, text, all, flash }: Submission) {
  const kind = ACCOUNT_ACTIONS.find((known) => known === text('kind'))
  if (!kind) throw new Response('Bad Request', { status: 400 })
  const params = new URL(request.url).searchParams
  const isAll = text('all') === 'yes'
  const ids = isAll ? [] : all('ids')
  const bulk = { kind, ids, isAll, message: text('message').trim(), requestKey: text('request_key') || randomUUID() }
  const selection: AccountSelection = isAll ? { filter: filterOf(params) } : { ids }
  const counted = { selection: isAll ? { filter: filterOf(params), count: Number(text('count')) } : { ids } }
  const { done, error } =
    text('confirmed') === 'yes'
      ? await attempt(context, () =>
          call(runAccountAction, {
            body: { request_key: bulk.requestKey, kind, message: bulk.message, ...counted },
          }),
        )
      : { done: undefined, error: undefined }
  if (done) return flash(`/admin/users/actions/${done.id}`, 'bulk')
  const preview = await attempt(context, () => call(previewAccountAction, { body: { kind, selection } }))
  const found = error ?? preview.error
  const shownError = found && sentence(found)
  return { bulk: { ...bulk, preview: preview.done, error: shownError } satisfies Bulk, error: shownError }
}

/** Nothing was selected: the only possible error of a selection is shown beside the buttons. */
const sentence = (error: FormError): FormError =>
  Object.keys(error.fields).some((field) => field.startsWith('selection'))
    ? { ...error, error: 'Choose at least one account.' }
    : error
