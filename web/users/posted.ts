import type { ScopeCounts } from '#shared/accounts/users.ts'
import type { Failure } from '../lib/visitor.ts'

/** What is said before something is done. */
export interface Confirms {
  /** The countries and chapters of a role, as they were understood. */
  places: string[]
  chapters: string[]
  /** Of a change of role: what it adds and takes away. */
  preview?: { adds: ScopeCounts; removes: ScopeCounts; is_fresh: boolean }
}

/** A form of the page that was sent and came back: refused, or to be confirmed. */
export interface Posted {
  intent: string
  typed: Record<string, string>
  failure: Failure | undefined
  /** Asked before it is done. */
  confirms: Confirms | undefined
}

/** What came back for one form. */
export function postedFor(posted: Posted | undefined, intent: string) {
  const own = posted?.intent === intent ? posted : undefined
  return { typed: own?.typed, failure: own?.failure, isOpen: own !== undefined }
}
