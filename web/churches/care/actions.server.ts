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
import { formAction, type Submission } from '#web/lib/form-action.server.ts'
import type { FormValues } from '#web/lib/form-result.ts'
import type { CallEndpoint } from '#web/lib/visitor.ts'
import { linesIn } from './lines.ts'

/** Calls an endpoint for the correction, message or church of the form, and returns to the page. */
const on =
  (run: (call: CallEndpoint, id: string, submission: Submission) => Promise<unknown>) =>
  async (call: CallEndpoint, submission: Submission) => {
    await run(call, submission.text('subject'), submission)
    return submission.back(submission.text('intent'))
  }

/** All actions of these pages. */
export const actOnCare = formAction({
  confirm: on((call, id) => call(confirmMyChurch, { params: { id } })),
  ask: async (call, { text, back }) => {
    const { asked } = await call(requestConfirmation, { params: { id: text('subject') } })
    return back(asked === 0 ? 'ask_nobody' : 'ask')
  },
  close: on((call, id, { values }) =>
    call(closeMyChurch, {
      params: { id },
      body: {
        closed_since: values.closed_since ?? '',
        closed_until: values.closed_until || null,
        closed_reason: values.closed_reason ?? '',
      },
    }),
  ),
  reopen: on((call, id) => call(reopenMyChurch, { params: { id } })),
  services: on((call, id, { values }) =>
    call(saveServices, {
      params: { id },
      body: { version: values.version ?? '', phone: values.phone ?? '', schedules: schedulesIn(values) },
    }),
  ),
  apply: on((call, id, { values, all }) =>
    call(applyCorrection, { params: { id }, body: { fields: all('field') as ['name'], note: values.note ?? '' } }),
  ),
  decline: on((call, id, { values }) => call(declineCorrection, { params: { id }, body: { note: values.note ?? '' } })),
  answered: on((call, id) => call(markAnswered, { params: { id } })),
})

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
