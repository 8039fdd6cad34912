import type * as z from 'zod'
import { runAccountAction } from '#shared/accounts/account-actions.ts'
import { sendSignInLink } from '#shared/accounts/sign-ins.ts'
import {
  changeRole,
  changeStatus,
  clearSuppression,
  createUser,
  endUserSessions,
  flagAccount,
  previewRole,
  recoverUser,
  updateUser,
  verifyAccount,
} from '#shared/accounts/user-changes.ts'
import { AppError } from '#shared/errors.ts'
import { languageOf } from '#shared/language.ts'
import type { Role } from '#shared/roles.ts'
import { formAction, type Submission } from '#web/lib/form-action.server.ts'
import type { FormValues } from '#web/lib/form-result.ts'
import { attempt, type CallEndpoint, type FormError } from '#web/lib/visitor.ts'
import type { ActionData, Confirms } from './action-data.ts'
import { listOf, searchOf } from './places.ts'

type ActionInput =
  | { body: object; fieldErrors?: undefined }
  /** Errors of fields that the page itself could not parse. */
  | { body?: undefined; fieldErrors: Record<string, string> }

interface Action {
  /** Builds the request to the endpoint. */
  ask: (values: FormValues) => ActionInput
  /** Schema of the body, validated before the confirmation. */
  body?: z.ZodType
  isConfirmed?: boolean
  /** What it would change, read before the confirmation. */
  preview?: (call: CallEndpoint, id: string, body: never) => Promise<Confirms['preview']>
  run: (call: CallEndpoint, id: string, body: never) => Promise<{ ended?: number }>
}

/** A bulk action on one account, with the same texts to the user and the same redirect. */
const asBulkAction = (kind: 'ask' | 'refuse'): Action => ({
  ask: ({ message = '', request_key }) => ({ body: { request_key, kind, message } }),
  run: async (call, id, body: object) => {
    const { results } = await call(runAccountAction, { body: { ...body, selection: { ids: [id] } } as never })
    if (results.asked || results.refused) return {}
    throw new AppError(409, 'not_done', results.bounced ? BOUNCED : CHANGED)
  },
})
const BOUNCED = 'Nothing was sent. Emails to this account cannot be delivered.'
const CHANGED = 'This account is no longer waiting to be verified.'

const ACTIONS: Record<string, Action> = {
  role: {
    ask: (values) => {
      const input = roleOf(values)
      if (input.fieldErrors) return input
      return { body: { ...input.body, role_ends_on: values.role_ends_on || null } }
    },
    body: previewRole.body,
    isConfirmed: true,
    preview: (call, id, body) => call(previewRole, { params: { id }, body }),
    run: (call, id, body: object) => call(changeRole, { params: { id }, body: body as never }),
  },
  verify: { ask: () => ({ body: {} }), isConfirmed: true, run: (call, id) => call(verifyAccount, { params: { id } }) },
  ask: asBulkAction('ask'),
  refuse: asBulkAction('refuse'),
  status: {
    ask: (values) => ({ body: { status: values.status as 'active', reason: values.reason ?? '' } }),
    body: changeStatus.body,
    isConfirmed: true,
    run: (call, id, body) => call(changeStatus, { params: { id }, body }),
  },
  details: {
    ask: (values) => {
      const fieldErrors = unchosenFields(values, { countries: 'countries' })
      if (fieldErrors) return { fieldErrors }
      const permissions = (values.permissions ?? '').split(/[\s,،]+/).filter(Boolean)
      const body = { admin_notes: values.admin_notes ?? '', permissions, countries: listOf(values.countries) }
      return { body: { ...body, country_code: values.country_code || null, chapter_id: values.chapter_id || null } }
    },
    run: (call, id, body) => call(updateUser, { params: { id }, body }),
  },
  flag: {
    ask: (values) => ({ body: { is_flagged: values.is_flagged !== 'no', reason: values.reason ?? '' } }),
    run: (call, id, body) => call(flagAccount, { params: { id }, body }),
  },
  link: { ask: () => ({ body: {} }), run: (call, id) => call(sendSignInLink, { params: { id } }) },
  recover: { ask: () => ({ body: {} }), run: (call, id) => call(recoverUser, { params: { id } }) },
  suppression: {
    ask: ({ channel, reason = '' }) => ({ body: { channel, reason } }),
    run: (call, id, body) => call(clearSuppression, { params: { id }, body }),
  },
  sessions: {
    ask: () => ({ body: {} }),
    isConfirmed: true,
    run: (call, id) => call(endUserSessions, { params: { id } }),
  },
}

/** Shown besides the error: the values, with repeated fields joined, and what is to be confirmed. */
type Shown = Pick<ActionData, 'values' | 'confirms' | 'error'>

/** Runs an action of the user page: redirects, asks for confirmation, or returns the error with the form values. */
export const actOnUser = formAction<Partial<Shown>>(
  async (call, { id, context, form, text, flash }) => {
    const values = valuesOf(form)
    const intent = text('intent')
    const action = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined
    if (!action) throw new Response('Bad Request', { status: 400 })
    const input = action.ask(values)
    const fields = input.fieldErrors ?? problemsOf(action.body, input.body)
    if (fields) throw invalid(fields)
    if (action.isConfirmed && values.confirmed !== 'yes') return confirmation(call, action, id, values, input.body)
    const body = intent === 'role' ? { ...input.body, ...withReason(values) } : input.body
    const { error } = await attempt(context, (run) => action.run(run, id, body as never))
    // Re-authentication is required: the same confirmation again, with a password field.
    if (error && action.preview && error.fields.current_password)
      return confirmation(call, action, id, values, input.body, error)
    if (error) return { values: withoutPassword(values), error }
    return flash(`/admin/users/${id}`, intent === 'status' && values.status === 'suspended' ? 'suspended' : intent)
  },
  { onError: async (_error, { form }) => ({ values: withoutPassword(valuesOf(form)) }) },
)

const withReason = ({ reason = '', current_password }: FormValues) => ({
  reason,
  ...(current_password ? { current_password } : {}),
})

async function confirmation(
  call: CallEndpoint,
  action: Action,
  id: string,
  values: FormValues,
  body: object | undefined,
  error?: FormError,
): Promise<Shown> {
  const preview = await action.preview?.(call, id, body as never)
  const limits = body as { scope_countries?: string[] | null; scope_chapters?: string[] | null }
  const confirms = {
    places: limits.scope_countries ?? [],
    chapters: limits.scope_chapters ?? [],
    ...(preview ? { preview: { ...preview, is_fresh: preview.is_fresh && !error } } : {}),
  }
  return { values: withoutPassword(values), error, confirms }
}

/** A role and its scope from the form values. */
function roleOf(values: FormValues): ActionInput {
  const fieldErrors = unchosenFields(values, { scope: 'scope_countries', chapters: 'scope_chapters' })
  if (fieldErrors) return { fieldErrors }
  const [countries, chapters] = [listOf(values.scope), listOf(values.chapters)]
  const everywhere = values.everywhere === 'yes'
  return {
    body: {
      role: values.role as Role,
      scope_countries: countries.length > 0 ? countries : null,
      scope_chapters: chapters.length > 0 ? chapters : null,
      scope_everywhere: everywhere,
      scope_reason: everywhere ? (values.scope_reason ?? '') : null,
    },
  }
}

/** Places entered but not selected from the list: without an error they would be silently dropped. */
function unchosenFields(values: FormValues, fields: Record<string, string>): Record<string, string> | undefined {
  const left = Object.entries(fields).filter(([name]) => values[searchOf(name)])
  if (left.length === 0) return undefined
  return Object.fromEntries(left.map(([, field]) => [field, 'Choose from the list']))
}

/** Creates an account, and opens its page. */
export async function createUserAccount(call: CallEndpoint, { form, flash }: Submission) {
  const values = valuesOf(form)
  const input = roleOf(values)
  if (input.fieldErrors) throw invalid(input.fieldErrors)
  const { first_name = '', last_name = '', email = '', preferred_language, current_password } = values
  const { id } = await call(createUser, {
    body: {
      ...input.body,
      first_name,
      last_name,
      email,
      country_code: values.country_code || null,
      preferred_language: languageOf(preferred_language) ?? 'en',
      ...(current_password ? { current_password } : {}),
    } as never,
  })
  return flash(`/admin/users/${id}`, 'create')
}

const invalid = (fields: Record<string, string>) =>
  new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })

/** A password is never sent back into a page. */
export const withoutPassword = ({ current_password: _, ...values }: FormValues): FormValues => values

function problemsOf(schema: z.ZodType | undefined, body: unknown): Record<string, string> | undefined {
  const parsed = schema?.safeParse(body)
  if (!parsed || parsed.success) return undefined
  return Object.fromEntries(parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]))
}

export function valuesOf(form: FormData): FormValues {
  const values: FormValues = {}
  // Repeated fields are joined by commas.
  for (const [name, value] of form)
    if (typeof value === 'string') {
      const text = value.trim().slice(0, 6_000)
      values[name] = name in values ? `${values[name]},${text}` : text
    }
  return values
}
