import { Temporal } from 'temporal-polyfill'
import { firstOf } from '#shared/assert.ts'

const YEARS_BACK = 1
const YEARS_AHEAD = 10

interface Change {
  from: string
  to: string
  /** In the local time before the change. */
  at: string
  isSummer: boolean
}

/**
 * A VTIMEZONE (RFC 5545 3.6.5) with every clock change of some years written out: governments change the rules, and no
 * calendar has to know them to read this.
 */
export function timeZoneComponent(zone: string, now: Date): string {
  const begin = Temporal.PlainDate.from(`${now.getUTCFullYear() - YEARS_BACK}-01-01`).toZonedDateTime(zone)
  const end = begin.add({ years: YEARS_BACK + YEARS_AHEAD })
  const changes: Change[] = []
  for (
    let next = begin.getTimeZoneTransition('next');
    next && Temporal.ZonedDateTime.compare(next, end) < 0;
    next = next.getTimeZoneTransition('next')
  ) {
    const before = next.subtract({ nanoseconds: 1 })
    const wall = next.toInstant().toZonedDateTimeISO(before.offset)
    changes.push({
      from: offsetOf(before.offset),
      to: offsetOf(next.offset),
      at: stampOf(wall.toPlainDateTime()),
      isSummer: next.offsetNanoseconds > before.offsetNanoseconds,
    })
  }
  const first = offsetOf(begin.offset)
  const kinds = Map.groupBy(changes, ({ from, to, isSummer }) => `${from} ${to} ${isSummer}`)
  const components = [
    // The offset before the first change.
    observance('STANDARD', first, first, [stampOf(begin.toPlainDateTime())]),
    ...[...kinds.values()].map((list) => {
      const { from, to, isSummer } = firstOf(list)
      const times = list.map(({ at }) => at)
      return observance(isSummer ? 'DAYLIGHT' : 'STANDARD', from, to, times)
    }),
  ]
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...components.flat(), 'END:VTIMEZONE'].join('\r\n')
}

function observance(kind: 'STANDARD' | 'DAYLIGHT', from: string, to: string, times: string[]): string[] {
  const others = times.slice(1).map((time) => `RDATE:${time}`)
  return [`BEGIN:${kind}`, `DTSTART:${times[0]}`, ...others, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `END:${kind}`]
}

/** '+05:45' as '+0545'. */
const offsetOf = (offset: string) => offset.replaceAll(':', '')

export const stampOf = (wall: Temporal.PlainDateTime) =>
  `${wall.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')}`
