import { data, type RouterContextProvider, redirect } from 'react-router'
import { confirmFact, deleteFact, saveFact } from '#shared/assistant/facts.ts'
import { attempt, type CallEndpoint, type FormError } from '#web/lib/visitor.ts'
import type { Done } from './DoneNote.tsx'
import { bodyOf, type FormValues, formValuesOf, newFactId } from './fact-values.ts'
import { FACTS, factPath } from './paths.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** Form values of a rejected fact. */
interface FactActionData {
  values: FormValues
  error: FormError
  /** Id of the conflicting or changed fact. */
  id: string
}

interface Action {
  to: string
  done: Done
}

/** Saves a fact: a new one under its own id, or a new version of an existing one. */
export async function saveFactForm(context: Context, request: Request, id?: string) {
  return act(context, formValuesOf(await request.formData()), id, save)
}

/** All actions of the fact forms. */
export async function actOnFact(context: Context, request: Request, id: string) {
  const values = formValuesOf(await request.formData())
  return act(context, values, id, values.confirm ? confirm : values.intent === 'delete' ? remove : save)
}

async function act(
  context: Context,
  values: FormValues,
  existingId: string | undefined,
  action: (call: CallEndpoint, id: string, values: FormValues) => Promise<Action>,
) {
  const id = existingId ?? newFactId(values)
  const { done, error } = await attempt(context, (call) => action(call, id, values))
  if (done) throw redirect(`${done.to}?done=${done.done}`)
  return data<FactActionData>({ values, error, id }, error.status)
}

async function save(call: CallEndpoint, id: string, values: FormValues): Promise<Action> {
  const { fact } = await call(saveFact, { params: { id }, body: bodyOf(values) })
  return { to: factPath(fact.id), done: 'fact_saved' }
}

async function confirm(call: CallEndpoint, id: string): Promise<Action> {
  await call(confirmFact, { params: { id } })
  return { to: factPath(id), done: 'fact_confirmed' }
}

async function remove(call: CallEndpoint, id: string): Promise<Action> {
  await call(deleteFact, { params: { id } })
  return { to: FACTS, done: 'fact_deleted' }
}
