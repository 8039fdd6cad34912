import { MAX_SCHEDULES } from '#shared/churches/care.ts'

/** Indexes of the form rows to save, without removed rows and the empty row for another service. */
export function linesIn(values: Record<string, string>): number[] {
  const lines: number[] = []
  for (let at = 0; at <= MAX_SCHEDULES && values[`s${at}_time`] !== undefined; at++) {
    const has = (name: string) => Boolean(values[`s${at}_${name}`])
    if (!has('remove') && (has('id') || has('time') || has('title') || has('recurrence'))) lines.push(at)
  }
  return lines
}
