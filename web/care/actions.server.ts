import { data, type RouterContextProvider, redirect } from 'react-router'
import {
  applyCorrection,
  closeMyChurch,
  confirmMyChurch,
  declineCorrection,
  markAnswered,
  reopenMyChurch,
  requestConfirmation,
  type ScheduleInput,
  saveServices,
} from '#shared/churches/care.ts'
import { attempt, type CallEndpoint, type FormError } from '#web/lib/visitor.ts'
import { linesIn } from './lines.ts'

export interface ActionData {
  intent: string
  /** Id of the correction, message or church. */
  subject: string
  values: Record<string, string>
  error: FormError
}

type FormValues = Record<string, string>
type Action = (call: CallEndpoint, id: string, values: FormValues, form: FormData) => Promise<unknown>

const ACTIONS: Record<string, Action> = {
  confirm: (call, id) => call(confirmMyChurch, { params: { id } }),
  ask: (call, id) => call(requestConfirmation, { params: { id } }),
  close: (call, id, values) =>
    call(closeMyChurch, {
      params: { id },
      body: {
        closed_since: values.closed_since ?? '',
        closed_until: values.closed_until || null,
        closed_reason: values.closed_reason ?? '',
      },
    }),
  reopen: (call, id) => call(reopenMyChurch, { params: { id } }),
  services: (call, id, values) =>
    call(saveServices, {
      params: { id },
      body: { version: values.version ?? '', phone: values.phone ?? '', schedules: schedulesIn(values) },
    }),
  apply: (call, id, values, form) =>
    call(applyCorrection, {
      params: { id },
      body: { fields: form.getAll('field').map(String) as ['name'], note: values.note ?? '' },
    }),
  decline: (call, id, values) => call(declineCorrection, { params: { id }, body: { note: values.note ?? '' } }),
  answered: (call, id) => call(markAnswered, { params: { id } }),
}

/** Runs an action of these pages: redirects back to the page, or returns the error with the form values. */
export async function actOnCare(context: Readonly<Pick<RouterContextProvider, 'get'>>, request: Request) {
  const form = await request.formData()
  const values: FormValues = {}
  for (const [name, value] of form)
    if (typeof value === 'string') values[name] = value.trim().replace(/\r\n/g, '\n').slice(0, 6_000)
  const { intent = '', subject = '' } = values
  const action = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined
  if (!action) throw new Response('Bad Request', { status: 400 })
  const { done, error } = await attempt(context, (call) => action(call, subject, values, form))
  if (error) return data<ActionData>({ intent, subject, values, error }, { status: error.status })
  const { pathname, searchParams } = new URL(request.url)
  for (const name of ['_routes', 'index', 'done']) searchParams.delete(name)
  const isNobody = intent === 'ask' && (done as { asked: number }).asked === 0
  searchParams.set('done', isNobody ? 'ask_nobody' : intent)
  throw redirect(`${pathname.replace(/\.data$/, '')}?${searchParams}`)
}

/** The rows of services in the form. */
const schedulesIn = (values: FormValues): ScheduleInput[] =>
  linesIn(values).map((at) => {
    const get = (name: string) => values[`s${at}_${name}`] ?? ''
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
