import { AppError } from '#shared/errors.ts'
import type { Template } from './render.ts'

const TITLE = { title: 'This field is required', message: 'This field is required' }
/** Without these values a bulk message would be meaningless (ADV-NOTIFY-17 to 20). */
const REQUIRED: Partial<Record<Template, Record<string, string>>> = {
  advisory: {
    name: 'User name is required',
    title: 'Advisory title is required',
    severity: 'Advisory severity is required',
    countries: 'Affected countries are required',
  },
  announcement: TITLE,
  reminder: TITLE,
  'roll-call': TITLE,
  'roll-call-help': TITLE,
  'assistant-case': TITLE,
  'roll-call-taken': TITLE,
}

/** Missing required values of a template, by name; an empty list counts as missing. */
export function problemsOf(template: Template, values: Record<string, unknown>): Record<string, string> {
  const missing = Object.entries(REQUIRED[template] ?? {}).filter(([name]) => isEmpty(values[name]))
  return Object.fromEntries(missing)
}

/** Throws if values are missing. */
export function checkValues(template: Template, values: Record<string, unknown>): void {
  const fields = problemsOf(template, values)
  if (Object.keys(fields).length > 0)
    throw new AppError(422, 'template_invalid', 'Template validation failed', { fields })
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) ? value.length === 0 : String(value).trim() === '')
