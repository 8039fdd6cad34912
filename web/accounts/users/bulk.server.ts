import { randomUUID } from 'node:crypto'
import { data, type RouterContextProvider, redirect } from 'react-router'
import {
  ACCOUNT_ACTIONS,
  type AccountActionKind,
  type AccountSelection,
  previewAccountAction,
  runAccountAction,
} from '#shared/accounts/account-actions.ts'
import { AccountFilter } from '#shared/accounts/users.ts'
import { tableQuery } from '#shared/table.ts'
import { attempt, type FormError } from '#web/lib/visitor.ts'
import { tabOf } from './tab.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>
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
export async function actOnAccounts(context: Context, request: Request, form: FormData) {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const kind = ACCOUNT_ACTIONS.find((known) => known === text('kind'))
  if (!kind) throw new Response('Bad Request', { status: 400 })
  const params = new URL(request.url).searchParams
  const isAll = text('all') === 'yes'
  const ids = isAll ? [] : form.getAll('ids').filter((id) => typeof id === 'string')
  const bulk = { kind, ids, isAll, message: text('message'), requestKey: text('request_key') || randomUUID() }
  const selection: AccountSelection = isAll ? { filter: filterOf(params) } : { ids }
  const counted = { selection: isAll ? { filter: filterOf(params), count: Number(text('count')) } : { ids } }
  const { done, error } =
    text('confirmed') === 'yes'
      ? await attempt(context, (call) =>
          call(runAccountAction, {
            body: { request_key: bulk.requestKey, kind, message: bulk.message, ...counted },
          }),
        )
      : { done: undefined, error: undefined }
  if (done) throw redirect(`/admin/users/actions/${done.id}?done=bulk`)
  const preview = await attempt(context, (call) => call(previewAccountAction, { body: { kind, selection } }))
  const shownError = error ?? preview.error
  return data<{ bulk: Bulk }>(
    { bulk: { ...bulk, preview: preview.done, error: shownError && sentence(shownError) } },
    { status: shownError?.status ?? 200 },
  )
}

/** Nothing was selected: the only possible error of a selection is shown beside the buttons. */
const sentence = (error: FormError): FormError =>
  Object.keys(error.fields).some((field) => field.startsWith('selection'))
    ? { ...error, error: 'Choose at least one account.' }
    : error
