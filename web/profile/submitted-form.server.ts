import { data } from 'react-router'
import type { FormError } from '#web/lib/visitor.ts'

/** The largest photo, with what stands around it in a form. */
const MAX_BYTES = 6 * 1024 * 1024

/** What was typed into a form, and what of it may come back with the page: never a password or a code. */
export async function readForm(request: Request) {
  // Read whole, so it must not be without an end; browsers always say how much they send.
  const size = Number(request.headers.get('content-length') ?? MAX_BYTES + 1)
  if (!(size <= MAX_BYTES)) throw data({ error: 'This is too much to send at once.', code: 'too_large' }, 413)
  const form = await request.formData()
  const text = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  /** Not trimmed: a space may belong to a password. */
  const secret = (name: string): string | undefined => {
    const value = form.get(name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const values: Record<string, string> = {}
  for (const [name, value] of form)
    if (typeof value === 'string' && !/password|code/i.test(name)) values[name] = value.slice(0, 1_000)
  return { intent: text('intent'), form, text, secret, values }
}

/** A form that failed, with what is to stand in its fields again. */
export const failed = <V extends object>(intent: string, error: FormError, more: V) =>
  data({ intent, error, ...more }, { status: error.status })
