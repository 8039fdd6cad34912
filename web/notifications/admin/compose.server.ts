import { data, type RouterContextProvider, redirect } from 'react-router'
import { createNotice, listTellable, updateNotice } from '#shared/notifications/notices.ts'
import { type FoundPerson, searchAdmin } from '#shared/overview/endpoints.ts'
import { countriesIn } from '../../churches/admin/choices.server.ts'
import { api, attempt, type Failure, visitorOf } from '../../lib/visitor.ts'
import { noticePath } from './paths.ts'
import { bodyOf, type Typed, typedOf } from './values.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** A form that came back: refused, or with the people it asked for. */
export interface Posted {
  typed: Typed
  failure?: Failure
  found?: FoundPerson[]
}

/** What the form of a notice offers to choose from, and the person `to` whom it is begun. */
export async function composeChoices(context: Context, to?: string) {
  const { roles, countries, chapters, recipient } = await api(context)(listTellable, { query: to ? { to } : {} })
  const named = countriesIn(visitorOf(context).language).filter(({ code }) => !countries || countries.includes(code))
  return { roles, countries: named, chapters, recipient }
}

/** Saves the notice, or finds people for it. */
export async function compose(context: Context, request: Request, id?: string) {
  const typed = typedOf(await request.formData())
  const intent = typed.intent?.[0]
  if (intent === 'find') return data<Posted>(await find(context, typed))
  const body = bodyOf(typed, intent === 'sketch')
  const made_from = typed.made_from?.[0]
  const { done, failure } = await attempt(context, (call) =>
    id
      ? call(updateNotice, { params: { id }, body: { ...body, ...(made_from ? { made_from } : {}) } })
      : call(createNotice, { body }),
  )
  if (done) throw redirect(`${noticePath(done.id)}?done=saved`)
  return data<Posted>({ typed, failure }, failure.status)
}

async function find(context: Context, typed: Typed): Promise<Posted> {
  const search = typed.find?.[0]?.trim() ?? ''
  if (search.length < 2) return { typed, found: [] }
  const { done, failure } = await attempt(context, (call) => call(searchAdmin, { query: { search } }))
  return failure ? { typed, failure } : { typed, found: done.people }
}
