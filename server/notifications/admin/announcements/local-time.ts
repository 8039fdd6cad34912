import { Temporal } from 'temporal-polyfill'

/** '2026-11-21T16:30' on the clock of a zone; undefined where it says no time. */
export function instantOf(local: string, zone: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(local)) return undefined
  try {
    return new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds)
  } catch {
    return undefined
  }
}

/** The same the other way round, as a field for day and time has it. */
export function localOf(instant: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.valueOf())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}
