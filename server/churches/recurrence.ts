import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'

const PARTS = 'FREQ INTERVAL COUNT BYDAY BYMONTH BYMONTHDAY BYYEARDAY BYWEEKNO BYSETPOS WKST'.split(' ')
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']
const PART = /^([A-Z]+)=([A-Z0-9,+-]+)$/
const MAX_TIMES = 400
const LONGEST_INTERVAL = 400
/** A rule that exceeds the limits when expanded up to here is rejected on input, not at query time. */
const LAST_DAY = Temporal.PlainDate.from('2099-12-31')
/** Limits of the cost of one rule, whatever it contains. */
const BOUNDS = { maxIterations: 5_000, maxCandidateEvaluations: 50_000 }
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A rule in stored form: without the property name, in capitals. */
export const tidyRecurrence = (input: string) =>
  input
    .trim()
    .replace(/^rrule:/i, '')
    .replace(/\s+/g, '')
    .replace(/;$/, '')
    .toUpperCase()

/**
 * What is wrong with a recurrence rule (tidied) counted from a start date, as a sentence for the form, or null. Time of
 * day and end date have fields of their own.
 */
export function checkRecurrence(rule: string, startsOn: string | null): string | null {
  if (!startsOn || !isDay(startsOn)) return 'Enter the first day of the rule'
  const parts = new Map<string, string>()
  for (const part of rule.split(';')) {
    const [, name, value] = PART.exec(part) ?? []
    if (!name || !value || parts.has(name)) return 'Enter a rule such as FREQ=MONTHLY;BYDAY=-1SA'
    if (name === 'UNTIL') return 'Enter the last day in its own field, not as UNTIL'
    if (/^BY(HOUR|MINUTE|SECOND)$/.test(name)) return 'Enter the time in its own field, not in the rule'
    if (!PARTS.includes(name)) return 'Enter a rule such as FREQ=MONTHLY;BYDAY=-1SA'
    parts.set(name, value)
  }
  if (!FREQUENCIES.includes(parts.get('FREQ') ?? '')) return 'A service can repeat daily, weekly, monthly or yearly'
  if (!isWhole(parts.get('INTERVAL') ?? '1', LONGEST_INTERVAL)) return 'The interval must be from 1 to 400'
  if (!isWhole(parts.get('COUNT') ?? '1', MAX_TIMES)) return 'The count must be from 1 to 400'
  const counted = attempted(() => countedFrom(startsOn, rule))
  if (!counted) return 'Enter a rule such as FREQ=MONTHLY;BYDAY=-1SA'
  const first = attempted(() => counted.next(midnight(Temporal.PlainDate.from(startsOn)), true))
  if (!first) return 'No date matches this rule'
  if (!attempted(() => daysOfRule(rule, startsOn, LAST_DAY.subtract({ days: 60 }), LAST_DAY)))
    return 'This rule is too complex. Use a simpler one.'
  return null
}

/**
 * The days on which a rule falls, inclusive. The rule is expanded in days only: clock changes are handled when a time
 * is added, so that a service is never left out because its hour was skipped.
 */
export function daysOfRule(
  rule: string,
  startsOn: string,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Temporal.PlainDate[] {
  return countedFrom(startsOn, rule)
    .between(midnight(from), midnight(to), true)
    .map((moment) => Temporal.PlainDate.from(moment.toString().slice(0, 10)))
}

function countedFrom(startsOn: string, rule: string) {
  const start = startsOn.replaceAll('-', '')
  return new RRuleTemporal({ rruleString: `DTSTART:${start}T000000Z\nRRULE:${rule}`, strict: true, ...BOUNDS })
}

function attempted<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

const midnight = (day: Temporal.PlainDate) => new Date(`${day}T00:00Z`)

function isWhole(text: string, max: number): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= max
}

function isDay(text: string): boolean {
  if (!DAY.test(text)) return false
  const moment = new Date(`${text}T00:00Z`)
  return !Number.isNaN(moment.valueOf()) && moment.toISOString().startsWith(text) && text >= '1900-01-01'
}
