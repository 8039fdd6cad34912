import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { EMAIL } from '#shared/accounts/text.ts'

type Country = Parameters<typeof parsePhoneNumberFromString>[1]

/** A number in E.164; one without a country code is parsed as a national number. Undefined: not a valid number. */
function phoneIn(text: string, country: string | null): string | undefined {
  const parsed = parsePhoneNumberFromString(text, (country ?? undefined) as Country)
  return parsed?.isValid() ? parsed.number : undefined
}

/** Validates number and address, and returns the number as stored. Existing values are not checked again. */
export function contactOf<T extends { phone?: string | null | undefined; email?: string | null | undefined }>(
  input: T,
  existing: { phone: string | null; email: string | null } | undefined,
  country: string | null,
) {
  const problems: Record<string, string> = {}
  let { phone } = input
  if (phone && phone !== existing?.phone) {
    phone = phoneIn(phone, country)
    if (!phone) problems.phone = 'Invalid phone number format'
  }
  if (input.email && input.email !== existing?.email && !EMAIL.test(input.email))
    problems.email = 'Enter a valid email address'
  return { phone, problems }
}
