import { data, type RouterContextProvider, redirect } from 'react-router'
import { confirmFact, deleteFact, saveFact } from '#shared/assistant/facts.ts'
import { attempt, type CallEndpoint, type Failure } from '../../lib/visitor.ts'
import type { Done } from './DoneNote.tsx'
import { bodyOf, newFactId, type Typed, typedOf } from './factValues.ts'
import { FACTS, factPath } from './paths.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** A fact that was refused, as it was typed. */
interface PostedFact {
  typed: Typed
  failure: Failure
  /** Where the fact is that stands in the way, or that was changed. */
  id: string
}

interface Deed {
  to: string
  done: Done
}

/** Writes a fact: a new one under a name of its own, or another version of the one of this id. */
export async function saveTyped(context: Context, request: Request, id?: string) {
  return act(context, typedOf(await request.formData()), id, save)
}

/** Everything the forms of a fact can ask for. */
export async function actOnFact(context: Context, request: Request, id: string) {
  const typed = typedOf(await request.formData())
  return act(context, typed, id, typed.confirm ? confirm : typed.intent === 'delete' ? remove : save)
}

async function act(
  context: Context,
  typed: Typed,
  given: string | undefined,
  deed: (call: CallEndpoint, id: string, typed: Typed) => Promise<Deed>,
) {
  const id = given ?? newFactId(typed)
  const { done, failure } = await attempt(context, (call) => deed(call, id, typed))
  if (done) throw redirect(`${done.to}?done=${done.done}`)
  return data<PostedFact>({ typed, failure, id }, failure.status)
}

async function save(call: CallEndpoint, id: string, typed: Typed): Promise<Deed> {
  const { fact } = await call(saveFact, { params: { id }, body: bodyOf(typed) })
  return { to: factPath(fact.id), done: 'fact_saved' }
}

async function confirm(call: CallEndpoint, id: string): Promise<Deed> {
  await call(confirmFact, { params: { id } })
  return { to: factPath(id), done: 'fact_confirmed' }
}

async function remove(call: CallEndpoint, id: string): Promise<Deed> {
  await call(deleteFact, { params: { id } })
  return { to: FACTS, done: 'fact_deleted' }
}
