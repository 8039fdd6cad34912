import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'
import type { AlarmClass } from '#server/db/tables-assistant.ts'

interface Contact {
  userId: string | null
  phoneKey: string | null
  name: string | null
  /** Its address has sent several reports already. */
  isLow: boolean
}

/** A number in E.164, however it is written; what cannot be read as a number keeps its digits. */
export function phoneKeyOf(phone: string | undefined, country: string | null): string | null {
  if (!phone) return null
  const region = country && isSupportedCountry(country) ? (country as CountryCode) : undefined
  return parsePhoneNumberFromString(phone, region)?.number ?? (phone.replace(/\D/g, '') || null)
}

/** How surely somebody can be reached behind a case: 1 an account, 2 a number, 3 a name or a doubtful number, 4 nothing. */
export function rankOf({ userId, phoneKey, name, isLow }: Contact): 1 | 2 | 3 | 4 {
  if (userId) return 1
  if (phoneKey) return isLow ? 3 : 2
  return name && !isLow ? 3 : 4
}

/** Which limit of alarms a message of this rank counts against. */
export function alarmClassOf(rank: number, isUrgent: boolean): AlarmClass {
  if (rank === 1) return 'known'
  if (rank === 2) return 'numbered'
  return isUrgent ? 'anonymous' : 'hand_over'
}
