import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '#shared/errors.ts'

/** Compares in constant time. */
export function isSame(actual: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(actual), digest(expected))
}

/** X-Twilio-Signature: over the requested URL followed by each field and its value, in order of field names. */
export function twilioSignature(token: string, url: string, form: Record<string, string>): string {
  const fields = Object.keys(form)
    .sort()
    .map((name) => name + form[name])
  return createHmac('sha1', token)
    .update(url + fields.join(''))
    .digest('base64')
}

/** X-Hub-Signature-256: over the raw body. */
export const hubSignature = (secret: string, body: Uint8Array) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

export const invalidSignature = () => new AppError(403, 'forged', 'This is not signed by who may tell it.')
export const noSuchPage = () => new AppError(404, 'not_found', 'There is nothing at this address.')
