import type { ScopeCounts } from '#shared/accounts/users.ts'
import type { FormError } from '#web/lib/visitor.ts'

/** What is said before something is done. */
export interface Confirms {
  /** The countries and chapters of a role, as they were understood. */
  places: string[]
  chapters: string[]
  /** Of a change of role: what it adds and takes away. */
  preview?: { adds: ScopeCounts; removes: ScopeCounts; is_fresh: boolean }
}

/** A form of the page that was sent and came back: refused, or to be confirmed. */
export interface ActionData {
  intent: string
  values: Record<string, string>
  error: FormError | undefined
  /** Asked before it is done. */
  confirms: Confirms | undefined
}

/** What came back for one form. */
export function actionDataFor(actionData: ActionData | undefined, intent: string) {
  const own = actionData?.intent === intent ? actionData : undefined
  return { values: own?.values, error: own?.error, isOpen: own !== undefined }
}
