import { Temporal } from 'temporal-polyfill'

/** Parses '2026-11-21T16:30' in a time zone; undefined if invalid. */
export function instantOf(local: string, zone: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(local)) return undefined
  try {
    return new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds)
  } catch {
    return undefined
  }
}

/** The inverse: formats an instant for a date and time field. */
export function localOf(instant: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.valueOf())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}
