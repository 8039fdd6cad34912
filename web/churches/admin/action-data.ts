import type { ShouldRevalidateFunctionArgs } from 'react-router'
import type { Duplicate } from '#shared/churches/managed-locale.ts'
import type { FormError } from '#web/lib/visitor.ts'

export type FormValues = Record<string, string>

/** A form of the page that was rejected. */
export interface ActionData {
  intent: string
  /** Id of the list row the form is for. */
  item: string
  values: FormValues
  error: FormError
  /** Possible duplicates of the new church. */
  duplicates?: Duplicate[]
}

/** Action data of one form. */
export function actionDataFor(actionData: ActionData | undefined, intent: string, item = '') {
  return actionData?.intent === intent && actionData.item === item ? actionData : undefined
}

/** After a conflict the page data is reloaded. */
export function whenChanged({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus === 409 || defaultShouldRevalidate
}
