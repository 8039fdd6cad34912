import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'
import type { AlarmClass } from '#server/db/tables-assistant.ts'

interface Contact {
  userId: string | null
  phoneKey: string | null
  name: string | null
  /** Several reports already came from its address. */
  isLow: boolean
}

/** A phone number in E.164; an unparsable number is reduced to its digits. */
export function phoneKeyOf(phone: string | undefined, country: string | null): string | null {
  if (!phone) return null
  const region = country && isSupportedCountry(country) ? (country as CountryCode) : undefined
  return parsePhoneNumberFromString(phone, region)?.number ?? (phone.replace(/\D/g, '') || null)
}

/** How reliably the reporter can be reached: 1 account, 2 phone number, 3 name or doubtful number, 4 nothing. */
export function rankOf({ userId, phoneKey, name, isLow }: Contact): 1 | 2 | 3 | 4 {
  if (userId) return 1
  if (phoneKey) return isLow ? 3 : 2
  return name && !isLow ? 3 : 4
}

/** The alarm limit that a message of this rank counts against. */
export function alarmClassOf(rank: number, isUrgent: boolean): AlarmClass {
  if (rank === 1) return 'known'
  if (rank === 2) return 'numbered'
  return isUrgent ? 'anonymous' : 'hand_over'
}
