import { sql } from 'kysely'
import type { CountryCode } from 'libphonenumber-js'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Db } from '#server/db/connection.ts'
import { ANSWER_LINK_DAYS } from '../answer-link.ts'

/** A user whose number a text may have come from. */
export interface Sender {
  user_id: string
  name: string
  preferred_language: string
  country_code: string | null
  /** From the current profile, or from an answer with a different number. */
  phone_number: string | null
}

/** An open roll call that asks a sender. */
export interface OpenCall extends Sender {
  roll_call_id: string
  title: string
  started_at: Date
  answer: 'safe' | 'need_help' | 'not_there' | null
  helped_at: Date | null
  unclear_at: Date | null
  answer_phone: string | null
}

const tail = (number: string) => sql`portal_phone_tail(${number})`

/** All users with this number (E.164) whom an open roll call asks, latest roll call first. Numbers may be shared. */
export async function findOpenCalls(db: Db, number: string, now: Date): Promise<OpenCall[]> {
  const since = new Date(now.valueOf() - ANSWER_LINK_DAYS * 86_400_000)
  const rows = await db
    .selectFrom('roll_call_recipients as p')
    .innerJoin('roll_calls as r', 'r.id', 'p.roll_call_id')
    .innerJoin('user_profiles as u', 'u.id', 'p.user_id')
    .select(['p.roll_call_id', 'p.user_id', 'p.answer', 'p.helped_at', 'p.unclear_at', 'p.phone as answer_phone'])
    .select(['r.title', 'r.started_at', 'u.display_name as name', 'u.preferred_language', 'u.phone_number'])
    .select(sql<string | null>`coalesce(p.country_code::text, u.country_code)`.as('country_code'))
    .where(sql<boolean>`p.user_id in (
      select id from user_profiles where portal_phone_tail(phone_number) = ${tail(number)} and phone_number is not null
      union all
      select user_id from roll_call_recipients where portal_phone_tail(phone) = ${tail(number)} and phone is not null)`)
    .where('u.profile_status', 'in', ['active', 'pending'])
    .where('r.ended_at', 'is', null)
    .where('r.started_at', '>', since)
    .orderBy('r.started_at', 'desc')
    .orderBy('p.user_id')
    .execute()
  return rows.filter(
    (row) =>
      isSameNumber(row.phone_number, row.country_code, number) ||
      isSameNumber(row.answer_phone, row.country_code, number),
  )
}

/** Accounts with this number, whether or not a roll call asks them. */
export async function findOwners(db: Db, number: string): Promise<Sender[]> {
  const rows = await db
    .selectFrom('user_profiles')
    .select(['id as user_id', 'display_name as name', 'preferred_language', 'country_code', 'phone_number'])
    .where('phone_number', 'is not', null)
    .where(sql`portal_phone_tail(phone_number)`, '=', tail(number))
    .where('profile_status', 'in', ['active', 'pending'])
    .orderBy('id')
    .execute()
  return rows.filter((row) => isSameNumber(row.phone_number, row.country_code, number))
}

/** "0917 123 4567" of a user in the Philippines equals +639171234567; so does 00639171234567. */
export function isSameNumber(stored: string | null, country: string | null, number: string): boolean {
  if (!stored) return false
  const written = digitsOf(stored)
  const digits = number.replace(/\D/g, '')
  if (written === digits || written === `00${digits}`) return true
  const region = country as CountryCode | null
  const parsed = region && parsePhoneNumberFromString(written.replace(/^00/, '+'), region)
  if (parsed && parsed.number === number) return true
  // A number without country code may be of another country than the user's: compare the national part.
  const national = parsePhoneNumberFromString(number)?.nationalNumber
  return national !== undefined && !/^\s*(\+|00)/.test(stored) && written.replace(/^0+/, '') === String(national)
}

/** Digits of any script, converted to ASCII. */
const digitsOf = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/\D/g, '')

/** The country of a number; null if unknown. */
export const countryOfNumber = (number: string): string | null => parsePhoneNumberFromString(number)?.country ?? null
