import { createContext, data, type RouterContextProvider } from 'react-router'
import { present } from '#shared/assert.ts'
import type { Language } from '#shared/language.ts'
import type { Role } from '#shared/roles.ts'

/** Calls an endpoint in process, with the visitor's session and the same checks as HTTP. */
export type CallEndpoint = <I, O>(endpoint: { key: string; '~': { input: I; output: O } }, input?: I) => Promise<O>

export interface SessionUser {
  id: string
  name: string
  role: Role
  /** Of their profile: times are written in it. */
  timeZone?: string
}

/** Passed in by the server with every page request. */
export interface Visitor {
  api: CallEndpoint
  language: Language
  /** The country last chosen on the emergency page in this browser; only for pages that show it. */
  place: string | null
  user: SessionUser | null
  /** Passed the first step and still owes the second: not signed in until then. */
  waiting: (SessionUser & { for: 'code' | 'enrolment' }) | null
  /** When the session ends, unless it is renewed. */
  expiresAt: string | null
  /** A session was presented but has expired, its user is suspended, or it could not be looked up. */
  ended: 'expired' | 'suspended' | 'unknown' | null
  /** Constant during one rendering, so that a page never contradicts itself. */
  now: Date
  /** A whole page is rendered, not the data alone that the browser loads for the next one. */
  isDocument: boolean
  /** Marks the scripts written by the renderer; unknown to anything else, so that content cannot pass for one. */
  nonce: string
}

export const visitorContext = createContext<Visitor>()

interface Context {
  get: RouterContextProvider['get']
}

export const visitorOf = (context: Readonly<Context>): Visitor => context.get(visitorContext)

/** The signed-in user of a page that its access row opens only to users. */
export const userOf = (context: Readonly<Context>) => present(visitorOf(context).user, 'a signed-in user')

/**
 * Calls an endpoint from a loader or action. An expected error becomes a thrown response with its status, code and
 * message: React Router hides the message of any other error from the page.
 */
export function api(context: Readonly<Context>): CallEndpoint {
  const visitor = visitorOf(context)
  return async (endpoint, input) => {
    try {
      return await visitor.api(endpoint, input)
    } catch (error) {
      // The class lives on the other side of the page bundle: test the shape, never instanceof.
      if (isExpected(error)) {
        const { message, code, fields, id } = error
        throw data({ error: message, code, fields, ...(id ? { id, at: visitor.now.toISOString() } : {}) }, error.status)
      }
      throw error
    }
  }
}

/** The same for an action, whose page shows the error beside the form: `{ failure }` with its status, or `{ done }`. */
export async function attempt<T>(context: Readonly<Context>, run: (call: CallEndpoint) => Promise<T>) {
  try {
    return { done: await run(visitorOf(context).api), error: undefined }
  } catch (error) {
    if (!isExpected(error)) throw error
    const { message, code, fields, status } = error
    return { done: undefined, error: { error: message, code, fields: fields ?? {}, status } satisfies FormError }
  }
}

/** The same for optional data: undefined if it cannot be read now. A client error is still thrown. */
export async function ifReadable<T>(context: Readonly<Context>, run: (call: CallEndpoint) => Promise<T>) {
  const { done, error } = await attempt(context, run)
  if (error && error.status < 500) throw data(error, error.status)
  return done
}

/** An expected error of an endpoint, as shown by a form. */
export interface FormError {
  error: string
  code: string
  fields: Record<string, string>
  status: number
}

function isExpected(
  error: unknown,
): error is Error & { status: number; code: string; fields?: Record<string, string>; id?: string } {
  return error instanceof Error && typeof (error as { status?: unknown }).status === 'number' && 'code' in error
}
