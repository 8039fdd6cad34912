import type { ShouldRevalidateFunctionArgs } from 'react-router'
import type { FormError } from '#web/lib/visitor.ts'

/** A form that was sent and not accepted, with what was typed. */
export interface FailedForm {
  error: FormError
  values: Record<string, string>
}

/** Reads the page's data again also after a save that came too late; the router itself does so only after a good one. */
export const rereadAfterConflict = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate
