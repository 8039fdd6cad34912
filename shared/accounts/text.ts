import * as z from 'zod'
import { LANGUAGES } from '#shared/language.ts'

/** One local part, '@', a domain with at least one dot, no spaces, at most 254 characters (D-07). */
export const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/

export const Email = z
  .string('Enter a valid email address')
  .trim()
  .toLowerCase()
  .max(254, 'Enter a valid email address')
  .regex(EMAIL, 'Enter a valid email address')

/** A name in any script: letters, combining marks and the separators used in names. Never markup or a URL. */
export const Name = z
  .string()
  .trim()
  .min(1, 'This field is required')
  .max(100, 'Must be at most 100 characters')
  .regex(
    /^[\p{L}\p{M}\p{N} .,'’ʼ‘`´·‐‑\-()]+$/u,
    'Use only letters, spaces, full stops, commas, hyphens and apostrophes',
  )

export const Password = z.string('This field is required').min(1, 'This field is required').max(1000)

/** With the country code: "+63 917 123 4567". The server checks that the number can exist. */
export const Phone = z
  .string()
  .trim()
  .max(30, 'Invalid phone number format')
  .regex(/^\+[\d\s()./-]{6,28}$/, 'Invalid phone number format')

export const Code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, 'Enter the 6-digit code')

export const CountryCode = z.string().regex(/^[A-Z]{2}$/, 'Choose a country')
export const PreferredLanguage = z.enum(LANGUAGES)
