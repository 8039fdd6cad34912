import { data, type RouterContextProvider, redirect } from 'react-router'
import type * as z from 'zod'
import { runAccountAction } from '#shared/accounts/account-actions.ts'
import { sendSignInLink } from '#shared/accounts/sign-ins.ts'
import {
  changeRole,
  changeStatus,
  clearStopped,
  createUser,
  endUserSessions,
  flagAccount,
  previewRole,
  recoverUser,
  updateUser,
  verifyAccount,
} from '#shared/accounts/users.ts'
import { AppError } from '#shared/errors.ts'
import type { Role } from '#shared/roles.ts'
import { attempt, type CallEndpoint, type Failure } from '../lib/visitor.ts'
import { listOf, searchOf } from './places.ts'
import type { Confirms, Posted } from './posted.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>
type Typed = Record<string, string>
type Asked =
  | { body: object; refused?: undefined }
  /** Messages of fields that the page itself could not read. */
  | { body?: undefined; refused: Record<string, string> }

interface Action {
  /** What the endpoint is to be asked for. */
  ask: (typed: Typed) => Asked
  /** Shape of the body, checked before it is asked whether to go on. */
  body?: z.ZodType
  isConfirmed?: boolean
  /** What it would change, read before it is asked whether to go on. */
  preview?: (call: CallEndpoint, id: string, body: never) => Promise<Confirms['preview']>
  run: (call: CallEndpoint, id: string, body: never) => Promise<{ ended?: number }>
}

/** A bulk action of one, with the same texts to the person and the same way back. */
const withOne = (kind: 'ask' | 'refuse'): Action => ({
  ask: ({ message = '', request_key }) => ({ body: { request_key, kind, message } }),
  run: async (call, id, body: object) => {
    const { results } = await call(runAccountAction, { body: { ...body, selection: { ids: [id] } } as never })
    if (results.asked || results.refused) return {}
    throw new AppError(409, 'not_done', results.bounced ? BOUNCED : CHANGED)
  },
})
const BOUNCED = 'Nothing was sent: messages to the email address of this account come back.'
const CHANGED = 'This account does not wait to be verified any more.'

const ACTIONS: Record<string, Action> = {
  role: {
    ask: (typed) => {
      const asked = roleOf(typed)
      if (asked.refused) return asked
      return { body: { ...asked.body, role_ends_on: typed.role_ends_on || null } }
    },
    body: previewRole.body,
    isConfirmed: true,
    preview: (call, id, body) => call(previewRole, { params: { id }, body }),
    run: (call, id, body: object) => call(changeRole, { params: { id }, body: body as never }),
  },
  verify: { ask: () => ({ body: {} }), isConfirmed: true, run: (call, id) => call(verifyAccount, { params: { id } }) },
  ask: withOne('ask'),
  refuse: withOne('refuse'),
  status: {
    ask: (typed) => ({ body: { status: typed.status as 'active', reason: typed.reason ?? '' } }),
    body: changeStatus.body,
    isConfirmed: true,
    run: (call, id, body) => call(changeStatus, { params: { id }, body }),
  },
  details: {
    ask: (typed) => {
      const refused = leftTyped(typed, { countries: 'countries' })
      if (refused) return { refused }
      const permissions = (typed.permissions ?? '').split(/[\s,،]+/).filter(Boolean)
      const body = { admin_notes: typed.admin_notes ?? '', permissions, countries: listOf(typed.countries) }
      return { body: { ...body, country_code: typed.country_code || null, chapter_id: typed.chapter_id || null } }
    },
    run: (call, id, body) => call(updateUser, { params: { id }, body }),
  },
  flag: {
    ask: (typed) => ({ body: { is_flagged: typed.is_flagged !== 'no', reason: typed.reason ?? '' } }),
    run: (call, id, body) => call(flagAccount, { params: { id }, body }),
  },
  link: { ask: () => ({ body: {} }), run: (call, id) => call(sendSignInLink, { params: { id } }) },
  recover: { ask: () => ({ body: {} }), run: (call, id) => call(recoverUser, { params: { id } }) },
  stopped: {
    ask: ({ channel, reason = '' }) => ({ body: { channel, reason } }),
    run: (call, id, body) => call(clearStopped, { params: { id }, body }),
  },
  sessions: {
    ask: () => ({ body: {} }),
    isConfirmed: true,
    run: (call, id) => call(endUserSessions, { params: { id } }),
  },
}

/** What a form of the page of a person asked for: done, to be confirmed first, or refused with what was typed. */
export async function actOnUser(context: Context, request: Request, id: string) {
  const typed = typedOf(await request.formData())
  const intent = typed.intent ?? ''
  const action = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined
  if (!action) throw new Response('Bad Request', { status: 400 })
  const asked = action.ask(typed)
  const fields = asked.refused ?? problemsOf(action.body, asked.body)
  if (fields) return failed(intent, typed, { ...INVALID, fields })
  if (action.isConfirmed && typed.confirmed !== 'yes')
    return confirmation(context, action, intent, typed, id, asked.body)
  const body = intent === 'role' ? { ...asked.body, ...withReason(typed) } : asked.body
  const { failure } = await attempt(context, (call) => action.run(call, id, body as never))
  // Who it is has to be shown first: the same question again, with the field for it.
  if (failure && action.preview && failure.fields.current_password)
    return confirmation(context, action, intent, typed, id, asked.body, failure)
  if (failure) return failed(intent, typed, failure)
  throw redirect(
    `/admin/users/${id}?done=${intent === 'status' && typed.status === 'suspended' ? 'suspended' : intent}`,
  )
}

const withReason = ({ reason = '', current_password }: Typed) => ({
  reason,
  ...(current_password ? { current_password } : {}),
})

async function confirmation(
  context: Context,
  action: Action,
  intent: string,
  typed: Typed,
  id: string,
  body: object | undefined,
  refused?: Failure,
) {
  const { done, failure } = await attempt(context, async (call) => action.preview?.(call, id, body as never))
  if (failure) return failed(intent, typed, failure)
  const limits = body as { scope_countries?: string[] | null; scope_chapters?: string[] | null }
  const confirms = {
    places: limits.scope_countries ?? [],
    chapters: limits.scope_chapters ?? [],
    ...(done ? { preview: { ...done, is_fresh: done.is_fresh && !refused } } : {}),
  }
  return data<Posted>(
    { intent, typed: withoutPassword(typed), failure: refused, confirms },
    { status: refused?.status ?? 200 },
  )
}

/** A role and where it counts, as the fields of a form say it. */
function roleOf(typed: Typed): Asked {
  const refused = leftTyped(typed, { scope: 'scope_countries', chapters: 'scope_chapters' })
  if (refused) return { refused }
  const [countries, chapters] = [listOf(typed.scope), listOf(typed.chapters)]
  const everywhere = typed.everywhere === 'yes'
  return {
    body: {
      role: typed.role as Role,
      scope_countries: countries.length > 0 ? countries : null,
      scope_chapters: chapters.length > 0 ? chapters : null,
      scope_everywhere: everywhere,
      scope_reason: everywhere ? (typed.scope_reason ?? '') : null,
    },
  }
}

/** Places that were typed and not chosen from the list: without a word they would not count. */
function leftTyped(typed: Typed, fields: Record<string, string>): Record<string, string> | undefined {
  const left = Object.entries(fields).filter(([name]) => typed[searchOf(name)])
  if (left.length === 0) return undefined
  return Object.fromEntries(left.map(([, field]) => [field, 'Choose from the list']))
}

/** Makes an account for somebody, and opens its page. */
export async function createUserAccount(context: Context, form: FormData) {
  const typed = typedOf(form)
  const asked = roleOf(typed)
  if (asked.refused) return failed('create', typed, { ...INVALID, fields: asked.refused })
  const { first_name = '', last_name = '', email = '', preferred_language, current_password } = typed
  const { done, failure } = await attempt(context, (call) =>
    call(createUser, {
      body: {
        ...asked.body,
        first_name,
        last_name,
        email,
        country_code: typed.country_code || null,
        preferred_language: preferred_language === 'ar' ? 'ar' : 'en',
        ...(current_password ? { current_password } : {}),
      } as never,
    }),
  )
  if (failure) return failed('create', typed, failure)
  throw redirect(`/admin/users/${done.id}?done=create`)
}

const INVALID = { error: 'Please correct the marked fields.', code: 'invalid_input', status: 422 }

function failed(intent: string, typed: Typed, failure: Failure) {
  return data<Posted>(
    { intent, typed: withoutPassword(typed), failure, confirms: undefined },
    { status: failure.status },
  )
}

/** A password is never sent back into a page. */
const withoutPassword = ({ current_password: _, ...typed }: Typed): Typed => typed

function problemsOf(schema: z.ZodType | undefined, body: unknown): Record<string, string> | undefined {
  const parsed = schema?.safeParse(body)
  if (!parsed || parsed.success) return undefined
  return Object.fromEntries(parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]))
}

function typedOf(form: FormData): Typed {
  const typed: Typed = {}
  // Several of one name are a list with commas.
  for (const [name, value] of form)
    if (typeof value === 'string') {
      const text = value.trim().slice(0, 6_000)
      typed[name] = name in typed ? `${typed[name]},${text}` : text
    }
  return typed
}
