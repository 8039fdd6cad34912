import { data, redirect } from 'react-router'
import type { Answer } from '#shared/roll-calls/answers.ts'
import { closeHelp, closeRollCall, remindRollCall, takeCare, writeAnswer } from '#shared/roll-calls/endpoints.ts'
import { attempt, type CallEndpoint, type FormError, type visitorOf } from '#web/lib/visitor.ts'

export interface ActionData {
  intent: string
  /** Id of the recipient; empty for the roll call itself. */
  subject: string
  values: Record<string, string>
  error?: FormError
  /** Another helper was first. */
  taken_by?: string
}

type FormValues = Record<string, string>
type Action = (call: CallEndpoint, id: string, values: FormValues) => Promise<unknown>

const ACTIONS: Record<string, Action> = {
  take: (call, id, { subject = '' }) => call(takeCare, { params: { id, person: subject } }),
  helped: (call, id, { subject = '', note = '' }) =>
    call(closeHelp, { params: { id, person: subject }, body: { note } }),
  answer: (call, id, { subject = '', note = '', answer }) =>
    call(writeAnswer, { params: { id, person: subject }, body: { answer: answer as Answer, note } }),
  remind: (call, id) => call(remindRollCall, { params: { id } }),
  close: (call, id) => call(closeRollCall, { params: { id } }),
}

/**
 * Runs an action of the page: redirects back, reports that another helper was first, or returns the error with the form
 * values.
 */
export async function actOnRollCall(context: Parameters<typeof visitorOf>[0], request: Request, id: string) {
  const form = await request.formData()
  const values = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) as FormValues
  const { intent = '', subject = '' } = values
  const action = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined
  if (!action) throw new Response('Bad Request', { status: 400 })
  const { done, error } = await attempt(context, (call) => action(call, id, values))
  if (error) return data<ActionData>({ intent, subject, values, error }, { status: error.status })
  const taken = done as { is_mine?: boolean; helper_name?: string }
  if (taken.is_mine === false)
    return data<ActionData>({ intent, subject, values, taken_by: taken.helper_name ?? '' }, { status: 200 })
  const { pathname, searchParams } = new URL(request.url)
  for (const name of ['_routes', 'index', 'action']) searchParams.delete(name)
  searchParams.set('done', intent)
  throw redirect(`${pathname.replace(/\.data$/, '')}?${searchParams}`)
}
