import type { Role } from '#shared/roles.ts'

/** Where a role that looks after people counts: with neither country nor chapter, nowhere. */
export interface Scope {
  countries: string[] | null
  chapters: string[] | null
}

export interface SignedIn {
  /** Of user_profiles. */
  id: string
  name: string
  role: Role
  /** Absent: everywhere, as for administrators and whoever counts everywhere by choice. */
  scope?: Scope
}

/** Who asks. Read on the server once for every request; nothing in it comes from the client. */
export interface Session {
  user: SignedIn | null
  /** Came in by the first step; the second is still to be given, or to be set up. Until then: nobody. */
  waiting?: SignedIn & { for: 'code' | 'enrolment' }
  /** Of auth_sessions and auth_users, where somebody came in. */
  id?: string
  authUserId?: string
  expiresAt?: Date
  hasSecondFactor?: boolean
  /** A session was shown that could not be looked up: the database is away. Only what is open to anyone is answered. */
  isUnknown?: boolean
  /** A session was shown that is over, or whose person may not come in any more. */
  ended?: 'expired' | 'suspended'
  /** Network address of the caller, for rate limits only: never stored, never logged. */
  address: string
}

export const NOBODY: Session = { user: null, address: '' }

/** Who asks, with what the request carried, and the cookies that its answer is to set. */
export interface Caller {
  session: Session
  headers: Headers
  cookies: string[]
}

/** A caller inside the process, without a request of its own. */
export const callerOf = (session: Session): Caller => ({ session, headers: new Headers(), cookies: [] })

/** Finds out who asks. */
export type ReadSession = (request: Request, address: string) => Session | Promise<Session>
