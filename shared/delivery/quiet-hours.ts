import { Temporal } from 'temporal-polyfill'

/** Local time, 'HH:MM' or 'HH:MM:SS'; crosses midnight if `from` is later than `until`. */
export interface Hours {
  from: string
  until: string
}

/** Maximum hours that the portal's own window may delay a message; the user's quiet hours may delay it longer. */
const LONGEST_WAIT_HOURS = 26
const MAX_STEPS = 8

/** When a message that makes a sound may be sent: now (null), or at the returned instant. */
export function nextSendTime(
  now: Date,
  zone: string,
  hours: {
    /** Hours in which the portal sends text messages. */
    open?: Hours | undefined
    /** Quiet hours of the user. */
    quiet?: Hours | undefined
  },
): Date | null {
  const closed = [hours.quiet, hours.open && { from: hours.open.until, until: hours.open.from }].filter(
    (range) => range !== undefined && range.from !== range.until,
  ) as Hours[]
  if (closed.length === 0) return null
  const start = Temporal.Instant.fromEpochMilliseconds(now.valueOf()).toZonedDateTimeISO(zone)
  const first = after(start, closed)
  // If the user is only awake while the portal's window is closed, only the user's quiet hours apply.
  const opens = hours.quiet && waits(start, first) > LONGEST_WAIT_HOURS ? after(start, [hours.quiet]) : first
  return opens.epochMilliseconds === start.epochMilliseconds ? null : new Date(opens.epochMilliseconds)
}

/** Whether the range contains the time; the end is exclusive. */
export function contains(hours: Hours, time: Temporal.PlainTime): boolean {
  const [from, until, at] = [secondsOf(hours.from), secondsOf(hours.until), secondOf(time)]
  return from < until ? at >= from && at < until : at >= from || at < until
}

function secondsOf(text: string): number {
  const [hour = 0, minute = 0, second = 0] = text.split(':').map(Number)
  return (hour * 60 + minute) * 60 + second
}
const secondOf = ({ hour, minute, second }: Temporal.PlainTime) => (hour * 60 + minute) * 60 + second

const waits = (from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime) =>
  (to.epochMilliseconds - from.epochMilliseconds) / 3_600_000

/** The first instant, starting at `at`, outside all ranges. */
function after(at: Temporal.ZonedDateTime, closed: Hours[]): Temporal.ZonedDateTime {
  let moment = at
  for (let step = 0; step < MAX_STEPS; step++) {
    const shut = closed.find((hours) => contains(hours, moment.toPlainTime()))
    if (!shut) return moment
    moment = endOf(shut, moment)
  }
  return moment
}

/** The end of the range that contains this instant. */
function endOf({ from, until }: Hours, at: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const isNextDay = secondsOf(from) >= secondsOf(until) && secondOf(at.toPlainTime()) >= secondsOf(from)
  const wall = at
    .toPlainDate()
    .add({ days: isNextDay ? 1 : 0 })
    .toPlainDateTime(Temporal.PlainTime.from(until))
  const end = wall.toZonedDateTime(at.timeZoneId)
  // The clock was set back: this hour is repeated, and this is its second occurrence.
  if (Temporal.ZonedDateTime.compare(end, at) <= 0)
    return wall.toZonedDateTime(at.timeZoneId, { disambiguation: 'later' })
  if (secondOf(end.toPlainTime()) === secondsOf(until)) return end
  // The clock was set forward past the end: the range ends at the change.
  return end.add({ nanoseconds: 1 }).getTimeZoneTransition('previous') ?? end
}
