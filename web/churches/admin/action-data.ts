import type { ShouldRevalidateFunctionArgs } from 'react-router'
import type { Duplicate } from '#shared/churches/managed-locale.ts'
import type { FormError } from '#web/lib/visitor.ts'

export type FormValues = Record<string, string>

/** A form of the page that was sent and came back refused. */
export interface ActionData {
  intent: string
  /** Of the row of a list that the form is for. */
  item: string
  values: FormValues
  error: FormError
  /** Churches that may be the same as the one to be made. */
  duplicates?: Duplicate[]
}

/** What came back for one form. */
export function actionDataFor(actionData: ActionData | undefined, intent: string, item = '') {
  return actionData?.intent === intent && actionData.item === item ? actionData : undefined
}

/** A form that came too late is told what there is now. */
export function whenChanged({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus === 409 || defaultShouldRevalidate
}
