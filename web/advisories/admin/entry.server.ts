import { data, redirect } from 'react-router'
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
import { notifyNow } from '#shared/advisories/announcements.ts'
import { type Advisory, type AdvisoryVersion, listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { firstOf, present } from '#shared/assert.ts'
import type { Language } from '#shared/language.ts'
import { attempt, type CallEndpoint, type FormError, type Visitor, visitorOf } from '#web/lib/visitor.ts'
import type { Flash } from '#web/ui/FlashMessage.tsx'
import { detailFrom } from '../detail.server.ts'
import { listed } from '../list.server.ts'
import { allNames, cardsIn } from '../reader.server.ts'
import { type EntryValues, entryOf, valuesIn } from './entry-values.ts'
import { editPath, MANAGE } from './paths.ts'

/** An advisory as the public would see it: as a card and in full. */
export async function viewOf(
  api: CallEndpoint,
  found: { advisory: Advisory; versions: AdvisoryVersion[] },
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

export interface Answer {
  intent: string
  error?: FormError | undefined
  values?: EntryValues
  preview?: View & { changes: { field: string }[]; removal: AdminAdvisory['removal'] }
  /** Idempotency key of the form. */
  key?: string
  seen?: number
}

interface ActionInput {
  context: { get: (key: never) => unknown }
  request: Request
  id?: string
}

/** All actions of the two form pages. Each makes one call, then redirects or returns the error. */
export async function act({ context, request, id }: ActionInput) {
  const visitor = visitorOf(context as never)
  const form = await request.formData()
  const intent = String(form.get('intent'))
  if (intent === 'preview') return preview(context, visitor, form, id)
  const { error, done } = await attempt(context as never, (call) => run(call, intent, form, id))
  if (!error) throw redirect(`${done.to}?done=${done.done}`)
  const seen = Number(form.get('seen'))
  const isEntry = intent === 'draft' || intent === 'publish'
  const formState = isEntry ? { values: valuesIn(form), key: String(form.get('key') ?? '') } : {}
  return data<Answer>({ error, intent, seen, ...formState }, error.status)
}

async function preview(context: ActionInput['context'], visitor: Visitor, form: FormData, id: string | undefined) {
  const values = valuesIn(form)
  const { error, done } = await attempt(context as never, async (call) => {
    const { advisory, changes, removal } = await call(previewAdvisory, {
      body: { ...entryOf(values), ...(id ? { id } : {}) },
    })
    return { ...(await viewOf(call, { advisory, versions: [] }, visitor.language)), changes, removal }
  })
  const formState = { intent: 'preview', values, key: String(form.get('key') ?? '') }
  return error ? data<Answer>({ error, ...formState }, error.status) : data<Answer>({ preview: done, ...formState })
}

async function run(
  call: CallEndpoint,
  intent: string,
  form: FormData,
  id: string | undefined,
): Promise<{ to: string; done: Flash<'manage'> }> {
  const text = (name: string) => String(form.get(name) ?? '')
  if (intent === 'draft' || intent === 'publish') {
    const body = { ...entryOf(valuesIn(form)), is_draft: intent === 'draft' }
    if (!id) {
      const { advisory } = await call(createAdvisory, { body: { ...body, key: text('key') } })
      return { to: editPath(advisory.id), done: intent === 'draft' ? 'drafted' : 'created' }
    }
    await call(updateAdvisory, { params: { id }, body: { ...body, made_from: text('made_from') } })
    const done = intent === 'draft' ? 'drafted' : text('standing') === 'draft' ? 'published' : 'saved'
    return { to: editPath(id), done }
  }
  const params = { id: present(id, 'the id of the advisory') }
  const made_from = text('made_from')
  if (intent === 'duplicate') {
    const { advisory } = await call(duplicateAdvisory, { params })
    return { to: editPath(advisory.id), done: 'duplicated' }
  }
  if (intent === 'delete') {
    await call(deleteAdvisory, { params, body: { made_from, reason: text('reason') } })
    return { to: MANAGE, done: 'deleted' }
  }
  if (intent === 'notify') {
    await call(notifyNow, { params, body: { times: Number(text('times')), reason: text('reason') } })
    return { to: editPath(params.id), done: 'notified' }
  }
  if (intent === 'accept_level') {
    await call(acceptLevel, { params, body: { made_from, reason: text('reason') } })
    return { to: editPath(params.id), done: 'level_accepted' }
  }
  if (!Object.hasOwn(SWITCHES, intent))
    throw data({ error: 'This action is not available here.', code: 'unknown_intent' }, 400)
  const [change, done] = SWITCHES[intent as keyof typeof SWITCHES]
  await call(switchAdvisory, { params, body: { made_from, ...change, reason: text('reason') } })
  return { to: editPath(params.id), done }
}

const SWITCHES = {
  withdraw: [{ is_active: false }, 'withdrawn'],
  restore: [{ is_active: true }, 'restored'],
  urgent: [{ is_urgent: true }, 'marked'],
  not_urgent: [{ is_urgent: false }, 'marked'],
  notify: [{ auto_notify: true }, 'marked'],
  not_notify: [{ auto_notify: false }, 'marked'],
} as const satisfies Record<string, readonly [object, Flash<'manage'>]>
