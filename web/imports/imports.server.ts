import { data, type RouterContextProvider, redirect } from 'react-router'
import { AppError } from '#shared/errors.ts'
import type { ImportContract } from '#shared/imports/contract.ts'
import { MAX_BYTES } from '#shared/imports/limits.ts'
import type { ImportSettings, ImportSummary, Mapping, RowDecision } from '#shared/imports/model.ts'
import { RowFilters } from '#shared/imports/schemas.ts'
import { tableQuery } from '#shared/table.ts'
import { api, attempt, type CallEndpoint, type FormError } from '#web/lib/visitor.ts'
import { importPath } from './kind.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>
export type FormValues = Record<string, string>
type Action = (call: CallEndpoint, id: string, values: FormValues) => Promise<string | undefined>

/** The server side of the pages of one kind. */
export interface ImportPages {
  contract: ImportContract
  path: string
  /** Reads the settings of the mapping form. */
  settingsOf: (values: FormValues) => ImportSettings
  /** Further actions of an import's page; the result names the message that is shown. */
  actions?: Record<string, Action>
  /** Those that require confirmation. */
  toConfirm?: readonly string[]
}

/** Result of a form that needs more input: rejected, or to be confirmed first. */
export interface ActionData {
  intent: string
  values: FormValues
  error: FormError | undefined
  isToConfirm: boolean
}

export type ImportListData = Awaited<ReturnType<typeof loadImports>>

/** Loads the list of imports. */
export async function loadImports({ contract }: ImportPages, context: Context, request: Request) {
  const query = tableQuery(contract.list.query, new URL(request.url).searchParams)
  const list = await attempt(context, (call) => call(contract.list, { query }))
  return { list: list.done ?? { imports: [], total: 0, page: 1, per_page: 50 }, hasFailed: list.error !== undefined }
}

/** Uploads the file of the form, and shows what it holds. */
export async function uploadImport(pages: ImportPages, context: Context, request: Request) {
  const { done, error } = await attempt(context, async (call) => {
    const file = (await request.formData()).get('file')
    const body = file instanceof File && file.size > 0 ? { read: () => contentOf(file), name: file.name } : undefined
    return call(pages.contract.upload, { query: {}, body: body as never })
  })
  if (error) return data({ error }, { status: error.status })
  throw redirect(importPath(pages, done.import.id))
}

async function contentOf(file: File) {
  const tooLarge = `File is too large (max ${MAX_BYTES / 1024 ** 2} MB)`
  if (file.size > MAX_BYTES) throw new AppError(413, 'file_too_large', tooLarge, { fields: { file: tooLarge } })
  return { bytes: new Uint8Array(await file.arrayBuffer()), name: file.name }
}

export type ImportData = Awaited<ReturnType<typeof loadImport>>

/** Loads one import with the rows of its plan, and the row that is open. */
export async function loadImport({ contract }: ImportPages, context: Context, request: Request, id: string) {
  const params = new URL(request.url).searchParams
  const detail = await api(context)(contract.get, { params: { id } })
  const row = params.get('row')
  const isPlanned = detail.import.counts !== null
  const rows = isPlanned
    ? await attempt(context, (call) => call(contract.rows, { params: { id }, query: tableQuery(RowFilters, params) }))
    : undefined
  const rowResult = row
    ? await attempt(context, (call) => call(contract.row, { params: { id, row_number: row } }))
    : undefined
  return {
    detail,
    title: detail.import.file_name,
    rows: rows?.done ?? null,
    opened: row ? (rowResult?.done ?? null) : undefined,
  }
}

/**
 * Runs an action of an import's page. No `formAction`: its mapping has a field for each column of the file, and the list
 * keeps its filters after some steps.
 */
export async function actOnImport(pages: ImportPages, context: Context, request: Request, id: string) {
  const values = await formValuesOf(request)
  const intent = values.intent ?? ''
  const actions = { ...actionsOf(pages), ...pages.actions }
  const action = Object.hasOwn(actions, intent) ? actions[intent] : undefined
  if (!action) throw new Response('Bad Request', { status: 400 })
  const nothing = { intent, values, error: undefined, isToConfirm: false } satisfies ActionData
  const isToConfirm = intent === 'undo' || pages.toConfirm?.includes(intent)
  if (isToConfirm && values.confirmed !== 'yes') return data<ActionData>({ ...nothing, isToConfirm: true })
  const { done, error } = await attempt(context, (call) => action(call, id, values))
  if (error) return data<ActionData>({ ...nothing, error }, { status: error.status })
  if (done === 'removed') throw redirect(`${pages.path}?done=removed`)
  throw redirect(`${importPath(pages, id)}${addressAfter(request, intent, done)}`)
}

function actionsOf({ contract, settingsOf }: ImportPages): Record<string, Action> {
  const version = (values: FormValues) => Number(values.plan_version || Number.NaN)
  return {
    async plan(call, id, values) {
      const body = { mapping: mappingOf(values), ...settingsOf(values) }
      return over((await call(contract.plan, { params: { id }, body })).import, 'planned')
    },
    async commit(call, id, values) {
      const body = { plan_version: version(values) }
      return over((await call(contract.commit, { params: { id }, body })).import, 'committed')
    },
    async undo(call, id) {
      return over((await call(contract.undo, { params: { id } })).import, 'undone')
    },
    async decide(call, id, values) {
      const [decision, record] = (values.decision ?? '').split(' ')
      const body = {
        decision: decision as RowDecision,
        plan_version: version(values),
        ...(record ? { [`${contract.record}_id`]: record } : {}),
      }
      await call(contract.decide, { params: { id, row_number: values.row_number ?? '' }, body })
      return 'decided'
    },
    async decide_rest(call, id, values) {
      const body = { decision: values.decision as 'create' | 'skip', plan_version: version(values) }
      await call(contract.decideAll, { params: { id }, body })
      return 'decided'
    },
    async remove(call, id) {
      await call(contract.remove, { params: { id } })
      return 'removed'
    },
  }
}

/** No success message for a step that continues in the background or was rejected: the page shows that itself. */
const over = ({ status }: ImportSummary, done: string) => (status === done ? done : undefined)

/** After a decision the list keeps its filters; every other step shows the whole plan. */
function addressAfter(request: Request, intent: string, done: string | undefined): string {
  const params = intent === 'decide' ? new URL(request.url).searchParams : new URLSearchParams()
  for (const name of ['_routes', 'index', 'done']) params.delete(name)
  if (done) params.set('done', done)
  return params.size > 0 ? `?${params}` : ''
}

/** Columns are numbered in the form, beside their names. */
function mappingOf(values: FormValues): Mapping {
  const mapping: Mapping = {}
  for (const [name, column] of Object.entries(values)) {
    const field = /^name_\d+$/.test(name) ? values[name.replace('name_', 'field_')] : undefined
    if (field) Object.defineProperty(mapping, column, { value: field, enumerable: true })
  }
  return mapping
}

async function formValuesOf(request: Request): Promise<FormValues> {
  const values: FormValues = {}
  for (const [name, value] of await request.formData())
    if (typeof value === 'string') values[name] = name.startsWith('name_') ? value : value.trim().slice(0, 2_000)
  return values
}
