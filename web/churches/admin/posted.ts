import type { ShouldRevalidateFunctionArgs } from 'react-router'
import type { Duplicate } from '#shared/churches/managed-locale.ts'
import type { Failure } from '../../lib/visitor.ts'

export type Typed = Record<string, string>

/** A form of the page that was sent and came back refused. */
export interface Posted {
  intent: string
  /** Of the row of a list that the form is for. */
  item: string
  typed: Typed
  failure: Failure
  /** Churches that may be the same as the one to be made. */
  duplicates?: Duplicate[]
}

/** What came back for one form. */
export function postedFor(posted: Posted | undefined, intent: string, item = '') {
  return posted?.intent === intent && posted.item === item ? posted : undefined
}

/** A form that came too late is told what there is now. */
export function whenChanged({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus === 409 || defaultShouldRevalidate
}
