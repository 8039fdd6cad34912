import type { ShouldRevalidateFunctionArgs } from 'react-router'
import type { FormError } from './visitor.ts'

/** First value of every field, trimmed. */
export type FormValues = Record<string, string>

/**
 * A record as the values of a form: '' for null, 'on' for true, one line per entry of a list, and `question.en` for a
 * field of an object.
 */
export function formValuesOf(record: Record<string, unknown>): FormValues {
  const text = (value: unknown) => {
    if (Array.isArray(value)) return value.join('\n')
    if (typeof value === 'boolean') return value ? 'on' : ''
    return value === null || value === undefined ? '' : String(value)
  }
  const entries = Object.entries(record).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(formValuesOf(value as Record<string, unknown>)).map(([key, of]) => [`${name}.${key}`, of])
      : [[name, text(value)]],
  )
  return Object.fromEntries(entries)
}

/** What an action shows on the same page: the error with the values, or what a form asked for. */
export interface FormResult {
  intent: string
  values: FormValues
  error: FormError | undefined
}

/** The result if it is of this form; `item` distinguishes the forms of a list's rows by their field of that name. */
export function resultOf<R extends FormResult>(result: R | undefined, intent: string, item?: string): R | undefined {
  return result?.intent === intent && (item === undefined || (result.values.item ?? '') === item) ? result : undefined
}

/** Another user saved first: nothing was written. */
export const isStale = (result: FormResult | undefined) => result?.error?.status === 409

/** Reloads the page's data after a conflict too; by default the router does so only after a success. */
export const revalidateAfterConflict = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate
