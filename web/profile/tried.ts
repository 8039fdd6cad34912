import type { Failure } from '../lib/visitor.ts'

/** A form that was sent and not accepted, with what was typed. */
export interface Tried {
  failure: Failure
  typed: Record<string, string>
}
