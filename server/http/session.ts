import type { Scope } from '#server/db/claims.ts'
import { present } from '#shared/assert.ts'
import type { Role } from '#shared/roles.ts'

export interface SignedIn {
  /** Of user_profiles. */
  id: string
  name: string
  role: Role
  /** Absent: everywhere, as for administrators and roles that are unrestricted by choice. */
  scope?: Scope
  /** IANA time zone of their profile. */
  timeZone?: string
}

/** The caller, read on the server for every request; nothing in it comes from the client. */
export interface Session {
  user: SignedIn | null
  /** Completed the first step; the second is still to be completed or set up. Until then: anonymous. */
  waiting?: SignedIn & { for: 'code' | 'enrolment' }
  /** Of auth_sessions and auth_users, when signed in. */
  id?: string
  authUserId?: string
  expiresAt?: Date
  /** When the role expires. */
  roleEndsAt?: Date
  hasSecondFactor?: boolean
  /** The session could not be looked up because the database is unavailable. Only public endpoints are served. */
  isUnknown?: boolean
  /** The session has ended, its user may no longer sign in, or the bearer token of a program belongs to no session. */
  ended?: 'expired' | 'suspended' | 'invalid_token'
  /** The caller's network address, for rate limits only: never stored, never logged. */
  address: string
}

export const NOBODY: Session = { user: null, address: '' }

/** The account (auth_users) of a caller that the endpoint's access row has let in. */
export const authUserIdOf = (session: Session): string => present(session.authUserId, 'the account of the session')

/** The session (auth_sessions) of a caller that the endpoint's access row has let in. */
export const sessionIdOf = (session: Session): string => present(session.id, 'the id of the session')

/** The caller, also while the second step is still to be done. */
export const accountOf = (session: Pick<Session, 'user' | 'waiting'>): SignedIn =>
  present(session.user ?? session.waiting, 'a signed-in user')

/** The session with the request's headers, and the cookies that the response is to set. */
export interface Caller {
  session: Session
  headers: Headers
  cookies: string[]
}

/** A caller inside the process, without a request of its own. */
export const callerOf = (session: Session): Caller => ({ session, headers: new Headers(), cookies: [] })

/** Resolves the session of a request. */
export type ReadSession = (request: Request, address: string) => Session | Promise<Session>
