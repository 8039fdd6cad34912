import type { Role } from '#shared/roles.ts'

/** Who asks. Read on the server once for every request; nothing in it comes from the client. */
export interface Session {
  user: { id: string; name: string; role: Role; scope?: { countries: string[]; chapters: string[] } } | null
  /** Network address of the caller, for rate limits only: never stored, never logged. */
  address: string
}

export const NOBODY: Session = { user: null, address: '' }

/** Finds out who asks. Until somebody can sign in, everybody is nobody. */
export type ReadSession = (request: Request, address: string) => Session | Promise<Session>

export const everybodyIsNobody: ReadSession = (_request, address) => ({ user: null, address })
