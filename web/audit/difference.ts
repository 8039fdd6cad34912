/** One changed field, as text. */
export interface ChangedField {
  field: string
  before: string | null
  after: string | null
}

const MAX_SHOWN = 400
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
/** Placeholder of an empty value. */
export const NOTHING = '–'

/** Before and after of an entry, field by field; a single value has the field ''. */
export function differenceOf(before: unknown, after: unknown): ChangedField[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map((field) => ({
    field,
    before: field in was ? formatValue(was[field]) : null,
    after: field in is ? formatValue(is[field]) : null,
  }))
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : { '': value }
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return NOTHING
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.length > 0 ? cut(value.join(', ')) : NOTHING
  if (typeof value === 'string' && INSTANT.test(value)) return `${value.slice(0, 16).replace('T', ' ')} UTC`
  return cut(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const cut = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)
