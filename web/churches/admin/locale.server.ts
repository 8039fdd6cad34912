import { data, type RouterContextProvider, redirect } from 'react-router'
import {
  confirmLocale,
  createLocale,
  deleteLocale,
  listDuplicates,
  updateLocale,
} from '#shared/churches/managed-locale.ts'
import { addPhoto, deletePhoto, updatePhoto } from '#shared/churches/managed-photos.ts'
import { createSchedule, deleteSchedule, updateSchedule } from '#shared/churches/managed-schedules.ts'
import { createServant, deleteServant, updateServant } from '#shared/churches/managed-servants.ts'
import { attempt, type CallEndpoint, visitorOf } from '#web/lib/visitor.ts'
import type { ActionData, FormValues } from './action-data.ts'
import type { Done } from './DoneNote.tsx'
import { translatedError } from './misplaced.server.ts'
import { LOCALES, localePath } from './paths.ts'
import { localeOf, scheduleOf, servantOf } from './values.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

interface SubmittedForm {
  /** Id of the locale; empty for a new one. */
  id: string
  /** Id of the list row the form is for. */
  item: string
  values: FormValues
  form: FormData
}
type Action = (call: CallEndpoint, sent: SubmittedForm) => Promise<{ done: Done; to?: string }>

const ACTIONS: Record<string, Action> = {
  create: async (call, { values }) => {
    const { locale } = await call(createLocale, {
      body: { ...localeOf(values), save_anyway: values.save_anyway === 'on' },
    })
    return { done: 'created', to: localePath(locale.id) }
  },
  save: async (call, { id, values }) => {
    await call(updateLocale, { params: { id }, body: { ...localeOf(values), made_from: values.made_from ?? '' } })
    return { done: 'saved' }
  },
  delete: async (call, { id, values }) => {
    const body = { made_from: values.made_from ?? '', reason: values.reason ?? '' }
    await call(deleteLocale, { params: { id }, body })
    return { done: 'deleted', to: LOCALES }
  },
  confirm: async (call, { id }) => {
    await call(confirmLocale, { params: { id } })
    return { done: 'confirmed' }
  },
  servant: async (call, { id, item, values }) => {
    const body = servantOf(values)
    if (item) await call(updateServant, { params: { id, servant: item }, body })
    else await call(createServant, { params: { id }, body })
    return { done: 'servant' }
  },
  remove_servant: async (call, { id, item }) => {
    await call(deleteServant, { params: { id, servant: item } })
    return { done: 'servant_removed' }
  },
  schedule: async (call, { id, item, values }) => {
    const body = scheduleOf(values)
    if (item) await call(updateSchedule, { params: { id, schedule: item }, body })
    else await call(createSchedule, { params: { id }, body })
    return { done: 'schedule' }
  },
  remove_schedule: async (call, { id, item }) => {
    await call(deleteSchedule, { params: { id, schedule: item } })
    return { done: 'schedule_removed' }
  },
  photo: async (call, { id, item, values, form }) => {
    if (item) {
      const position = Number(values.position)
      const body = { description: values.description ?? '', ...(position > 0 ? { position: position - 1 } : {}) }
      await call(updatePhoto, { params: { id, file: item }, body })
      return { done: 'photo' }
    }
    const file = form.get('file')
    const upload = file instanceof File && file.size > 0 ? file : undefined
    const body = upload && { read: async () => ({ bytes: await upload.bytes(), name: upload.name }) }
    await call(addPhoto, { params: { id }, query: { description: values.description ?? '' }, body: body as never })
    return { done: 'photo' }
  },
  remove_photo: async (call, { id, item }) => {
    await call(deletePhoto, { params: { id, file: item } })
    return { done: 'photo_removed' }
  },
}

/** Anchor of each form, for the redirect. */
const ANCHORS: Partial<Record<Done, string>> = {
  servant: '#servants',
  servant_removed: '#servants',
  schedule: '#schedules',
  schedule_removed: '#schedules',
  photo: '#photos',
  photo_removed: '#photos',
}

/** Runs an action of the locale forms: one call each, then a redirect to the page, or the error. */
export async function actOnLocale(context: Context, request: Request, id = '') {
  const form = await request.formData()
  const values = formValuesOf(form)
  const { intent = '', item = '' } = values
  const action = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined
  if (!action) throw new Response('Bad Request', { status: 400 })
  const { done, error: actionError } = await attempt(context, (call) => action(call, { id, item, values, form }))
  if (done) throw redirect(`${done.to ?? localePath(id)}?done=${done.done}${ANCHORS[done.done] ?? ''}`)
  const error = translatedError(visitorOf(context).language, actionError)
  const duplicates = error.code === 'possible_duplicate' ? await duplicatesOf(context, values) : undefined
  // The delete button is inside the edit form.
  const of = intent.replace('remove_', '')
  return data<ActionData>({ intent: of, item, values, error, ...(duplicates ? { duplicates } : {}) }, error.status)
}

async function duplicatesOf(context: Context, values: FormValues) {
  const { name = '', city = '', country_code = '', latitude, longitude } = localeOf(values)
  const point = latitude != null && longitude != null ? { latitude, longitude } : {}
  const query = { name: name ?? '', city: city ?? '', country_code: country_code ?? '', ...point }
  return (await visitorOf(context).api(listDuplicates, { query })).duplicates
}

export function formValuesOf(form: FormData): FormValues {
  const values: FormValues = {}
  for (const [name, value] of form) if (typeof value === 'string') values[name] = value.trim().slice(0, 6_000)
  return values
}
