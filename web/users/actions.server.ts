import { data, type RouterContextProvider, redirect } from 'react-router'
import type * as z from 'zod'
import {
  changeRole,
  changeStatus,
  clearStopped,
  createUser,
  endUserSessions,
  flagAccount,
  recoverUser,
  updateUser,
} from '#shared/accounts/users.ts'
import type { Role } from '#shared/roles.ts'
import { attempt, type CallEndpoint, type Failure, visitorOf } from '../lib/visitor.ts'
import { codesOf } from './countries.server.ts'
import type { Posted } from './posted.ts'

type Typed = Record<string, string>
type Asked =
  | { body: object; refused?: undefined }
  /** Messages of fields that the page itself could not read. */
  | { body?: undefined; refused: Record<string, string> }

interface Deed {
  /** What the endpoint is to be asked for. */
  ask: (typed: Typed, call: CallEndpoint) => Promise<Asked> | Asked
  /** Shape of the body, checked before it is asked whether to go on. */
  body?: z.ZodType
  isConfirmed?: boolean
  run: (call: CallEndpoint, id: string, body: never) => Promise<{ ended?: number; id?: string }>
}

const DEEDS: Record<string, Deed> = {
  role: {
    ask: async (typed, call) => {
      const places = await codesOf(call, typed.scope ?? '')
      if (places.unknown) return { refused: { scope_countries: places.unknown } }
      return {
        body: {
          role: typed.role as Role,
          scope_countries: places.codes.length > 0 ? places.codes : null,
          scope_chapters: typed.chapters ? typed.chapters.split(',') : null,
          role_ends_on: typed.role_ends_on || null,
          reason: typed.reason ?? '',
        },
      }
    },
    body: changeRole.body,
    isConfirmed: true,
    run: (call, id, body) => call(changeRole, { params: { id }, body }),
  },
  status: {
    ask: (typed) => ({ body: { status: typed.status as 'active', reason: typed.reason ?? '' } }),
    body: changeStatus.body,
    isConfirmed: true,
    run: (call, id, body) => call(changeStatus, { params: { id }, body }),
  },
  details: {
    ask: async (typed, call) => {
      const places = await codesOf(call, typed.countries ?? '')
      if (places.unknown) return { refused: { countries: places.unknown } }
      const permissions = (typed.permissions ?? '').split(/[\s,،]+/).filter(Boolean)
      const body = { admin_notes: typed.admin_notes ?? '', permissions, countries: places.codes }
      return { body: { ...body, country_code: typed.country_code || null, chapter_id: typed.chapter_id || null } }
    },
    run: (call, id, body) => call(updateUser, { params: { id }, body }),
  },
  flag: {
    ask: (typed) => ({ body: { is_flagged: typed.is_flagged !== 'no', reason: typed.reason ?? '' } }),
    run: (call, id, body) => call(flagAccount, { params: { id }, body }),
  },
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
  create: {
    ask: async (typed, call) => {
      const places = await codesOf(call, typed.scope ?? '')
      if (places.unknown) return { refused: { scope_countries: places.unknown } }
      const { first_name = '', last_name = '', email = '', preferred_language } = typed
      return {
        body: {
          first_name,
          last_name,
          email,
          role: typed.role as Role,
          scope_countries: places.codes.length > 0 ? places.codes : null,
          country_code: typed.country_code || null,
          preferred_language: preferred_language === 'ar' ? 'ar' : 'en',
        },
      }
    },
    run: (call, _id, body) => call(createUser, { body }),
  },
}

/** What a form of the page asked for: done, to be confirmed first, or refused with what was typed. */
export async function actOnUser(context: Readonly<Pick<RouterContextProvider, 'get'>>, request: Request) {
  const typed = await typedOf(request)
  const intent = typed.intent ?? ''
  const deed = Object.hasOwn(DEEDS, intent) ? DEEDS[intent] : undefined
  if (!deed) throw new Response('Bad Request', { status: 400 })
  const url = new URL(request.url)
  const asked = await deed.ask(typed, visitorOf(context).api)
  const fields = asked.refused ?? problemsOf(deed.body, asked.body)
  if (fields) return failed(intent, typed, { ...INVALID, fields })
  if (deed.isConfirmed && typed.confirmed !== 'yes') {
    const limits = asked.body as { scope_countries?: string[] | null; scope_chapters?: string[] | null }
    const confirms = { places: limits.scope_countries ?? [], chapters: limits.scope_chapters ?? [] }
    return data<Posted>({ intent, typed, failure: undefined, confirms })
  }
  const { done, failure } = await attempt(context, (call) =>
    deed.run(call, url.searchParams.get('user') ?? '', asked.body as never),
  )
  if (failure) return failed(intent, typed, failure)
  const params = url.searchParams
  for (const name of ['action', '_routes', 'index']) params.delete(name)
  if (done.id) params.set('user', done.id)
  params.set('done', intent === 'status' && typed.status === 'suspended' ? 'suspended' : intent)
  throw redirect(`/admin/users?${params}`)
}

const INVALID = { error: 'Please correct the marked fields.', code: 'invalid_input', status: 422 }

function failed(intent: string, typed: Typed, failure: Failure) {
  return data<Posted>({ intent, typed, failure, confirms: undefined }, { status: failure.status })
}

function problemsOf(schema: z.ZodType | undefined, body: unknown): Record<string, string> | undefined {
  const parsed = schema?.safeParse(body)
  if (!parsed || parsed.success) return undefined
  return Object.fromEntries(parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]))
}

async function typedOf(request: Request): Promise<Typed> {
  const typed: Typed = {}
  // Several of one name are a list with commas.
  for (const [name, value] of await request.formData())
    if (typeof value === 'string') {
      const text = value.trim().slice(0, 6_000)
      typed[name] = name in typed ? `${typed[name]},${text}` : text
    }
  return typed
}
