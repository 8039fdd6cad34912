import {
  type AdminAdvisory,
  acceptLevel,
  createAdvisory,
  deleteAdvisory,
  duplicateAdvisory,
  previewAdvisory,
  switchAdvisory,
  updateAdvisory,
} from '#shared/advisories/admin.ts'
import { listManagedSources } from '#shared/advisories/admin-sources.ts'
import type { AdvisoryText } from '#shared/advisories/advisory-text.ts'
import { notifyNow, type Readers } from '#shared/advisories/announcements.ts'
import { type Advisory, type AdvisoryVersion, listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { firstOf } from '#shared/assert.ts'
import type { Language } from '#shared/language.ts'
import { isNumberConfirmed, NUMBER_CHECK, recipientsChanged } from '#web/compose/estimate.ts'
import { messageIn } from '#web/compose/message.server.ts'
import type { Message } from '#web/compose/message.ts'
import { formAction, type Submission } from '#web/lib/form-action.server.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { type CallEndpoint, type FormError, visitorOf } from '#web/lib/visitor.ts'
import type { Flash } from '#web/ui/FlashMessage.tsx'
import { detailFrom } from '../detail.server.ts'
import { listed } from '../list.server.ts'
import { allNames, cardsIn, nameIn } from '../reader.server.ts'
import { type EntryValues, entryOf, valuesIn, valuesOfMessage } from './entry-values.ts'
import { editPath, MANAGE } from './paths.ts'

/** An advisory as the public would see it: as a card and in full. */
export async function viewOf(
  api: CallEndpoint,
  found: { advisory: Advisory; text: AdvisoryText; versions: AdvisoryVersion[] },
  language: Language,
) {
  const { sources } = await api(listAdvisorySources)
  return {
    detail: detailFrom({ ...found, related: [] }, sources, language),
    card: firstOf(cardsIn(language, [found.advisory])),
    sources: sources.filter(({ id }) => id === found.advisory.source_id).map((source) => listed(source, language)),
  }
}
export type View = Awaited<ReturnType<typeof viewOf>>

/** Options of the form. */
export async function choicesFor(api: CallEndpoint, language: Language) {
  const { sources } = await api(listManagedSources)
  return {
    writable: sources.filter(({ reader }) => reader === 'manual').map(({ id, organization }) => ({ id, organization })),
    countries: allNames(language)
      .map(({ name }) => name)
      .sort(new Intl.Collator(language).compare),
  }
}
export type Choices = Awaited<ReturnType<typeof choicesFor>>

interface Shown {
  entered: EntryValues
  preview: View & {
    changes: { field: string }[]
    removal: AdminAdvisory['removal']
    readers: Readers
    /** Publishing it notifies its readers. */
    is_announced: boolean
  }
  /** The form is complete: only publishing is to be confirmed. */
  isConfirming: boolean
  /** What another kind of message had. */
  carried: Message
  error: FormError
}
export type Answer = FormResult & Partial<Shown>

/** All actions of the two form pages. Each makes one call, then redirects or returns the error. */
export const actOnEntry = formAction<Partial<Shown>>(
  {
    preview,
    review: async (call, submission) => ({ ...(await preview(call, submission)), isConfirming: true }),
    edit: async (_call, { form }) => ({ entered: valuesIn(form) }),
    switch: show,
    resume: show,
    draft: save,
    publish: save,
    duplicate: async (call, { id, flash }) => {
      const { advisory } = await call(duplicateAdvisory, { params: { id } })
      return flash(editPath(advisory.id), 'duplicated')
    },
    delete: async (call, { id, text, flash }) => {
      await call(deleteAdvisory, { params: { id }, body: { made_from: text('made_from'), reason: text('reason') } })
      return flash(MANAGE, 'deleted')
    },
    notify_now: async (call, { id, text, flash }) => {
      await call(notifyNow, { params: { id }, body: { times: Number(text('times')), reason: text('reason') } })
      return flash(editPath(id), 'notified')
    },
    accept_level: async (call, { id, text, flash }) => {
      await call(acceptLevel, { params: { id }, body: { made_from: text('made_from'), reason: text('reason') } })
      return flash(editPath(id), 'level_accepted')
    },
    withdraw: switchTo({ is_active: false }, 'withdrawn'),
    restore: switchTo({ is_active: true }, 'restored'),
    urgent: switchTo({ is_urgent: true }, 'marked'),
    not_urgent: switchTo({ is_urgent: false }, 'marked'),
    notify: switchTo({ auto_notify: true }, 'marked'),
    not_notify: switchTo({ auto_notify: false }, 'marked'),
  },
  {
    onError: async (_error, { form, text }) => (WRITTEN.includes(text('intent')) ? { entered: valuesIn(form) } : {}),
  },
)

/** Intents of the form of the advisory itself. */
const WRITTEN = ['preview', 'review', 'draft', 'publish']

async function preview(call: CallEndpoint, { id, form, context }: Submission) {
  const entered = valuesIn(form)
  const { advisory, text, changes, removal, readers } = await call(previewAdvisory, {
    body: { ...entryOf(entered), ...(id ? { id } : {}) },
  })
  const view = await viewOf(call, { advisory, text, versions: [] }, visitorOf(context).language)
  const is_announced = entered.auto_notify === 'on'
  return { entered, preview: { ...view, changes, removal, readers, is_announced } }
}

/** What a form of any kind had, in this one. */
async function show(call: CallEndpoint, { form, context }: Submission): Promise<Partial<Shown>> {
  if (form.get('kind') === 'advisory') return { entered: valuesIn(form) }
  const { language } = visitorOf(context)
  const carried = messageIn(form, allNames(language))
  const { writable } = await choicesFor(call, language)
  return { carried, entered: { ...valuesOfMessage(carried, nameIn(language)), source_id: writable[0]?.id ?? '' } }
}

/** Counts again before publishing: if the number of readers is no longer the confirmed one, it is confirmed again. */
async function changedReaders(call: CallEndpoint, submission: Submission): Promise<Partial<Shown> | undefined> {
  const { form, text } = submission
  if (text('intent') !== 'publish' || !form.has('people')) return undefined
  const shown = await preview(call, submission)
  const [before, confirmed] = [Number(text('before')), Number(text('people'))]
  const people = shown.preview.is_announced ? shown.preview.readers.people : 0
  if (people !== confirmed) return { ...shown, isConfirming: true, error: recipientsChanged(people) }
  const isChecked = isNumberConfirmed({ before, recipients: people, entered: text('number_check') })
  return isChecked ? undefined : { ...shown, isConfirming: true, error: NUMBER_CHECK }
}

async function save(call: CallEndpoint, submission: Submission): Promise<string | Partial<Shown>> {
  const changed = await changedReaders(call, submission)
  if (changed) return changed
  const { id, form, text, flash } = submission
  const isDraft = text('intent') === 'draft'
  const body = { ...entryOf(valuesIn(form)), is_draft: isDraft }
  if (!id) {
    const { advisory } = await call(createAdvisory, { body: { ...body, key: text('key') } })
    return flash(editPath(advisory.id), isDraft ? 'drafted' : 'created')
  }
  await call(updateAdvisory, { params: { id }, body: { ...body, made_from: text('made_from') } })
  return flash(editPath(id), isDraft ? 'drafted' : text('standing') === 'draft' ? 'published' : 'saved')
}

function switchTo(change: { is_active?: boolean; is_urgent?: boolean; auto_notify?: boolean }, done: Flash<'manage'>) {
  return async (call: CallEndpoint, { id, text, flash }: Submission) => {
    const body = { made_from: text('made_from'), ...change, reason: text('reason') }
    await call(switchAdvisory, { params: { id }, body })
    return flash(editPath(id), done)
  }
}
