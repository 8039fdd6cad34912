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
import { attempt, type CallEndpoint, type Failure } from '../../lib/visitor.ts'
import { type Done, IMPORTS, importPath } from './paths.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>
type Typed = Record<string, string>

/** What became of a form that was posted and is not over: refused, or to be confirmed first. */
export interface Posted {
  intent: string
  typed: Typed
  failure: Failure | undefined
  isToConfirm: boolean
}

const DEEDS: Record<string, (call: CallEndpoint, id: string, typed: Typed) => Promise<Done>> = {
  async plan(call, id, typed) {
    const { import: made } = await call(planLocaleImport, { params: { id }, body: mappingOf(typed) })
    return over(made, 'planned')
  },
  async commit(call, id, typed) {
    const { import: made } = await call(commitLocaleImport, {
      params: { id },
      body: { plan_version: versionOf(typed) },
    })
    return over(made, 'committed')
  },
  async publish(call, id, typed) {
    await call(publishLocaleImport, { params: { id }, body: { count: Number(typed.count) } })
    return 'published'
  },
  async undo(call, id) {
    const { import: made } = await call(undoLocaleImport, { params: { id } })
    return over(made, 'undone')
  },
  async decide(call, id, typed) {
    const [decision, locale_id] = (typed.decision ?? '').split(' ')
    await call(decideImportRow, {
      params: { id, row_number: typed.row_number ?? '' },
      body: {
        decision: decision as 'create',
        plan_version: versionOf(typed),
        ...(locale_id ? { locale_id } : {}),
      },
    })
    return 'decided'
  },
  async decide_rest(call, id, typed) {
    const decision = typed.decision as 'create'
    await call(decideImportRows, { params: { id }, body: { decision, plan_version: versionOf(typed) } })
    return 'decided'
  },
  async remove(call, id) {
    await call(removeLocaleImport, { params: { id } })
    return 'removed'
  },
}

/** Asked about once more before they are done. */
const TO_CONFIRM = new Set(['undo', 'publish'])

/** Nothing is said to be done that goes on after the answer, or that was refused: the page says that itself. */
const over = ({ status }: LocaleImport, done: Done) => (status === done ? done : (undefined as never))

/** Runs what a form of an import's page asks for. */
export async function actOnImport(context: Context, request: Request, id: string) {
  const typed = await typedOf(request)
  const intent = typed.intent ?? ''
  const deed = Object.hasOwn(DEEDS, intent) ? DEEDS[intent] : undefined
  if (!deed) throw new Response('Bad Request', { status: 400 })
  const nothing = { intent, typed, failure: undefined, isToConfirm: false } satisfies Posted
  if (TO_CONFIRM.has(intent) && typed.confirmed !== 'yes') return data<Posted>({ ...nothing, isToConfirm: true })
  const { done, failure } = await attempt(context, (call) => deed(call, id, typed))
  if (failure) return data<Posted>({ ...nothing, failure }, { status: failure.status })
  if (done === 'removed') throw redirect(`${IMPORTS}?done=removed`)
  throw redirect(`${importPath(id)}${addressAfter(request, intent, done)}`)
}

/** After a decision the list stays as it was looked at; every other step shows the whole plan. */
function addressAfter(request: Request, intent: string, done: Done | undefined): string {
  const params = intent === 'decide' ? new URL(request.url).searchParams : new URLSearchParams()
  for (const name of ['_routes', 'index', 'done']) params.delete(name)
  if (done) params.set('done', done)
  return params.size > 0 ? `?${params}` : ''
}

const versionOf = (typed: Typed) => Number(typed.plan_version || Number.NaN)

/** The columns stand in the form by their number, beside the name of each. */
function mappingOf(typed: Typed) {
  const mapping: Record<string, string> = {}
  for (const [name, column] of Object.entries(typed)) {
    const field = /^name_\d+$/.test(name) ? typed[name.replace('name_', 'field_')] : undefined
    if (field) Object.defineProperty(mapping, column, { value: field, enumerable: true })
  }
  return {
    mapping: mapping as never,
    id_prefix: typed.id_prefix ?? '',
    options: {
      missing_words: (typed.missing_words ?? '')
        .split(/[,،]/)
        .map((word) => word.trim())
        .filter(Boolean),
      default_country: typed.default_country || null,
      title_case_cities: typed.title_case_cities === 'on',
      clears_empty: typed.clears_empty === 'on',
      new_locales: (typed.new_locales ?? 'unpublished') as 'unpublished',
    },
  }
}

async function typedOf(request: Request): Promise<Typed> {
  const typed: Typed = {}
  for (const [name, value] of await request.formData())
    if (typeof value === 'string') typed[name] = name.startsWith('name_') ? value : value.trim().slice(0, 2_000)
  return typed
}
