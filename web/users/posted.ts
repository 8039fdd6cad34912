import type { Failure } from '../lib/visitor.ts'

/** A form of the page that was sent and came back: refused, or to be confirmed. */
export interface Posted {
  intent: string
  typed: Record<string, string>
  failure: Failure | undefined
  /** Asked before it is done; the countries were understood as these. */
  confirms: { places: string[]; chapters: string[] } | undefined
}

/** What came back for one form. */
export function postedFor(posted: Posted | undefined, intent: string) {
  const own = posted?.intent === intent ? posted : undefined
  return { typed: own?.typed, failure: own?.failure, isOpen: own !== undefined }
}
