import {
  confirmLocale,
  createLocale,
  type Duplicate,
  deleteLocale,
  listDuplicates,
  updateLocale,
} from '#shared/churches/managed-locale.ts'
import { addPhoto, deletePhoto, updatePhoto } from '#shared/churches/managed-photos.ts'
import { createSchedule, deleteSchedule, updateSchedule } from '#shared/churches/managed-schedules.ts'
import { createServant, deleteServant, updateServant } from '#shared/churches/managed-servants.ts'
import { formAction, type Submission } from '#web/lib/form-action.server.ts'
import type { FormValues } from '#web/lib/form-result.ts'
import { type FormError, visitorOf } from '#web/lib/visitor.ts'
import { translatedError } from './misplaced.server.ts'
import { LOCALES, localePath } from './paths.ts'
import { localeOf, scheduleOf, servantOf } from './values.ts'

/** The largest photo, with the overhead of the form encoding. */
const MAX_BYTES = 16 * 1024 * 1024

/** All actions of the locale forms; `item` is the id of the list row that a form is for. */
export const actOnLocale = formAction<{ duplicates: Duplicate[] }>(
  {
    create: async (call, { values, flash }) => {
      const { locale } = await call(createLocale, {
        body: { ...localeOf(values), save_anyway: values.save_anyway === 'on' },
      })
      return flash(localePath(locale.id), 'created')
    },
    save: async (call, { id, values, flash }) => {
      await call(updateLocale, { params: { id }, body: { ...localeOf(values), made_from: values.made_from ?? '' } })
      return flash(localePath(id), 'saved')
    },
    delete: async (call, { id, values, flash }) => {
      const body = { made_from: values.made_from ?? '', reason: values.reason ?? '' }
      await call(deleteLocale, { params: { id }, body })
      return flash(LOCALES, 'deleted')
    },
    confirm: async (call, { id, flash }) => {
      await call(confirmLocale, { params: { id } })
      return flash(localePath(id), 'confirmed')
    },
    servant: async (call, { id, values, text, flash }) => {
      const item = text('item')
      const body = servantOf(values)
      if (item) await call(updateServant, { params: { id, servant: item }, body })
      else await call(createServant, { params: { id }, body })
      return flash(`${localePath(id)}#servants`, 'servant')
    },
    remove_servant: async (call, { id, text, flash }) => {
      await call(deleteServant, { params: { id, servant: text('item') } })
      return flash(`${localePath(id)}#servants`, 'servant_removed')
    },
    schedule: async (call, { id, values, text, flash }) => {
      const item = text('item')
      const body = scheduleOf(values)
      if (item) await call(updateSchedule, { params: { id, schedule: item }, body })
      else await call(createSchedule, { params: { id }, body })
      return flash(`${localePath(id)}#schedules`, 'schedule')
    },
    remove_schedule: async (call, { id, text, flash }) => {
      await call(deleteSchedule, { params: { id, schedule: text('item') } })
      return flash(`${localePath(id)}#schedules`, 'schedule_removed')
    },
    photo: async (call, { id, values, form, text, flash }) => {
      const item = text('item')
      if (item) {
        const position = Number(values.position)
        const body = { description: values.description ?? '', ...(position > 0 ? { position: position - 1 } : {}) }
        await call(updatePhoto, { params: { id, file: item }, body })
        return flash(`${localePath(id)}#photos`, 'photo')
      }
      const file = form.get('file')
      const upload = file instanceof File && file.size > 0 ? file : undefined
      const body = upload && { read: async () => ({ bytes: await upload.bytes(), name: upload.name }) }
      await call(addPhoto, { params: { id }, query: { description: values.description ?? '' }, body: body as never })
      return flash(`${localePath(id)}#photos`, 'photo')
    },
    remove_photo: async (call, { id, text, flash }) => {
      await call(deletePhoto, { params: { id, file: text('item') } })
      return flash(`${localePath(id)}#photos`, 'photo_removed')
    },
  },
  { maxBytes: MAX_BYTES, onError: explain },
)

/** Names countries in the user's language, and the churches that a new one may be the same as. */
async function explain(error: FormError, { context, values }: Submission) {
  const { intent = '' } = values
  const isDuplicate = error.code === 'possible_duplicate'
  return {
    // The delete button is inside the edit form.
    intent: intent.replace('remove_', ''),
    error: translatedError(visitorOf(context).language, error),
    ...(isDuplicate ? { duplicates: await duplicatesOf(context, values) } : {}),
  }
}

async function duplicatesOf(context: Submission['context'], values: FormValues) {
  const { name = '', city = '', country_code = '', latitude, longitude } = localeOf(values)
  const point = latitude != null && longitude != null ? { latitude, longitude } : {}
  const query = { name: name ?? '', city: city ?? '', country_code: country_code ?? '', ...point }
  return (await visitorOf(context).api(listDuplicates, { query })).duplicates
}
