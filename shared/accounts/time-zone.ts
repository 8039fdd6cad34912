import * as z from 'zod'

/** The canonical IANA name of a time zone, or undefined: "europe/berlin" becomes "Europe/Berlin". */
export function timeZoneOf(name: string): string | undefined {
  // Reject offsets: they carry no daylight-saving rules.
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

export const TimeZone = z
  .string()
  .trim()
  .max(60, 'Choose a time zone from the list')
  .refine((name) => timeZoneOf(name) !== undefined, 'Choose a time zone from the list')
  .transform((name) => timeZoneOf(name)!)
