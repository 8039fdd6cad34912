import type { RouterContextProvider } from 'react-router'
import { createAnnouncement, listAudienceChoices, updateAnnouncement } from '#shared/notifications/announcements.ts'
import { type FoundUser, searchAdmin } from '#shared/overview/endpoints.ts'
import { countriesIn } from '#web/churches/admin/choices.server.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { api, type CallEndpoint, visitorOf } from '#web/lib/visitor.ts'
import { announcementPath } from './paths.ts'
import { bodyOf, type FormValues, formValuesOf } from './values.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** A form to show again: rejected, or with the users found. */
interface Shown {
  lists: FormValues
  found: FoundUser[]
}
export type ActionData = FormResult & Partial<Shown>

/** Options of the announcement form, and the user `to` whom it is preset. */
export async function composeChoices(context: Context, to?: string) {
  const { roles, countries, chapters, recipient } = await api(context)(listAudienceChoices, { query: to ? { to } : {} })
  const named = countriesIn(visitorOf(context).language).filter(({ code }) => !countries || countries.includes(code))
  return { roles, countries: named, chapters, recipient }
}

/** Saves the announcement, or searches users for it. */
export const compose = formAction<Partial<Shown>>(
  async (call, { id, form, text, flash }) => {
    const lists = formValuesOf(form)
    if (text('intent') === 'find') return { lists, found: await find(call, text('find').trim()) }
    const body = bodyOf(lists, text('intent') === 'sketch')
    const made_from = text('made_from')
    const saved = id
      ? await call(updateAnnouncement, { params: { id }, body: { ...body, ...(made_from ? { made_from } : {}) } })
      : await call(createAnnouncement, { body })
    return flash(announcementPath(saved.id), 'saved')
  },
  { onError: async (_error, { form }) => ({ lists: formValuesOf(form) }) },
)

async function find(call: CallEndpoint, search: string): Promise<FoundUser[]> {
  return search.length < 2 ? [] : (await call(searchAdmin, { query: { search } })).people
}
