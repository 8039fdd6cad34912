import { isValidPhoneNumber } from 'libphonenumber-js'
import { GENERAL_NUMBER } from '#shared/emergency/address.ts'

/** A short code such as 911, or a number that can be dialled from anywhere. */
export function isPlausiblePhone(phone: string, country: string | null): boolean {
  if (phone === GENERAL_NUMBER) return true
  if (/^\d{2,6}$/.test(phone)) return country !== null
  // Short hotlines of the Philippine government are dialled from abroad with the Manila prefix.
  return /^\+63 ?2 ?1\d{3}$/.test(phone) || (phone.startsWith('+') && isValidPhoneNumber(phone))
}
