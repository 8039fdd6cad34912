import type { ShouldRevalidateFunctionArgs } from 'react-router'
import type { FormError } from '#web/lib/visitor.ts'

/** A rejected form, with its values. */
export interface FailedForm {
  error: FormError
  values: Record<string, string>
}

/** Reloads the page's data also after a conflict; by default the router does so only after a success. */
export const rereadAfterConflict = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate
