import { MAX_SCHEDULES } from '#shared/churches/care.ts'

/**
 * The lines of a form of services that are saved, by their number in the form: what is to be removed, and the empty line
 * for another service, are left out.
 */
export function linesIn(values: Record<string, string>): number[] {
  const lines: number[] = []
  for (let at = 0; at <= MAX_SCHEDULES && values[`s${at}_time`] !== undefined; at++) {
    const has = (name: string) => Boolean(values[`s${at}_${name}`])
    if (!has('remove') && (has('id') || has('time') || has('title') || has('recurrence'))) lines.push(at)
  }
  return lines
}
