import { data, redirect } from 'react-router'
import type { Answer } from '#shared/roll-calls/answers.ts'
import { closeHelp, closeRollCall, remindRollCall, takeCare, writeAnswer } from '#shared/roll-calls/endpoints.ts'
import { attempt, type CallEndpoint, type Failure, type visitorOf } from '../lib/visitor.ts'

export interface Posted {
  intent: string
  /** The person it was about; empty for the roll-call itself. */
  subject: string
  typed: Record<string, string>
  failure?: Failure
  /** Somebody else was first. */
  taken_by?: string
}

type Typed = Record<string, string>
type Deed = (call: CallEndpoint, id: string, typed: Typed) => Promise<unknown>

const DEEDS: Record<string, Deed> = {
  take: (call, id, { subject = '' }) => call(takeCare, { params: { id, person: subject } }),
  helped: (call, id, { subject = '', note = '' }) =>
    call(closeHelp, { params: { id, person: subject }, body: { note } }),
  answer: (call, id, { subject = '', note = '', answer }) =>
    call(writeAnswer, { params: { id, person: subject }, body: { answer: answer as Answer, note } }),
  remind: (call, id) => call(remindRollCall, { params: { id } }),
  close: (call, id) => call(closeRollCall, { params: { id } }),
}

/** What a form of the page asked for: done and back to the page, taken by another before, or refused with what was typed. */
export async function actOnRollCall(context: Parameters<typeof visitorOf>[0], request: Request, id: string) {
  const form = await request.formData()
  const typed = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) as Typed
  const { intent = '', subject = '' } = typed
  const deed = Object.hasOwn(DEEDS, intent) ? DEEDS[intent] : undefined
  if (!deed) throw new Response('Bad Request', { status: 400 })
  const { done, failure } = await attempt(context, (call) => deed(call, id, typed))
  if (failure) return data<Posted>({ intent, subject, typed, failure }, { status: failure.status })
  const taken = done as { is_mine?: boolean; helper_name?: string }
  if (taken.is_mine === false)
    return data<Posted>({ intent, subject, typed, taken_by: taken.helper_name ?? '' }, { status: 200 })
  const { pathname, searchParams } = new URL(request.url)
  for (const name of ['_routes', 'index', 'action']) searchParams.delete(name)
  searchParams.set('done', intent)
  throw redirect(`${pathname.replace(/\.data$/, '')}?${searchParams}`)
}
