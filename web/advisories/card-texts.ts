import type { Language } from '#shared/language.ts'
import { formatDay, formatRelative } from '#web/lib/format.ts'

const WEEK_MS = 7 * 24 * 3_600_000

/**
 * When the source changed it: '3 hours ago' within a week, then the date; also the date where the current time is
 * unknown.
 */
export function updatedText(
  language: Language,
  zone: string,
  now: number | null,
  instant: string,
  precision: 'day' | 'minute',
): string {
  const day = formatDay(language, instant, precision === 'day' ? 'UTC' : zone)
  // A date without a time cannot be shown as relative.
  if (now === null || precision === 'day') return day
  const age = now - Date.parse(instant)
  return age < 0 || age > WEEK_MS ? day : formatRelative(language, instant, now)
}
