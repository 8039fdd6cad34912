import * as z from 'zod'

/** The IANA name of a time zone as the engine writes it, or undefined: "europe/berlin" is "Europe/Berlin". */
export function timeZoneOf(name: string): string | undefined {
  // An offset is no place: it knows no summer time.
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
