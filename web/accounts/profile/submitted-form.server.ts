import { data } from 'react-router'
import type { FormError } from '#web/lib/visitor.ts'

/** The largest photo, with the overhead of the form encoding. */
const MAX_BYTES = 6 * 1024 * 1024

/** Form values, and those that may be sent back with the page: never a password or a code. */
export async function readForm(request: Request) {
  // Read into memory, so the size must be limited; browsers always send the content length.
  const size = Number(request.headers.get('content-length') ?? MAX_BYTES + 1)
  if (!(size <= MAX_BYTES)) throw data({ error: 'This is too much to send at once.', code: 'too_large' }, 413)
  const form = await request.formData()
  const text = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  /** Not trimmed: a space may be part of a password. */
  const secret = (name: string): string | undefined => {
    const value = form.get(name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const values: Record<string, string> = {}
  for (const [name, value] of form)
    if (typeof value === 'string' && !/password|code/i.test(name)) values[name] = value.slice(0, 1_000)
  return { intent: text('intent'), form, text, secret, values }
}

/** Error response with the form values to show again. */
export const failed = <V extends object>(intent: string, error: FormError, more: V) =>
  data({ intent, error, ...more }, { status: error.status })
