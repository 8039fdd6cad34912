import { ASSISTANT_LANGUAGE_CODES } from '#shared/assistant/languages.ts'
import { clean } from './tokenizer.ts'

/** A relative date in a question. */
export type Relative = 'today' | 'tomorrow' | 'next_week' | 'next_month'

const DAY_MS = 86_400_000

/** The first date in a folded text as YYYY-MM-DD; without a year, the next such date. */
export function findDate(text: string, now: Date): string | null {
  const iso = /(?<!\d)(20\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text)
  if (iso) return dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const han = /(?:(20\d\d) ?[年년] ?)?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日号號일]/u.exec(text)
  if (han) return dated(han[1], Number(han[2]), Number(han[3]), now)
  return findNamedMonth(text, now) ?? findNumbers(text)
}

/** "12/03/2027" is read day first, as in most countries, unless that is not a valid date. */
function findNumbers(text: string): string | null {
  const numbers = /(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](20\d\d)(?!\d)/.exec(text)
  if (!numbers) return null
  const [first, two, year] = [Number(numbers[1]), Number(numbers[2]), Number(numbers[3])]
  return dateOf(year, two, first) ?? dateOf(year, first, two)
}

// "12 march", "12th of march", "12. marz", "ika-12 ng marso", "12 de marco de 2027".
const DAY_BEFORE = /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|ª)?\.?(?: ?(?:of|de|del|ng))? ?$/u
const DAY_BEHIND = /^\.? ?(\d{1,2})(?:st|nd|rd|th)?(?!\d)/u
const YEAR_BEHIND = /^\.?,? ?(?:de |del |ng )?(20\d\d)(?!\d)/u

function findNamedMonth(text: string, now: Date): string | null {
  for (const match of text.matchAll(/[\p{L}\p{M}]{3,14}/gu)) {
    const month = MONTHS.get(match[0])
    if (!month) continue
    const before = DAY_BEFORE.exec(text.slice(Math.max(0, match.index - 12), match.index))
    const behind = text.slice(match.index + match[0].length, match.index + match[0].length + 24)
    if (before) return dated(YEAR_BEHIND.exec(behind)?.[1], month, Number(before[1]), now)
    const day = DAY_BEHIND.exec(behind)
    if (day) return dated(YEAR_BEHIND.exec(behind.slice(day[0].length))?.[1], month, Number(day[1]), now)
  }
  return null
}

/** Full and short month names in the twelve languages, folded. */
const MONTHS = new Map(
  ASSISTANT_LANGUAGE_CODES.flatMap((code) =>
    (['long', 'short'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(code === 'tl' ? 'fil' : code, {
        month,
        timeZone: 'UTC',
        calendar: 'gregory',
      })
      const inside = new Intl.DateTimeFormat(code === 'tl' ? 'fil' : code, { month, day: 'numeric', timeZone: 'UTC' })
      return Array.from({ length: 12 }, (_, index) => {
        const day = new Date(Date.UTC(2027, index, 15))
        const monthName = inside.formatToParts(day).find(({ type }) => type === 'month')?.value ?? ''
        return [format.format(day), monthName].map((name) => [clean(name).replace(/\.$/, ''), index + 1] as const)
      }).flat()
    }),
  ).filter(([name]) => /^[\p{L}\p{M}]{3,}$/u.test(name)),
)

function dated(year: string | undefined, month: number, day: number, now: Date): string | null {
  if (year) return dateOf(Number(year), month, day)
  const today = now.toISOString().slice(0, 10)
  const soon = [0, 1, 2, 3, 4].map((more) => dateOf(now.getUTCFullYear() + more, month, day))
  return soon.find((date) => date !== null && date >= today) ?? null
}

function dateOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : null
}

/** The corresponding date in UTC. */
export function relativeDate(relative: Relative, now: Date): string {
  if (relative === 'next_month') return nextMonth(now)
  const days = { today: 0, tomorrow: 1, next_week: 7 }[relative]
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
}

/** The same day of the next month, or its last day. */
function nextMonth(now: Date): string {
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 0))
  const day = Math.min(now.getUTCDate(), last.getUTCDate())
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), day)).toISOString().slice(0, 10)
}
