import { data, type RouterContextProvider, redirect } from 'react-router'
import {
  applyCorrection,
  askCared,
  closeCared,
  confirmCared,
  declineCorrection,
  markAnswered,
  reopenCared,
  type ScheduleInput,
  saveServices,
} from '#shared/churches/care.ts'
import { attempt, type CallEndpoint, type Failure } from '../lib/visitor.ts'
import { linesIn } from './lines.ts'

export interface Posted {
  intent: string
  /** The correction, message or church it was about. */
  subject: string
  typed: Record<string, string>
  failure: Failure
}

type Typed = Record<string, string>
type Deed = (call: CallEndpoint, id: string, typed: Typed, form: FormData) => Promise<unknown>

const DEEDS: Record<string, Deed> = {
  confirm: (call, id) => call(confirmCared, { params: { id } }),
  ask: (call, id) => call(askCared, { params: { id } }),
  close: (call, id, typed) =>
    call(closeCared, {
      params: { id },
      body: {
        closed_since: typed.closed_since ?? '',
        closed_until: typed.closed_until || null,
        closed_reason: typed.closed_reason ?? '',
      },
    }),
  reopen: (call, id) => call(reopenCared, { params: { id } }),
  services: (call, id, typed) =>
    call(saveServices, {
      params: { id },
      body: { version: typed.version ?? '', phone: typed.phone ?? '', schedules: schedulesIn(typed) },
    }),
  apply: (call, id, typed, form) =>
    call(applyCorrection, {
      params: { id },
      body: { fields: form.getAll('field').map(String) as ['name'], note: typed.note ?? '' },
    }),
  decline: (call, id, typed) => call(declineCorrection, { params: { id }, body: { note: typed.note ?? '' } }),
  answered: (call, id) => call(markAnswered, { params: { id } }),
}

/** What a form of these pages asked for: done, and back to the page, or refused with what was typed. */
export async function actOnCare(context: Readonly<Pick<RouterContextProvider, 'get'>>, request: Request) {
  const form = await request.formData()
  const typed: Typed = {}
  for (const [name, value] of form)
    if (typeof value === 'string') typed[name] = value.trim().replace(/\r\n/g, '\n').slice(0, 6_000)
  const { intent = '', subject = '' } = typed
  const deed = Object.hasOwn(DEEDS, intent) ? DEEDS[intent] : undefined
  if (!deed) throw new Response('Bad Request', { status: 400 })
  const { done, failure } = await attempt(context, (call) => deed(call, subject, typed, form))
  if (failure) return data<Posted>({ intent, subject, typed, failure }, { status: failure.status })
  const { pathname, searchParams } = new URL(request.url)
  for (const name of ['_routes', 'index', 'done']) searchParams.delete(name)
  const isNobody = intent === 'ask' && (done as { asked: number }).asked === 0
  searchParams.set('done', isNobody ? 'ask_nobody' : intent)
  throw redirect(`${pathname.replace(/\.data$/, '')}?${searchParams}`)
}

/** The lines of services as they stand in the form. */
const schedulesIn = (typed: Typed): ScheduleInput[] =>
  linesIn(typed).map((at) => {
    const get = (name: string) => typed[`s${at}_${name}`] ?? ''
    return {
      id: get('id') || null,
      day_of_week: /^[0-6]$/.test(get('day')) ? Number(get('day')) : null,
      recurrence: get('recurrence') || null,
      starts_on: get('starts_on') || null,
      ends_on: get('ends_on') || null,
      time: get('time').slice(0, 5),
      end_time: get('end_time').slice(0, 5) || null,
      service_type: get('service_type') as ScheduleInput['service_type'],
      title: get('title'),
      language: get('language'),
      is_online: get('is_online') === 'yes',
      online_url: get('online_url'),
      note: get('note'),
    }
  })
