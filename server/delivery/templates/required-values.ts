import { AppError } from '#shared/errors.ts'
import type { Template } from './render.ts'

const TITLE = { title: 'This field is required', message: 'This field is required' }
/** Without these a message to many says nothing (ADV-NOTIFY-17 to 20). */
const REQUIRED: Partial<Record<Template, Record<string, string>>> = {
  advisory: {
    name: 'User name is required',
    title: 'Advisory title is required',
    severity: 'Advisory severity is required',
    countries: 'Affected countries are required',
  },
  notice: TITLE,
  reminder: TITLE,
  'roll-call': TITLE,
  'roll-call-help': TITLE,
  'assistant-case': TITLE,
  'roll-call-taken': TITLE,
}

/** What a template needs and was not given, by the names of the values; an empty list is nothing given. */
export function problemsOf(template: Template, values: Record<string, unknown>): Record<string, string> {
  const missing = Object.entries(REQUIRED[template] ?? {}).filter(([name]) => isEmpty(values[name]))
  return Object.fromEntries(missing)
}

/** Throws what is missing. */
export function checkValues(template: Template, values: Record<string, unknown>): void {
  const fields = problemsOf(template, values)
  if (Object.keys(fields).length > 0)
    throw new AppError(422, 'template_invalid', 'Template validation failed', { fields })
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) ? value.length === 0 : String(value).trim() === '')
