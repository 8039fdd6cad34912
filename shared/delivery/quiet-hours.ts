import { Temporal } from 'temporal-polyfill'

/** Hours of the clock on the wall, 'HH:MM' or 'HH:MM:SS'; over midnight where `from` is the later one. */
export interface Hours {
  from: string
  until: string
}

/** No message waits longer than this for an hour that the portal, and not the person, keeps free. */
const LONGEST_WAIT_HOURS = 26
const MAX_STEPS = 8

/** When a message that makes a sound may leave: now (null), or at the moment that is given. */
export function opening(
  now: Date,
  zone: string,
  hours: {
    /** Hours in which the portal sends text messages at all. */
    open?: Hours | undefined
    /** Hours in which the person wants to hear nothing. */
    quiet?: Hours | undefined
  },
): Date | null {
  const closed = [hours.quiet, hours.open && { from: hours.open.until, until: hours.open.from }].filter(
    (range) => range !== undefined && range.from !== range.until,
  ) as Hours[]
  if (closed.length === 0) return null
  const start = Temporal.Instant.fromEpochMilliseconds(now.valueOf()).toZonedDateTimeISO(zone)
  const first = after(start, closed)
  // Whoever is awake only while the portal's window is closed gets messages when awake.
  const opens = hours.quiet && waits(start, first) > LONGEST_WAIT_HOURS ? after(start, [hours.quiet]) : first
  return opens.epochMilliseconds === start.epochMilliseconds ? null : new Date(opens.epochMilliseconds)
}

/** True in hours that contain the time; the end is not in them any more. */
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

/** The first moment from `at` on that lies in none of the hours. */
function after(at: Temporal.ZonedDateTime, closed: Hours[]): Temporal.ZonedDateTime {
  let moment = at
  for (let step = 0; step < MAX_STEPS; step++) {
    const shut = closed.find((hours) => contains(hours, moment.toPlainTime()))
    if (!shut) return moment
    moment = endOf(shut, moment)
  }
  return moment
}

/** When the hours that hold this moment are over. */
function endOf({ from, until }: Hours, at: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const isNextDay = secondsOf(from) >= secondsOf(until) && secondOf(at.toPlainTime()) >= secondsOf(from)
  const wall = at
    .toPlainDate()
    .add({ days: isNextDay ? 1 : 0 })
    .toPlainDateTime(Temporal.PlainTime.from(until))
  const end = wall.toZonedDateTime(at.timeZoneId)
  // The clock was put back: this hour comes twice, and we are in the second one.
  if (Temporal.ZonedDateTime.compare(end, at) <= 0)
    return wall.toZonedDateTime(at.timeZoneId, { disambiguation: 'later' })
  if (secondOf(end.toPlainTime()) === secondsOf(until)) return end
  // The clock was put forward over that time: the hours end where it jumped.
  return end.add({ nanoseconds: 1 }).getTimeZoneTransition('previous') ?? end
}
