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

const REFUSAL = 'Choose a time zone from the list'

export const TimeZone = z
  .string()
  .trim()
  .max(60, REFUSAL)
  .transform((name, context) => {
    const zone = timeZoneOf(name)
    if (zone === undefined) context.issues.push({ code: 'custom', input: name, message: REFUSAL })
    return zone ?? z.NEVER
  })
