import { data, type RouterContextProvider, redirect } from 'react-router'
import { createAnnouncement, listAudienceChoices, updateAnnouncement } from '#shared/notifications/announcements.ts'
import { type FoundUser, searchAdmin } from '#shared/overview/endpoints.ts'
import { countriesIn } from '#web/churches/admin/choices.server.ts'
import { api, attempt, type FormError, visitorOf } from '#web/lib/visitor.ts'
import { announcementPath } from './paths.ts'
import { bodyOf, type FormValues, formValuesOf } from './values.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** A form to show again: rejected, or with the users found. */
export interface ActionData {
  values: FormValues
  error?: FormError
  found?: FoundUser[]
}

/** Options of the announcement form, and the user `to` whom it is preset. */
export async function composeChoices(context: Context, to?: string) {
  const { roles, countries, chapters, recipient } = await api(context)(listAudienceChoices, { query: to ? { to } : {} })
  const named = countriesIn(visitorOf(context).language).filter(({ code }) => !countries || countries.includes(code))
  return { roles, countries: named, chapters, recipient }
}

/** Saves the announcement, or searches users for it. */
export async function compose(context: Context, request: Request, id?: string) {
  const values = formValuesOf(await request.formData())
  const intent = values.intent?.[0]
  if (intent === 'find') return data<ActionData>(await find(context, values))
  const body = bodyOf(values, intent === 'sketch')
  const made_from = values.made_from?.[0]
  const { done, error } = await attempt(context, (call) =>
    id
      ? call(updateAnnouncement, { params: { id }, body: { ...body, ...(made_from ? { made_from } : {}) } })
      : call(createAnnouncement, { body }),
  )
  if (done) throw redirect(`${announcementPath(done.id)}?done=saved`)
  return data<ActionData>({ values, error }, error.status)
}

async function find(context: Context, values: FormValues): Promise<ActionData> {
  const search = values.find?.[0]?.trim() ?? ''
  if (search.length < 2) return { values, found: [] }
  const { done, error } = await attempt(context, (call) => call(searchAdmin, { query: { search } }))
  return error ? { values, error } : { values, found: done.people }
}
