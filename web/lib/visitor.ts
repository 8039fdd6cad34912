import { createContext, data, type RouterContextProvider } from 'react-router'
import type { Language } from '#shared/language.ts'
import type { Role } from '#shared/roles.ts'

/** Calls an endpoint in process, with the visitor's session and through the same checks as HTTP. */
export type CallEndpoint = <I, O>(endpoint: { key: string; '~': { input: I; output: O } }, input?: I) => Promise<O>

export interface SessionUser {
  id: string
  name: string
  role: Role
}

/** What the server hands in with every request for a page. */
export interface Visitor {
  api: CallEndpoint
  language: Language
  /** The country chosen last on the emergency page in this browser; only for pages that show it. */
  place: string | null
  user: SessionUser | null
  /** Came in by the first step and still owes the second: nobody until then. */
  waiting: (SessionUser & { for: 'code' | 'enrolment' }) | null
  /** When the session ends, unless it is lengthened. */
  expiresAt: string | null
  /** A session was shown, and is over, or its person may not come in, or it could not be looked up. */
  ended: 'expired' | 'suspended' | 'unknown' | null
  /** Constant for one rendering, so that a page never contradicts itself. */
  now: Date
  /** Marks the scripts the renderer writes; known to nothing else, so that content cannot pass for one. */
  nonce: string
}

export const visitorContext = createContext<Visitor>()

interface Context {
  get: RouterContextProvider['get']
}

export const visitorOf = (context: Readonly<Context>): Visitor => context.get(visitorContext)

/**
 * The way a loader or action calls an endpoint. An expected failure becomes a thrown response with its status, code and
 * message: React Router hides the text of every other error from the page.
 */
export function api(context: Readonly<Context>): CallEndpoint {
  const visitor = visitorOf(context)
  return async (endpoint, input) => {
    try {
      return await visitor.api(endpoint, input)
    } catch (error) {
      // The class lives on the other side of the page bundle: tell it by its shape, never by instanceof.
      if (isExpected(error)) {
        const { message, code, fields, id } = error
        throw data({ error: message, code, fields, ...(id ? { id, at: visitor.now.toISOString() } : {}) }, error.status)
      }
      throw error
    }
  }
}

/** The same for an action, whose page shows the failure beside the form: `{ failure }` with its status, or `{ done }`. */
export async function attempt<T>(context: Readonly<Context>, run: (call: CallEndpoint) => Promise<T>) {
  try {
    return { done: await run(visitorOf(context).api), error: undefined }
  } catch (error) {
    if (!isExpected(error)) throw error
    const { message, code, fields, status } = error
    return { done: undefined, error: { error: message, code, fields: fields ?? {}, status } satisfies FormError }
  }
}

/** The same for what a page can do without: undefined where it cannot be read now. A refusal is still thrown. */
export async function ifReadable<T>(context: Readonly<Context>, run: (call: CallEndpoint) => Promise<T>) {
  const { done, error } = await attempt(context, run)
  if (error && error.status < 500) throw data(error, error.status)
  return done
}

/** An expected failure of an endpoint, as a form shows it. */
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
