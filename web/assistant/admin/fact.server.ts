import { data, type RouterContextProvider, redirect } from 'react-router'
import { confirmFact, deleteFact, saveFact } from '#shared/assistant/facts.ts'
import { attempt, type CallEndpoint, type FormError } from '#web/lib/visitor.ts'
import type { Done } from './DoneNote.tsx'
import { bodyOf, type FormValues, formValuesOf, newFactId } from './fact-values.ts'
import { FACTS, factPath } from './paths.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** A fact that was refused, as it was typed. */
interface FactActionData {
  values: FormValues
  error: FormError
  /** Where the fact is that stands in the way, or that was changed. */
  id: string
}

interface Action {
  to: string
  done: Done
}

/** Writes a fact: a new one under a name of its own, or another version of the one of this id. */
export async function saveFactForm(context: Context, request: Request, id?: string) {
  return act(context, formValuesOf(await request.formData()), id, save)
}

/** Everything the forms of a fact can ask for. */
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
