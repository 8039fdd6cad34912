import type { ReachEstimate } from '#shared/delivery/estimate.ts'
import type { Language } from '#shared/language.ts'
import { formatClock, formatDay, zoneName } from '#web/lib/format.ts'
import type { FormError } from '#web/lib/visitor.ts'

/** A count of recipients, and when it was taken. */
export interface Counted {
  estimate: ReachEstimate
  now: string
}

/** Up to this many recipients, Send is the default answer of the confirmation. */
export const FEW_RECIPIENTS = 20
const MANY_RECIPIENTS = 200

/** The number of recipients jumped since it was last shown: the sender has to enter it. */
export const isJump = (before: number, now: number) => before <= FEW_RECIPIENTS && now > MANY_RECIPIENTS

/** Whether the sender entered the number after a jump; without a jump nothing is to be entered. */
export function isNumberConfirmed({
  before,
  recipients,
  entered,
}: {
  before: number
  recipients: number
  entered: string
}) {
  return !isJump(before, recipients) || entered.replace(/[٠-٩]/g, asciiDigit).replace(/\D/g, '') === String(recipients)
}

/** Of an Arabic keyboard. */
const asciiDigit = (digit: string) => String(digit.charCodeAt(0) - 0x0660)

/** The number was not entered, or is another one. */
export const NUMBER_CHECK: FormError = {
  error: 'Please correct the marked fields.',
  code: 'invalid_input',
  fields: { number_check: 'Enter the number of recipients to confirm.' },
  status: 422,
}

/** The number of recipients is no longer the confirmed one. */
export const recipientsChanged = (actual: number): FormError => ({
  error: `The number of people has changed to ${actual}. Check it and confirm again.`,
  code: 'people_changed',
  fields: {},
  status: 409,
})

const MAX_CLOCKS = 3

/** The time where the recipients are: '11:41 (Riyadh)', for the zones of the readers shown. */
export function clocksThere({ estimate, now }: Counted, language: Language): string[] {
  const zones = [...new Set(estimate.readers.map(({ time_zone }) => time_zone))]
  return zones.slice(0, MAX_CLOCKS).map((zone) => `${formatClock(language, now, zone)} ${zoneName(zone)}`)
}

export const dayThere = (now: string, language: Language, zone: string) =>
  `${formatDay(language, now, zone)} ${zoneName(zone)}`
