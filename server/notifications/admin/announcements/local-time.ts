import { Temporal } from 'temporal-polyfill'

/**
 * Parses '2026-11-21T16:30' in a time zone. 'skipped' if the clocks are put forward past it; of two equal times, the
 * earlier one. Undefined if invalid.
 */
export function instantOf(local: string, zone: string): Date | 'skipped' | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(local)) return undefined
  try {
    const time = Temporal.PlainDateTime.from(local)
    const instant = time.toZonedDateTime(zone)
    return instant.toPlainDateTime().equals(time) ? new Date(instant.epochMilliseconds) : 'skipped'
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
