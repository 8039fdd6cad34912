import type { RouterContextProvider } from 'react-router'
import {
  createAnnouncement,
  deleteAnnouncement,
  estimateAnnouncement,
  listAudienceChoices,
  sendAnnouncement,
  testAnnouncement,
  updateAnnouncement,
} from '#shared/notifications/announcements.ts'
import { type FoundUser, searchAdmin } from '#shared/overview/endpoints.ts'
import { countriesIn } from '#web/churches/admin/choices.server.ts'
import { type Counted, isNumberConfirmed, NUMBER_CHECK } from '#web/compose/estimate.ts'
import { messageIn } from '#web/compose/message.server.ts'
import { personLine } from '#web/compose/message.ts'
import { formAction, type Submission } from '#web/lib/form-action.server.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { translator } from '#web/lib/i18n.tsx'
import { api, attempt, type CallEndpoint, type FormError, visitorOf } from '#web/lib/visitor.ts'
import { audienceOptions, hasAudience } from './audience.ts'
import { ANNOUNCEMENTS, announcementPath, editPath } from './paths.ts'
import { bodyOf, type FormValues, formValuesOf, valuesOfMessage } from './values.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** A form to show again: rejected, with the users found, or with what another kind of message had. */
interface Shown {
  lists: FormValues
  found: FoundUser[]
  counted: Counted | null
  error: FormError
}
export type ActionData = FormResult & Partial<Shown>

/** Options of the announcement form, and the user `to` whom it is preset. */
export async function composeChoices(context: Context, to?: string) {
  const { countries, ...choices } = await api(context)(listAudienceChoices, { query: to ? { to } : {} })
  const named = countriesIn(visitorOf(context).language).filter(({ code }) => !countries || countries.includes(code))
  return { ...choices, countries: named }
}

/** Every action of the composer of announcements. */
export const compose = formAction<Partial<Shown>>(
  {
    // Enter in a field: adds what was entered as a recipient, otherwise goes on.
    continue: (call, submission) => (submission.text('add').trim() ? add(call, submission) : review(call, submission)),
    review,
    add,
    estimate: async (call, submission) => {
      const lists = formValuesOf(submission.form)
      return { lists, counted: await count(call, lists, submission) }
    },
    switch: show,
    resume: show,
    sketch: async (call, submission) => {
      const { id } = await save(call, submission, true)
      return submission.flash(editPath(id), 'saved')
    },
    test: async (call, submission) => {
      const { id } = await save(call, submission, true)
      await call(testAnnouncement, { params: { id } })
      return submission.flash(editPath(id), 'tested')
    },
    send,
    delete: async (call, { id, flash }) => {
      await call(deleteAnnouncement, { params: { id } })
      return flash(ANNOUNCEMENTS, 'deleted')
    },
  },
  { onError: async (_error, { form, text }) => (text('intent') === 'send' ? {} : { lists: formValuesOf(form) }) },
)

/** Saves the draft and asks for confirmation. */
async function review(call: CallEndpoint, submission: Submission): Promise<string> {
  const { id } = await save(call, submission, false)
  const before = submission.text('shown')
  return `${editPath(id)}?action=send${/^\d+$/.test(before) ? `&before=${before}` : ''}`
}

async function save(call: CallEndpoint, { id, form, text }: Submission, isSketch: boolean) {
  const body = bodyOf(formValuesOf(form), isSketch)
  const made_from = text('made_from')
  return id
    ? await call(updateAnnouncement, { params: { id }, body: { ...body, ...(made_from ? { made_from } : {}) } })
    : await call(createAnnouncement, { body })
}

/** Sends what was confirmed. The endpoint counts again; a jump of the number has to be entered. */
async function send(call: CallEndpoint, { id, text, flash }: Submission) {
  const [before, people, made_from] = [Number(text('before')), Number(text('people')), text('made_from')]
  if (!isNumberConfirmed({ before, recipients: people, entered: text('number_check') })) return { error: NUMBER_CHECK }
  const body = { ...(made_from ? { made_from } : {}), people }
  const { status } = await call(sendAnnouncement, { params: { id }, body })
  return flash(announcementPath(id), status === 'for_approval' ? 'submitted' : 'sent')
}

/** What a form of any kind had, in this one. */
async function show(call: CallEndpoint, submission: Submission): Promise<Partial<Shown>> {
  const { form, context } = submission
  const isOwn = form.get('kind') === 'announcement'
  const lists = isOwn ? formValuesOf(form) : valuesOfMessage(messageIn(form, countriesIn(visitorOf(context).language)))
  const { done } = await attempt(context, () => count(call, lists, submission))
  return { lists, counted: done ?? null }
}

/** Adds a country, chapter or role by its name, or looks for people. */
async function add(call: CallEndpoint, submission: Submission): Promise<Partial<Shown>> {
  const lists = formValuesOf(submission.form)
  const search = submission.text('add').trim()
  const language = visitorOf(submission.context).language
  const texts = { compose: translator(language, 'compose'), admin: translator(language, 'admin') }
  const options = audienceOptions(await composeChoices(submission.context), texts)
  const option = options.find(({ label }) => label.toLowerCase() === search.toLowerCase())
  const found = option || search.length < 2 ? [] : (await call(searchAdmin, { query: { search } })).people
  const only = found.length === 1 ? found[0] : undefined
  const pick = option ?? (only && { name: 'found', value: personLine(only) })
  const { add: _, ...others } = lists
  const added = pick ? { ...others, [pick.name]: [...new Set([...(lists[pick.name] ?? []), pick.value])] } : lists
  const { done } = await attempt(submission.context, () => count(call, added, submission))
  return { lists: added, ...(pick ? {} : { found }), counted: done ?? null }
}

const count = (call: CallEndpoint, lists: FormValues, { id, context }: Submission) =>
  countedOf(call, lists, visitorOf(context), id)

/** Counts the recipients of a form; null without any. */
export async function countedOf(
  call: CallEndpoint,
  lists: FormValues,
  { now }: { now: Date },
  id?: string,
): Promise<Counted | null> {
  if (!hasAudience(lists)) return null
  const { audience, channels, priority, texts, action_url } = bodyOf(lists, true)
  const body = { audience, channels, priority, texts, action_url, ...(id ? { id } : {}) }
  return { estimate: await call(estimateAnnouncement, { body }), now: now.toISOString() }
}
