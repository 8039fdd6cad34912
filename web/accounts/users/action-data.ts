import type { ScopeCounts } from '#shared/accounts/users.ts'
import type { FormError } from '#web/lib/visitor.ts'

/** Shown in the confirmation step. */
export interface Confirms {
  /** Countries and chapters of a role, as resolved. */
  places: string[]
  chapters: string[]
  /** For a change of role: what it adds and removes. */
  preview?: { adds: ScopeCounts; removes: ScopeCounts; is_fresh: boolean }
}

/** A form of the page to show again: rejected, or to be confirmed. */
export interface ActionData {
  intent: string
  values: Record<string, string>
  error: FormError | undefined
  /** Set for the confirmation step. */
  confirms?: Confirms | undefined
}

/** Action data of one form. */
export function actionDataFor(actionData: ActionData | undefined, intent: string) {
  const own = actionData?.intent === intent ? actionData : undefined
  return { values: own?.values, error: own?.error, isOpen: own !== undefined }
}
