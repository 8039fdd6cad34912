import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { AppError } from '#shared/errors.ts'

/** Normalises a phone number to E.164 ("+639171234567"); throws when it cannot exist. */
export function phoneOf(input: string): string {
  const parsed = parsePhoneNumberFromString(input)
  if (!parsed?.isValid())
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
      fields: { phone: 'Invalid phone number format' },
    })
  return parsed.number
}
