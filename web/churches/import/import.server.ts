import { data, type RouterContextProvider, redirect } from 'react-router'
import {
  commitLocaleImport,
  decideImportRow,
  decideImportRows,
  type LocaleImport,
  planLocaleImport,
  publishLocaleImport,
  removeLocaleImport,
  undoLocaleImport,
} from '#shared/churches/imports.ts'
import { attempt, type CallEndpoint, type FormError } from '#web/lib/visitor.ts'
import { type Done, IMPORTS, importPath } from './paths.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>
type FormValues = Record<string, string>

/** Result of a form that needs more input: rejected, or to be confirmed first. */
export interface ActionData {
  intent: string
  values: FormValues
  error: FormError | undefined
  isToConfirm: boolean
}

const ACTIONS: Record<string, (call: CallEndpoint, id: string, values: FormValues) => Promise<Done>> = {
  async plan(call, id, values) {
    const { import: made } = await call(planLocaleImport, { params: { id }, body: mappingOf(values) })
    return over(made, 'planned')
  },
  async commit(call, id, values) {
    const { import: made } = await call(commitLocaleImport, {
      params: { id },
      body: { plan_version: versionOf(values) },
    })
    return over(made, 'committed')
  },
  async publish(call, id, values) {
    await call(publishLocaleImport, { params: { id }, body: { count: Number(values.count) } })
    return 'published'
  },
  async undo(call, id) {
    const { import: made } = await call(undoLocaleImport, { params: { id } })
    return over(made, 'undone')
  },
  async decide(call, id, values) {
    const [decision, locale_id] = (values.decision ?? '').split(' ')
    await call(decideImportRow, {
      params: { id, row_number: values.row_number ?? '' },
      body: {
        decision: decision as 'create',
        plan_version: versionOf(values),
        ...(locale_id ? { locale_id } : {}),
      },
    })
    return 'decided'
  },
  async decide_rest(call, id, values) {
    const decision = values.decision as 'create'
    await call(decideImportRows, { params: { id }, body: { decision, plan_version: versionOf(values) } })
    return 'decided'
  },
  async remove(call, id) {
    await call(removeLocaleImport, { params: { id } })
    return 'removed'
  },
}

/** Require confirmation. */
const TO_CONFIRM = new Set(['undo', 'publish'])

/** No success message for a step that continues in the background or was rejected: the page shows that itself. */
const over = ({ status }: LocaleImport, done: Done) => (status === done ? done : (undefined as never))

/** Runs an action of an import's page. */
export async function actOnImport(context: Context, request: Request, id: string) {
  const values = await formValuesOf(request)
  const intent = values.intent ?? ''
  const action = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined
  if (!action) throw new Response('Bad Request', { status: 400 })
  const nothing = { intent, values, error: undefined, isToConfirm: false } satisfies ActionData
  if (TO_CONFIRM.has(intent) && values.confirmed !== 'yes') return data<ActionData>({ ...nothing, isToConfirm: true })
  const { done, error } = await attempt(context, (call) => action(call, id, values))
  if (error) return data<ActionData>({ ...nothing, error }, { status: error.status })
  if (done === 'removed') throw redirect(`${IMPORTS}?done=removed`)
  throw redirect(`${importPath(id)}${addressAfter(request, intent, done)}`)
}

/** After a decision the list keeps its filters; every other step shows the whole plan. */
function addressAfter(request: Request, intent: string, done: Done | undefined): string {
  const params = intent === 'decide' ? new URL(request.url).searchParams : new URLSearchParams()
  for (const name of ['_routes', 'index', 'done']) params.delete(name)
  if (done) params.set('done', done)
  return params.size > 0 ? `?${params}` : ''
}

const versionOf = (values: FormValues) => Number(values.plan_version || Number.NaN)

/** Columns are numbered in the form, beside their names. */
function mappingOf(values: FormValues) {
  const mapping: Record<string, string> = {}
  for (const [name, column] of Object.entries(values)) {
    const field = /^name_\d+$/.test(name) ? values[name.replace('name_', 'field_')] : undefined
    if (field) Object.defineProperty(mapping, column, { value: field, enumerable: true })
  }
  return {
    mapping: mapping as never,
    id_prefix: values.id_prefix ?? '',
    options: {
      missing_words: (values.missing_words ?? '')
        .split(/[,،]/)
        .map((word) => word.trim())
        .filter(Boolean),
      default_country: values.default_country || null,
      title_case_cities: values.title_case_cities === 'on',
      clears_empty: values.clears_empty === 'on',
      new_locales: (values.new_locales ?? 'unpublished') as 'unpublished',
    },
  }
}

async function formValuesOf(request: Request): Promise<FormValues> {
  const values: FormValues = {}
  for (const [name, value] of await request.formData())
    if (typeof value === 'string') values[name] = name.startsWith('name_') ? value : value.trim().slice(0, 2_000)
  return values
}
